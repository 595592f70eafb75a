"""The systems run in order, each fails by its own policy, and a poison message is set aside."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import ClassVar

import pytest

from bot.core.pipeline import Pipeline
from bot.errors import StorageUnavailable
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage, MessageKind
from bot.ports.messenger import Delivery, DeliveryOutcome
from bot.ports.system import OnError
from bot.ports.turn_store import AnsweredTurn, CommitResult, RepliedTo, TurnRecord
from bot.turn import FOUND_IN_WORDS, Exchange, Reply, ReplyKind, SaidIn, Session, StopSignal, Turn
from harness.samples import HeldClock
from language.registry import get_user_texts

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
ADDRESS = Address("telegram", 1, 42)
NOTICE = get_user_texts("en").notice


@dataclass
class Store:
    """Journal, turns and deliveries in memory, as far as the pipeline needs them."""

    attempts: int = 0
    abandoned: list[int] = field(default_factory=list)
    broken: bool = False

    async def accept(self, message: InboundMessage) -> Accepted | None:
        return Accepted(1, message)

    async def pending(self) -> tuple[Accepted, ...]:
        return ()

    async def pending_at(self, address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        return ()

    async def begin(self, entry_id: int) -> int:
        if self.broken:
            raise StorageUnavailable("disk full")
        self.attempts += 1
        return self.attempts

    async def drop(self, entry_ids: tuple[int, ...]) -> None:
        self.abandoned += entry_ids

    async def abandon(self, entry_id: int, reason: str) -> None:
        self.abandoned.append(entry_id)

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        if self.broken:
            raise StorageUnavailable("disk full")
        return Session(1, WHEN)

    async def history(self, scope: Scope, session_id: int, limit: int, *, step: int = 1) -> tuple[Exchange, ...]:
        return ()

    async def commit(self, record: TurnRecord) -> CommitResult:
        return CommitResult(None, ())

    async def last(self, address: Address) -> AnsweredTurn | None:
        return None

    async def find_replied(self, scope: Scope, address: Address, message_id: int) -> RepliedTo | None:
        return None

    async def list_messages(self, scope: Scope, address: Address, message_id: int) -> tuple[SaidIn, ...]:
        return ()

    async def list_authors(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        return ()

    async def begin_attempt(self, delivery_id: int) -> bool:
        return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None: ...

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None: ...

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        return ()

    async def draft(self, entry_id: int, message_id: int | None) -> None: ...

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        return None

    async def find_draft(self, entry_id: int) -> int | None:
        return None


@dataclass
class Answering:
    order: ClassVar[int] = 30
    on_error: ClassVar[OnError] = OnError.APOLOGISE
    broken: bool = False

    async def __call__(self, turn: Turn) -> Turn:
        if self.broken:
            raise RuntimeError("no")
        return replace(turn, reply=Reply(f"echo {turn.text}"))


@dataclass
class Sending:
    order: ClassVar[int] = 60
    on_error: ClassVar[OnError] = OnError.FAIL
    sent: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    failures: int = 0

    async def __call__(self, turn: Turn) -> Turn:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("no")
        assert turn.reply is not None
        self.sent.append(turn.reply.text)
        self.turns.append(turn)
        return turn


@dataclass
class Optional:
    order: ClassVar[int] = 20
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        raise RuntimeError("memory is broken")


async def no_shortcut(turn: Turn) -> Reply | None:
    return Reply("the command's answer", ReplyKind.COMMAND) if turn.text.startswith("/") else None


def built(store: Store, *systems: object, pauses: list[float] | None = None) -> Pipeline:
    made = [] if pauses is None else pauses

    async def pause(seconds: float) -> None:
        made.append(seconds)

    async def unread(turn: Turn) -> None:
        """Look at nothing."""

    return Pipeline(
        read=unread,
        systems=systems,  # type: ignore[arg-type]  # structural systems of this test
        shortcut=no_shortcut,
        scope_of=lambda message: Scope("tu42"),
        journal=store,
        turns=store,
        deliveries=store,
        clock=HeldClock(WHEN),
        sleep=pause,
    )


def said(text: str, *, kind: MessageKind = MessageKind.TEXT, number: int = 1) -> Accepted:
    return Accepted(number, InboundMessage(ADDRESS, number, number, Author(42, "Anna"), text, WHEN, kind=kind))


async def test_a_system_that_may_be_skipped_costs_its_contribution_only() -> None:
    """When memory breaks, the answer goes out."""
    sending = Sending()
    await built(Store(), Optional(), Answering(), sending)((said("hi"),), StopSignal())

    assert sending.sent == ["echo hi"]


async def test_a_broken_answer_becomes_an_apology() -> None:
    """When the tool loop breaks, the chat is told so instead of being left without an answer."""
    sending = Sending()
    await built(Store(), Answering(broken=True), sending)((said("hi"),), StopSignal())

    assert sending.sent == [NOTICE.failed]


async def test_a_turn_that_cannot_be_finished_is_tried_again() -> None:
    """A failure of routing runs the message again, and the answer goes out once."""
    store, sending = Store(), Sending(failures=2)
    await built(store, Answering(), sending)((said("hi"),), StopSignal())

    assert (sending.sent, store.attempts, store.abandoned) == (["echo hi"], 3, [])


async def test_the_attempt_that_came_with_acceptance_is_counted_once() -> None:
    """A message fresh from the journal begins without another write; its next attempts are counted."""
    store, sending = Store(), Sending(failures=2)
    await built(store, Answering(), sending)((replace(said("hi"), begun=True),), StopSignal())

    assert (sending.sent, store.attempts) == (["echo hi"], 2)


async def test_a_poison_message_is_set_aside_after_five_attempts() -> None:
    """What breaks every time is tried five times, kept for the operator, and the chat is told."""
    store, sending = Store(), Sending(failures=5)
    await built(store, Answering(), sending)((said("hi"),), StopSignal())

    assert (sending.sent, store.abandoned) == ([NOTICE.poisoned], [1])


async def test_attempts_that_cannot_be_counted_are_limited_all_the_same() -> None:
    """With a journal that takes no writes a poison message is tried five times, with growing pauses, and given up."""
    store, sending, pauses = Store(broken=True), Sending(failures=1000), list[float]()
    with pytest.raises(RuntimeError):  # the last word cannot be routed either: the dispatcher logs that
        await built(store, Answering(), sending, pauses=pauses)((said("hi"),), StopSignal())

    assert 1000 - sending.failures == 6  # five attempts and the last word
    assert pauses == sorted(pauses)
    assert len(pauses) == 5
    assert pauses[0] > 0


async def test_a_message_that_cannot_be_set_aside_still_gets_its_last_word() -> None:
    """The chat is told although the journal cannot note that the message was given up."""

    class Unwritable(Store):
        async def abandon(self, entry_id: int, reason: str) -> None:
            raise StorageUnavailable("disk full")

    sending = Sending(failures=5)
    await built(Unwritable(), Answering(), sending)((said("hi"),), StopSignal())

    assert sending.sent == [NOTICE.poisoned]


async def test_commands_skip_the_systems_but_routing() -> None:
    """A command's answer is sent as it is, and what looks for an answer is not asked: a failure would be noted."""
    sending = Sending()
    await built(Store(), Optional(), Answering(), sending)((said("/help"),), StopSignal())

    assert sending.sent == ["the command's answer"]
    assert sending.turns[0].trace.notes == ()


async def test_a_photo_without_words_is_declined_politely() -> None:
    """What cannot be read yet gets an answer, not silence."""
    sending = Sending()
    await built(Store(), Answering(), sending)((said("", kind=MessageKind.UNSUPPORTED),), StopSignal())

    assert sending.sent == [NOTICE.unsupported.format(what=NOTICE.attachment_other)]


async def test_the_parts_of_a_paste_are_one_text() -> None:
    """A split paste reaches the systems as one text."""
    sending = Sending()
    await built(Store(), Answering(), sending)((said("one"), said("two", number=2)), StopSignal())

    assert sending.sent == ["echo one\ntwo"]


async def test_a_disk_that_does_not_write_still_lets_us_answer() -> None:
    """When attempts and session cannot be stored the message is answered without history."""
    sending = Sending()
    await built(Store(broken=True), Answering(), sending)((said("hi"),), StopSignal())

    assert sending.sent == ["echo hi"]


def test_systems_must_be_in_order() -> None:
    """Two systems in the wrong order are refused when the pipeline is built."""
    with pytest.raises(ValueError, match="ascending"):
        built(Store(), Sending(), Answering())


async def test_a_message_too_long_to_be_analysed_is_kept_whole_and_its_trace_says_so() -> None:
    """The text of the turn is all that was written; a note says how much of it rules looked at."""
    text = "lorem ipsum " * 2_000
    sending = Sending()
    await built(Store(), Answering(), sending)((said(text),), StopSignal())

    (turn,) = sending.turns
    assert turn.text == text
    assert turn.trace.notes == ("the first 20000 of 24000 characters were analysed; all of them are kept",)


def test_what_is_carried_on_to_a_changed_turn_is_what_a_turn_works_out_once() -> None:
    """Each name of what follows from a turn's words names a property of it that is kept; a stray name fails."""
    assert all(isinstance(vars(Turn)[name], cached_property) for name in FOUND_IN_WORDS)
