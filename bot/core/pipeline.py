"""One turn through the ordered systems.

The pipeline is a tuple of systems and nothing else: a configuration change makes a new tuple, so that a running turn
keeps the settings it began with.
Each system says itself what happens to the turn when it fails.

Steps of a longer piece of work, each of which says where it is declared what its failure means.

Systems have a policy for the turn (:class:`~bot.ports.system.OnError`); a stage has one for what it works on.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Generic, TypeVar

import stamina
import structlog

from bot.errors import MnemeError, StorageUnavailable, Temporary
from bot.memory.learning.correction import begins_with_value, find_secrets_put_right, looks_like_correction
from bot.memory.learning.speech_acts import is_trivial
from bot.memory.patterns import MOST_ANALYSED, describe_unanalysed
from bot.memory.scope import Scope
from bot.memory.secrets.redaction import redact
from bot.memory.speakers import list_shared
from bot.messages import Accepted, Address, Author, InboundMessage, MessageKind
from bot.ports.events import Publish, TurnEnded
from bot.ports.messenger import Deliveries
from bot.ports.system import OnError, System
from bot.ports.turn_store import Journal, TurnStore
from bot.ports.when import Clock
from bot.retry import Backoff
from bot.turn import FOUND_IN_WORDS, Reply, ReplyKind, SaidIn, Session, StopSignal, Trace, Turn, charged_to

T = TypeVar("T")

_FIRST_PAUSE_S = 0.2


class Policy(StrEnum):
    """What the failure of a stage means: an error of :class:`~bot.errors.MnemeError`, or its deadline."""

    FAIL_FAST = "fail fast"
    """The error goes to whoever runs the stages; those behind it do not run."""
    RETRY = "retry"
    """A temporary error is tried again with growing pauses; the last one goes on as with ``FAIL_FAST``."""
    SKIP = "skip"
    """Go on with what there was before the stage."""
    GRACEFUL = "graceful"
    """The stage itself keeps what it has by its deadline; only when it has nothing this is ``SKIP``."""
    FALLBACK = "fallback"
    """Go on with what the stage's fallback makes of what there was before."""


@dataclass(frozen=True, slots=True)
class Stage(Generic[T]):
    """One step from a value to the next.

    ``deadline_s`` bounds one attempt, ``None`` not at all; ``attempts`` counts for ``RETRY`` alone.
    """

    name: str
    policy: Policy
    work: Callable[[T], Awaitable[T] | T]
    fallback: Callable[[T], T] | None = None
    deadline_s: float | None = None
    attempts: int = 3

    async def __call__(self, value: T) -> tuple[T, str]:
        """Return the new value, and why the stage did not do its work ("" when it did).

        Raises :class:`~bot.errors.MnemeError` (or ``TimeoutError``) where the policy says so; anything else is a
        mistake in the stage and always goes up.
        """
        try:
            return await self._tried(value), ""
        except (MnemeError, TimeoutError) as error:
            if self.policy in (Policy.FAIL_FAST, Policy.RETRY):
                raise
            reason = f"{self.name}: {error}" if str(error) else f"{self.name}: late after {self.deadline_s:g} s"
        if self.policy is Policy.FALLBACK and self.fallback is not None:
            return self.fallback(value), reason
        return value, reason

    async def _tried(self, value: T) -> T:
        if self.policy is not Policy.RETRY:
            return await self._once(value)
        # A context and not a decorated call: stamina logs the arguments of calls.
        async for attempt in stamina.retry_context(
            on=(Temporary, TimeoutError),
            attempts=self.attempts,
            timeout=None,
            wait_initial=_FIRST_PAUSE_S,
            wait_jitter=_FIRST_PAUSE_S,
        ):
            with attempt:
                return await self._once(value)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, value: T) -> T:
        async with asyncio.timeout(self.deadline_s):
            done = self.work(value)
            return await done if isinstance(done, Awaitable) else done


async def run_stages(stages: Sequence[Stage[T]], value: T, failed: Callable[[T, str], T]) -> T:
    """Run ``stages`` in order; ``failed`` is given the value and the reason where a stage did not do its work."""
    for stage in stages:
        value, reason = await stage(value)
        if reason:
            value = failed(value, reason)
    return value


def _keep_found(before: Turn, turn: Turn) -> Turn:
    """Return a turn with what was found of the same words before it was changed, so that it is not found again."""
    if before is not turn and before.accepted is turn.accepted and before.text is turn.text:
        vars(turn).update({name: found for name, found in vars(before).items() if name in FOUND_IN_WORDS})
    return turn


def tell_unsupported(turn: Turn) -> str:
    """Return what is said of a message that is nothing but an attachment which nobody has read."""
    notice = turn.texts.notice
    what = notice.attachments.get(turn.message.attachment or "", notice.attachment_other)
    return notice.unsupported.format(what=what)


async def admit_everybody(_at: Address, _user_id: int) -> bool:
    """Let everybody be written to."""
    return True


Answer = Callable[[Turn], Awaitable[Reply | None]]

LAST_TO_ANSWER: Final = 30
"""The order up to which systems look for an answer: they are not asked once there is one."""
LAST_TO_KEEP: Final = 57
"""The order up to which systems look at what is kept of a turn: they are not asked about one that leaves nothing."""
_LOOKED_BACK: Final = 12
"""Exchanges among which stands what an edited message puts right."""
_MOST_ATTEMPTS: Final = 5
_BACKOFF: Final = Backoff(0.2, 5.0)
"""Pauses between the attempts at a message."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Answer journaled messages: find their scope and session, run the systems in order, settle the journal.

    ``shortcut`` answers what needs no systems (commands); its reply goes through those that look at replies alone.
    ``read`` looks at what was typed before anything else does.
    ``localise`` returns a message with the language of its chat, and its time as clocks show it there.
    ``admits`` says whether an author may still talk to the bot: what waited for an answer when they were taken off the
    list gets none, and nothing of it is kept.
    A message is begun at most five times, crashes included; then it is set aside and the chat is told.
    """

    systems: tuple[System, ...]
    shortcut: Answer
    scope_of: Callable[[InboundMessage], Scope]
    journal: Journal
    turns: TurnStore
    deliveries: Deliveries
    clock: Clock
    read: Callable[[Turn], Awaitable[None]]
    without_model: bool = False
    localise: Callable[[InboundMessage], InboundMessage] = lambda message: message
    admits: Callable[[Address, int], Awaitable[bool]] = admit_everybody
    publish: Publish = lambda _: None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def __post_init__(self) -> None:
        orders = [system.order for system in self.systems]
        if orders != sorted(set(orders)):
            raise ValueError(f"systems must be in ascending order without repetition, got {orders}")

    async def __call__(self, accepted: tuple[Accepted, ...], stop: StopSignal) -> None:
        """Handle one message, or the parts of one album or split paste."""
        message = accepted[0].message
        with in_chat(message.address):
            if why := await self._refuse(message):
                structlog.get_logger().info("message dropped", entry=accepted[0].id, why=why)
                await self.journal.drop(tuple(id_ for entry in accepted for id_ in (entry.id, *entry.supersedes)))
                return
            await self._handle(tuple(replace(part, message=self.localise(part.message)) for part in accepted), stop)

    async def _refuse(self, message: InboundMessage) -> str:
        """Return why nothing is kept of a message, "" for one that is to be handled."""
        try:
            if not await self.admits(message.address, message.author.id):
                return "its author is not let in"
            if message.kind is MessageKind.EDITED:  # deliveries may overtake each other
                found = await self.turns.find_replied(self.scope_of(message), message.address, message.message_id)
                known = None if found is None or found.answer else found.exchange
                if known and known.message_id == message.message_id and known.said_at > message.sent_at:
                    return "a later edit of it is known"
        except StorageUnavailable:
            return ""  # as when it came in
        return ""

    async def _handle(self, accepted: tuple[Accepted, ...], stop: StopSignal) -> None:
        failures = 0
        while True:
            turn, counted = await asyncio.gather(self._open(accepted, stop), self._begin(accepted))
            attempt = max(counted, failures + 1)  # a journal that cannot count must not mean trying for ever
            if attempt > _MOST_ATTEMPTS:
                await self._give_up(turn)
                return
            try:
                with charged_to(turn.scope):
                    await self.read(turn)
                    turn = replace(turn, reply=await self._answer_without_systems(turn))
                    await self.run(await self._place_edited_answer(turn))
            except StorageUnavailable:
                raise
            except Exception:  # noqa: BLE001 - the edge of the pipeline: a message that breaks it is tried again, a few times
                structlog.get_logger().exception("turn failed", entry=accepted[0].id, attempt=attempt)
            else:
                return
            failures += 1
            accepted = tuple(replace(entry, begun=False) for entry in accepted)
            await self.sleep(_BACKOFF.pause_s(failures - 1))

    async def run(self, turn: Turn) -> Turn:
        """Run the systems over one turn and return it; one log line says how long each took, without texts."""
        log = structlog.get_logger()
        durations: dict[str, float] = {}  # seen through the trace, so that no system's time costs a new turn
        turn = replace(turn, trace=replace(turn.trace, durations_ms=MappingProxyType(durations)))
        passed = _find_last_passed(turn)
        for system in self.systems:
            if system.order <= passed:
                continue
            started = time.perf_counter()
            name = type(system).__name__
            try:
                turn = _keep_found(turn, await system(turn))
            except Exception as error:
                # Each system's own policy decides; the cause is logged here, once.
                log.warning("system failed", system=name, order=system.order, cause=type(error).__name__, exc_info=True)
                if system.on_error is OnError.FAIL:
                    raise
                turn = replace(turn, trace=turn.trace.noting(f"{name} failed: {type(error).__name__}"))
                if system.on_error is OnError.APOLOGISE:
                    turn = replace(turn, reply=Reply(turn.texts.notice.failed, ReplyKind.NOTICE))
            durations[name] = round((time.perf_counter() - started) * 1000, 2)
            passed = passed or _find_last_passed(turn)
        log.info("turn", entry=turn.accepted[0].id, scope=turn.scope.tag, ms=durations, **turn.trace.figures)
        self.publish(TurnEnded(turn, self.clock.now()))
        return turn

    async def _open(self, accepted: tuple[Accepted, ...], stop: StopSignal) -> Turn:
        message = accepted[0].message
        scope = self.scope_of(message)
        try:
            session, draft_id = await asyncio.gather(
                self.turns.session(message.address, scope), self._find_draft(accepted[0])
            )
        except StorageUnavailable:
            # Our own disk is in trouble: still answer, without history.
            session, draft_id = Session(0, self.clock.now()), None
        if not message.find_reader(scope).alone:
            shared = await self._list_namesakes(scope, message.author)
            accepted = tuple(replace(part, message=replace(part.message, namesakes=shared)) for part in accepted)
        said = await self._list_messages(scope, message)
        accepted = _complete_edit(accepted, said)
        text = "\n".join(part.message.text for part in accepted if part.message.text)
        skipped = describe_unanalysed(text) if len(text) > MOST_ANALYSED else ""
        turn = Turn(
            accepted=accepted,
            scope=scope,
            session=session,
            started_at=self.clock.now(),
            text=text,
            trace=Trace().noting(skipped) if skipped else Trace(),
            stop=stop,
            without_model=self.without_model,
            draft_id=draft_id,
            edited=message.message_id if message.kind is MessageKind.EDITED else 0,
            said=said,
        )
        return await self._mask_edited(turn) if turn.edited else turn

    async def _mask_edited(self, turn: Turn) -> Turn:
        """Return an edited message without what puts a secret right that stands before it."""
        if not (looks_like_correction(turn.typed) or begins_with_value(turn.typed)):
            return turn
        try:
            history = await self.turns.history(turn.scope, turn.session.id, _LOOKED_BACK)
        except StorageUnavailable:
            return turn
        before = tuple(each for each in history if each.message_id < turn.edited)
        return replace(mask_put_right(replace(turn, history=before)), history=())

    async def _list_messages(self, scope: Scope, message: InboundMessage) -> tuple[SaidIn, ...]:
        """Return what an edited message has said until now, and the others of its exchange."""
        if message.kind is not MessageKind.EDITED:
            return ()
        try:
            return await self.turns.list_messages(scope, message.address, message.message_id)
        except StorageUnavailable:
            return ()

    async def _list_namesakes(self, scope: Scope, author: Author) -> tuple[str, ...]:
        """Return the names that several people bear in a memory of several."""
        try:
            known = await self.turns.list_authors(scope)
        except StorageUnavailable:
            known = ()
        return tuple(sorted(list_shared((*known, (author.id, author.name)))))

    async def _find_draft(self, entry: Accepted) -> int | None:
        """Return the message that an earlier attempt was streaming into; a first attempt has none."""
        return None if entry.begun else await self.deliveries.find_draft(entry.id)

    async def _begin(self, accepted: tuple[Accepted, ...]) -> int:
        try:
            counted = [entry for entry in accepted if entry.id > 0 and not entry.begun]
            return max([await self.journal.begin(entry.id) for entry in counted], default=1)
        except StorageUnavailable:
            return 1

    async def _place_edited_answer(self, turn: Turn) -> Turn:
        """Let the answer to an edited question take the place of the old one, or refer to the question if it cannot."""
        message = turn.message
        if message.kind is not MessageKind.EDITED or turn.reply is not None or turn.draft_id is not None:
            return turn
        try:
            answered = await self.deliveries.find_answer(message.address, message.message_id)
        except StorageUnavailable:
            answered = None
        if answered is not None:
            return replace(turn, draft_id=answered)
        message = replace(message, address=replace(message.address, reply_to=message.message_id or None))
        return replace(turn, accepted=(replace(turn.accepted[0], message=message), *turn.accepted[1:]))

    async def _answer_without_systems(self, turn: Turn) -> Reply | None:
        if (
            turn.message.kind is MessageKind.UNSUPPORTED
            and not turn.text.strip()
            and not turn.files
            and not turn.told_attachments
        ):
            return Reply(tell_unsupported(turn), ReplyKind.NOTICE)
        return await self.shortcut(turn)

    async def _give_up(self, turn: Turn) -> None:
        reply = Reply(turn.texts.notice.poisoned, ReplyKind.NOTICE)
        try:
            for entry_id in (id_ for entry in turn.accepted for id_ in (entry.id, *entry.supersedes)):
                await self.journal.abandon(entry_id, f"failed {_MOST_ATTEMPTS} times")
        except StorageUnavailable as error:  # the chat is told all the same; the next start tries the message again
            structlog.get_logger().error("message not set aside", cause=str(error), entry=turn.accepted[0].id)
        await self.systems[-1](replace(turn, reply=reply))


def _find_last_passed(turn: Turn) -> int:
    """Return the order up to which no system has anything to do about a turn, 0 where all may."""
    if turn.reply is None:
        return 0
    return LAST_TO_ANSWER if turn.is_kept else LAST_TO_KEEP


def _complete_edit(accepted: tuple[Accepted, ...], said: tuple[SaidIn, ...]) -> tuple[Accepted, ...]:
    """Return an edited part of an album or a split paste between the others, with what they say."""
    edited = accepted[0]
    if edited.message.kind is not MessageKind.EDITED or len(said) < 2:  # noqa: PLR2004 - one is the message itself
        return accepted
    bare = replace(edited.message, attachment=None, file=None, file_name="", quote=None, forwarded_from=None)
    others = (replace(bare, message_id=each.message_id, text=each.text) for each in said)
    return tuple(
        edited if other.message_id == edited.message.message_id else replace(edited, message=other) for other in others
    )


HERE: Final[ContextVar[Address | None]] = ContextVar("chat that runs now", default=None)
"""Where we are, ``None`` outside of any conversation."""


@contextmanager
def in_chat(address: Address) -> Iterator[None]:
    """Let the rules of a chat hold in this block, and in tasks begun in it."""
    before = HERE.set(address)
    try:
        yield
    finally:
        HERE.reset(before)


def mask_put_right(turn: Turn) -> Turn:
    """Return the turn without what puts a secret right that its author told last: nobody is told the right one."""
    own = (each.user_text for each in reversed(turn.history) if each.author.id == turn.message.author.id)
    before = next((each for each in own if each and not is_trivial(each)), "")
    known = find_secrets_put_right(turn.typed, before)
    if not known:
        return turn

    def mask(text: str) -> str:
        return redact(text, known=known).text

    accepted = tuple(replace(one, message=replace(one.message, text=mask(one.message.text))) for one in turn.accepted)
    said = tuple(replace(one, text=mask(one.text), heard=mask(one.heard)) for one in turn.said)
    return replace(turn, accepted=accepted, text=mask(turn.text), said=said)
