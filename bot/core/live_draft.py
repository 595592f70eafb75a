"""Shows the answer while it grows, at the platform's pace and not the model's, with a button that ends it.

A slow chat must not slow the model down, so that frames are drawn by a task of their own and dropped when they come
too fast.  The draft's message id is stored as soon as it exists: after a crash the answer is edited into it.

Nothing is shown before there is something to read, and that the model has been writing for a moment: the first frame
of an answer that is whole by then would only hold up the answer itself.
Before a first frame may make a message the journal is told that there may be one, and a frame under way is waited for:
whose first words nobody knows to be there or not is in doubt as a whole, and is offered instead of posted beside them.

Of buttons nothing is stored: what a process that died has left under a message means nothing to the next one.
"""

import asyncio
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

import structlog

from bot.errors import ButtonRefused, StorageUnavailable
from bot.messages import LOST_DRAFT, InboundMessage
from bot.ports.messenger import Deliveries, Draft, Messenger, RateLimitedMessenger, StoppableDraft
from bot.ports.tickets import PressRefusal
from bot.turn import Turn

_FIRST_S: Final = 1.0
"""An answer that is whole so soon after its first words needs no frames."""
_LATEST_S: Final = 1.5
"""Then whatever words there are are shown."""
_ENOUGH: Final = 30
"""Characters that are worth a notification."""
_SENTENCE: Final = re.compile(r"\w[.!?…。！？](?:\s|$)")
_WORD: Final = re.compile(r"\w")
_AGAIN_S: Final = 1.0
"""A frame that was dropped is drawn after this time even if the model writes nothing new."""
_CUT_OFF_S: Final = 2.0
_GRACE_S: Final = 35.0
"""How long a frame under way may take to end; its connection is given up before."""


class LiveDraft:
    """A draft of the turn's answer; ``text`` gives the answer so far, ``stop`` is the button that ends it.

    Used as a context: entering shows that we are writing, leaving lets the frame in flight finish.
    """

    def __init__(
        self,
        turn: Turn,
        messenger: Messenger | None,
        deliveries: Deliveries,
        text: Callable[[], str],
        stop: tuple[str, str] | None = None,
    ) -> None:
        self._stop = stop
        self._turn, self._messenger, self._deliveries, self._text = turn, messenger, deliveries, text
        self._changed = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._find_draft: Draft | None = None
        self._stored = turn.draft_id

    @property
    def message_id(self) -> int | None:
        """The message the answer stands in so far; see :class:`~bot.ports.messenger.Draft`."""
        return self._turn.draft_id if self._find_draft is None else self._find_draft.message_id

    def changed(self) -> None:
        """Say that the text has grown."""
        self._changed.set()

    async def __aenter__(self) -> Self:
        if self._messenger is not None and self._turn.draft_id != LOST_DRAFT:
            self._task = asyncio.create_task(self._draw(self._messenger))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is None:
            return
        self._closing = True
        self._changed.set()
        try:
            # Cut off, we may be ending: a frame that is lost then is found as one that nobody knows to be there.
            await asyncio.wait({self._task}, timeout=_CUT_OFF_S if kind is asyncio.CancelledError else _GRACE_S)
        finally:
            self._task.cancel()
            (outcome,) = await asyncio.gather(self._task, return_exceptions=True)
        if isinstance(outcome, Exception):
            structlog.get_logger().warning("draft failed", cause=type(outcome).__name__)

    async def _draw(self, messenger: Messenger) -> None:
        draft = self._find_draft = await messenger.draft(self._turn.address, self._turn.draft_id, begins=self._begins)
        if self._stop is not None and isinstance(draft, StoppableDraft):
            draft.offer_stop(self._stop)
        held = isinstance(messenger, RateLimitedMessenger) and draft.message_id is None
        since: float | None = None
        wait_s: float | None = None
        while True:
            await self._change(wait_s)
            if self._closing:
                return
            if not (text := self._text().strip()):
                continue
            now = asyncio.get_running_loop().time()
            since = now if since is None else since
            if held and (wait_s := _held_s(text, now - since)):
                continue
            held = not await draft.update(text) and held
            wait_s = _AGAIN_S
            await self._keep(draft.message_id)

    async def _change(self, wait_s: float | None) -> None:
        """Wait until the text has grown, or so long."""
        try:
            async with asyncio.timeout(wait_s):
                await self._changed.wait()
        except TimeoutError:
            return
        self._changed.clear()

    async def _begins(self) -> None:
        await self._keep(LOST_DRAFT)

    async def _keep(self, message_id: int | None) -> None:
        if message_id == self._stored:
            return
        self._stored = message_id
        entry_id = self._turn.accepted[0].id
        try:
            if entry_id > 0:  # others were never journaled and are not run again
                await self._deliveries.draft(entry_id, message_id)
        except StorageUnavailable as error:
            structlog.get_logger().warning("draft not stored", cause=str(error), entry=entry_id)


def _held_s(text: str, age_s: float) -> float:
    """Return the seconds that a first frame has to wait yet, its first words being ``age_s`` seconds old."""
    if age_s < _FIRST_S:
        return _FIRST_S - age_s
    if _WORD.search(text) is None:
        return _LATEST_S
    enough = len(text) >= _ENOUGH or _SENTENCE.search(text) is not None
    return 0.0 if enough else max(0.0, _LATEST_S - age_s)


_PREFIX: Final = "stop:"
_TOKEN_BYTES: Final = 18


class StopButtons:
    """The buttons of the answers under way, each bound to its turn, its chat and its asker."""

    def __init__(self) -> None:
        self._turns: dict[str, Turn] = {}

    @contextmanager
    def offer(self, turn: Turn, label: str) -> Iterator[tuple[str, str]]:
        """Yield label and data of a button that ends this turn; it does so until the context is left."""
        data = f"{_PREFIX}{secrets.token_urlsafe(_TOKEN_BYTES)}"
        self._turns[data] = turn
        try:
            yield label, data
        finally:
            del self._turns[data]

    @staticmethod
    def is_one(message: InboundMessage) -> bool:
        """Return whether a pressed button is of this kind."""
        return message.text.startswith(_PREFIX)

    def is_elsewhere(self, message: InboundMessage) -> bool:
        """Return whether it may end an answer that another process writes: it ends none of ours."""
        return self.is_one(message) and message.text not in self._turns

    def press(self, message: InboundMessage) -> bool:
        """End the answer whose button was pressed and return ``True``; ``False`` if it is a button of another kind.

        Raises :class:`~bot.errors.ButtonRefused` for somebody else's, and for one whose answer is not being written.
        """
        if not self.is_one(message):
            return False
        turn = self._turns.get(message.text)
        here = message.address
        if turn is None or (turn.address.bot_id, turn.address.chat_id) != (here.bot_id, here.chat_id):
            raise ButtonRefused(PressRefusal.EXPIRED.value, spent=turn is None)
        if turn.message.author.id != message.author.id:
            raise ButtonRefused(PressRefusal.NOT_YOURS.value, spent=False)
        turn.stop.set()
        return True
