"""Work that begins when a turn is committed, beside the conversation: nobody waits for it.

A long session is compacted, what was said is embedded, every n-th answer is evaluated, and the write-ahead log is
emptied after a secret was told.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog

from adapters.sqlite.database import patiently
from bot.core.pipeline import Policy, Stage
from bot.core.sessions import Condensed, SessionKeeping
from bot.errors import MnemeError, StorageUnavailable
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.messages import Address
from bot.ports.chat_model import Judge, Verdict
from bot.ports.events import AnswerProduced, Event
from bot.ports.turn_store import TurnStore
from bot.retry import Backoff, Pauses
from bot.runtime.storage import TOGETHER_S
from bot.turn import ReplyKind, Turn, charged_to

_AGAIN = Backoff(60.0, 3600.0)
"""Pauses before a session is looked at again whose compaction failed."""


@dataclass(slots=True, eq=False)
class Compaction:
    """Compacts a long session after a turn.

    At most one run per session at a time; ``keeping`` gives the upkeep of the settings in force.  After a failure a
    session is left alone for a growing while, however many turns it has; a restart forgets that.
    """

    turns: TurnStore
    keeping: Callable[[], SessionKeeping]
    monotonic: Callable[[], float] = time.monotonic
    _running: dict[int, asyncio.Task[Any]] = field(init=False, default_factory=dict)
    _resting: dict[int, tuple[Pauses, float]] = field(init=False, default_factory=dict)
    """By session: its failures, and when it may be tried again."""

    def after(self, turn: Turn) -> None:
        """Look whether the turn's session has become too long; returns at once."""
        session_id = turn.session.id
        if turn.exchange is None or session_id in self._running or self.keeping().summary is None:
            return
        _, not_before = self._resting.get(session_id, (None, 0.0))
        if self.monotonic() < not_before:
            return
        self._running[session_id] = asyncio.create_task(self._run(turn, turn.scope), name=f"compaction {session_id}")

    async def run_now(self, address: Address, scope: Scope) -> Condensed:
        """Compact the session of a place because somebody asked, however short it is.

        What runs already for it is waited for.  Raises the model's errors.
        """
        session = await self.turns.session(address)
        while (running := self._running.get(session.id)) is not None:
            await asyncio.wait({running})
            session = await self.turns.session(address)  # with the summary that was made
        work = asyncio.ensure_future(self.keeping().condense(scope, session))
        self._running[session.id] = work
        try:
            return await work
        finally:
            del self._running[session.id]

    async def close(self) -> None:
        """Cut off what runs; it is tried again after a later turn."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _run(self, turn: Turn, scope: Scope) -> None:
        session_id = turn.session.id
        try:
            session = await self.turns.session(turn.address)
            if session.id == session_id:
                await self.keeping().compact(scope, session)
            self._resting.pop(session_id, None)
        except MnemeError as error:
            structlog.get_logger().warning(
                "session not compacted", session=session_id, cause=str(error), again_s=self._rest(session_id)
            )
        except Exception:  # noqa: BLE001 - the edge of a background task: a later turn tries again
            structlog.get_logger().exception("compaction failed", session=session_id, again_s=self._rest(session_id))
        finally:
            del self._running[session_id]

    def _rest(self, session_id: int) -> float:
        pauses, _ = self._resting.get(session_id, (Pauses(_AGAIN), 0.0))
        pause_s = pauses.next_s()
        if len(self._resting) >= _RESTING and session_id not in self._resting:
            del self._resting[next(iter(self._resting))]
        self._resting[session_id] = (pauses, self.monotonic() + pause_s)
        return pause_s


_RESTING = 1000
"""Sessions whose failures are remembered: those that ended never come back to clear theirs."""

_FIRST_S = 2.0
"""Seconds of a start that are left to the prompt."""
_LOOK_S = 20.0
"""Seconds between looks without a turn: imports and a changed model leave work, too."""


@dataclass(slots=True, eq=False)
class BackgroundEmbedding:
    """Embeds what was said right after its answer is out, so that the next question need not wait for it.

    Runs ``embed``, which embeds everything that has no vector yet, when woken and from time to time.

    ``lay_out`` then makes ready to be searched what a scope holds: who speaks will ask.
    ``note_missed`` does what may wait until then: after an import it takes minutes.
    """

    embed: Callable[[], Awaitable[None]]
    lay_out: Callable[[Scope], Awaitable[None]]
    note_missed: Callable[[], Awaitable[None]]
    leading: Callable[[], bool] = lambda: True
    _spoken: dict[Scope, None] = field(init=False, default_factory=dict)
    _woken: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _rested: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def wake(self, scope: Scope) -> None:
        """Say that something was stored in a scope; returns at once."""
        self._spoken[scope] = None
        self._woken.set()
        self._rested.clear()

    def look(self) -> None:
        """Look soon, whatever was said in whichever scope."""
        self._woken.set()

    async def wait_until_rested(self) -> None:
        """Wait until everything that was stored before this call was looked at."""
        await self._rested.wait()

    async def run(self) -> None:
        """Run until cancelled; after a failure it rests, whoever wakes it: a missing model does not come at once."""
        await asyncio.sleep(_FIRST_S)
        while True:
            self._woken.clear()
            failed = await self._failed()
            if not self._woken.is_set():
                self._rested.set()
            if failed:
                await asyncio.sleep(_LOOK_S)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):  # wait_for may swallow a cancellation in Python 3.11
                    await self._woken.wait()

    async def _failed(self) -> bool:
        spoken, self._spoken = self._spoken, {}  # what is stored from now on may not be embedded: the next round's
        try:
            if self.leading():
                with patiently(TOGETHER_S if spoken else 0.0):
                    await self.embed()
            while spoken:
                await self.lay_out(spoken.popitem()[0])
            if self.leading():
                await self.note_missed()
        except MnemeError as error:
            structlog.get_logger().warning("embedding waits", cause=str(error))
            return True
        except Exception:  # noqa: BLE001 - the edge of a background task: it comes again
            structlog.get_logger().exception("embedding broke")
            return True
        finally:
            self._spoken |= spoken
        return False


class Evaluation:
    """Measures every n-th live answer: do the memories fit, does the answer keep to them.

    A subscriber to :class:`~bot.ports.events.AnswerProduced`.

    ``every`` and ``judge`` are asked anew at each answer, so that a change of settings acts at once; 0 means never.
    """

    def __init__(self, every: Callable[[], int], judge: Callable[[], Judge]) -> None:
        self._every = every
        self._judge = judge
        self._seen = 0
        self._sampled = 0
        self._sums = (0.0, 0.0)

    async def __call__(self, event: Event) -> None:
        """Count a model's answer that memories stood behind (one without a model quotes them); maybe evaluate it."""
        if not isinstance(event, AnswerProduced) or not (every := self._every()):
            return
        turn = event.turn
        if turn.reply is None or turn.reply.kind is not ReplyKind.ANSWER or not turn.trace.memories:
            return
        self._seen += 1
        if self._seen % every:
            return
        # Nobody waits for it, so a judge that is busy is asked again.
        stage = Stage("evaluation", Policy.RETRY, self._judged)
        try:
            await stage((turn, None))
        except MnemeError as error:
            structlog.get_logger().warning("answer not evaluated", cause=type(error).__name__)

    @property
    def means(self) -> tuple[int, float, float]:
        """Number of samples, mean relevance and mean faithfulness, 0..1."""
        count = max(self._sampled, 1)
        return self._sampled, self._sums[0] / count, self._sums[1] / count

    async def _judged(self, asked: tuple[Turn, Verdict | None]) -> tuple[Turn, Verdict | None]:
        turn, _ = asked
        said = "\n".join(text for each in turn.history for text in each.texts)
        answer = turn.reply.text if turn.reply is not None else ""
        with charged_to(turn.scope):
            verdict = await self._judge().judge(turn.text, answer, turn.trace.memories, said)
        self._sampled += 1
        self._sums = (self._sums[0] + verdict.relevance, self._sums[1] + verdict.faithfulness)
        count, relevance, faithfulness = self.means
        structlog.get_logger().info(
            "answer evaluated",
            entry=turn.accepted[0].id,
            relevance=round(verdict.relevance, 2),
            faithfulness=round(verdict.faithfulness, 2),
            samples=count,
            mean_relevance=round(relevance, 3),
            mean_faithfulness=round(faithfulness, 3),
        )
        return turn, verdict


_PAUSE_S = 0.5
"""Between attempts: somebody reads the log, or the disk does not write."""


class SecretTraces:
    """Empties the write-ahead log after the answer to whoever told, quoted or sent a secret.

    What is remembered holds no secret, but a message waits whole in the journal until it is answered, and its reply
    until it is sent.  Both are dropped then; the log keeps their bytes until it is emptied, which can take days.
    """

    def __init__(self, empty_log: Callable[[], Awaitable[None]]) -> None:
        self._empty_log = empty_log
        self._told: set[Address] = set()
        self._due = False
        self._task: asyncio.Task[None] | None = None

    def committed(self, turn: Turn) -> None:
        """Remember where a secret was told or answered."""
        heard = (one.message for one in turn.accepted)
        texts = [text for one in heard for text in (one.file_name, one.quote.text if one.quote else "")]
        if (masked := turn.trace.figures.get("secrets_masked")) is None:  # absent for commands
            texts += [turn.text, turn.reply.text if turn.reply is not None else ""]
        if masked or any(redact(text).kinds for text in texts):
            self._told.add(turn.address)

    def answered(self, address: Address) -> None:
        """Begin, if a secret was told there."""
        if address not in self._told:
            return
        self._told.discard(address)
        self._due = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._empty(), name="traces of secrets")

    async def close(self) -> None:
        """Stop; closing the database empties the log, too."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _empty(self) -> None:
        while self._due:
            self._due = False
            try:
                await self._empty_log()
            except StorageUnavailable as error:
                structlog.get_logger().warning("log not emptied after a secret", cause=str(error))
                self._due = True
                await asyncio.sleep(_PAUSE_S)
