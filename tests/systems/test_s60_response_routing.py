"""System 60: stored first, then sent, at most once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.core import delivery as delivery_protocol
from bot.core.delivery import Ending, ReplyLayout, deliver
from bot.errors import DeliveryUnknown, DraftGone, MnemeError, NotDelivered, StorageUnavailable
from bot.memory.scope import Scope
from bot.messages import LOST_DRAFT, Address
from bot.ports.messenger import Delivery, DeliveryOutcome, Mark
from bot.ports.turn_store import AnsweredTurn, CommitResult, RepliedTo, TurnRecord
from bot.turn import Exchange, Reply, SaidIn, Session, Turn
from systems.s60_response_routing import ResponseRouting
from tests.cases import each_row
from tests.systems.memory_fakes import SCOPE, said


@dataclass
class Log:
    """Turns and deliveries in memory; writes down everything that happens, in order."""

    full: bool = False
    happened: list[str] = field(default_factory=list)
    states: dict[int, str] = field(default_factory=dict)
    records: list[TurnRecord] = field(default_factory=list)
    undrafted: list[int] = field(default_factory=list)
    left: list[tuple[int, Ending]] = field(default_factory=list)

    async def commit(self, record: TurnRecord) -> CommitResult:
        if self.full:
            raise StorageUnavailable("database or disk is full")
        self.happened.append("commit")
        self.records.append(record)
        ids = tuple(range(1, len(record.parts) + 1))
        self.states |= dict.fromkeys(ids, "planned")
        if record.begins:
            self.states[ids[0]] = "sending"
        return CommitResult(1, ids, begun=record.begins)

    async def begin_attempt(self, delivery_id: int) -> bool:
        self.happened.append(f"mark {delivery_id}")
        if self.states[delivery_id] != "planned":
            return False
        self.states[delivery_id] = "sending"
        return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        self.states[delivery_id] = outcome.fate

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        self.states[delivery_id] = "planned"
        self.undrafted += [delivery_id] * draft_gone

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        return ()

    async def draft(self, entry_id: int, message_id: int | None) -> None: ...

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        return None

    async def find_draft(self, entry_id: int) -> int | None:
        return None

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        raise AssertionError("the pipeline opens sessions")

    async def history(self, scope: object, session_id: int, limit: int, *, step: int = 1) -> tuple[Exchange, ...]:
        return ()

    async def last(self, address: Address) -> AnsweredTurn | None:
        return None

    async def find_replied(self, scope: Scope, address: Address, message_id: int) -> RepliedTo | None:
        return None

    async def list_messages(self, scope: Scope, address: Address, message_id: int) -> tuple[SaidIn, ...]:
        return ()

    async def list_authors(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        return ()


@dataclass
class Chat:
    """A messenger that splits at "|" and fails as the test says, one entry per attempt."""

    log: Log
    failures: Iterator[MnemeError | None] = field(default_factory=lambda: iter(()))
    shown: list[str] = field(default_factory=list)
    drafts: list[int | None] = field(default_factory=list)
    buttons: list[tuple[tuple[str, str], ...]] = field(default_factory=list)

    def parts(self, text: str) -> tuple[str, ...]:
        return tuple(text.split("|"))

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        self.log.happened.append(f"send {part}")
        if error := next(self.failures, None):
            raise error
        self.shown.append(part)
        self.drafts.append(draft_id)
        self.buttons.append(buttons)
        return len(self.shown)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> object:
        raise AssertionError("routing never drafts")


def routing(log: Log, chat: Chat, *, notice: str = "") -> ResponseRouting:
    """System 60 over them; ``notice`` is what an outage is told by."""
    return ResponseRouting(
        turns=log,
        deliveries=log,
        messengers={"telegram": chat},  # type: ignore[dict-item]  # its draft is never asked for
        committed=lambda turn: log.happened.append("woken"),
        unsaved=lambda record, turn: notice,
        unsettled=lambda delivery, ending: log.left.append((delivery.id, ending)),
        layout=ReplyLayout(Path("unused"), 0),
    )


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pauses between attempts pass at once."""
    monkeypatch.setattr(delivery_protocol, "_PAUSES_S", (0.0,))


def answered(text: str, **more: object) -> Turn:
    """A turn with this answer."""
    return said("hi", reply=Reply(text, **more))  # type: ignore[arg-type]  # the reply's own fields


async def test_the_turn_is_stored_before_anything_is_sent() -> None:
    """A crash between the two leaves an answer that is sent later, never one that is forgotten."""
    log = Log()
    chat = Chat(log)
    await routing(log, chat)(answered("one|two"))

    assert log.happened == ["commit", "woken", "mark 1", "send one", "mark 2", "send two"]
    assert log.states == {1: "sent", 2: "sent"}
    assert log.records[0].closes == (35,)
    assert log.records[0].scope == SCOPE


@dataclass
class Limited(Chat):
    """A chat behind rate limits, with a place ``free`` at once or not."""

    free: bool = True
    frame: str = ""

    async def reserve(self, to: Address) -> None:
        self.log.happened.append("reserve")

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: tuple[tuple[str, str], ...] = ()) -> bool:
        return part == self.frame

    def reserve_now(self, to: Address) -> bool:
        return self.free

    async def send_marked(
        self,
        to: Address,
        part: str,
        mark: Callable[[], Awaitable[None]],
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        self.log.happened.append("connect")
        await mark()
        return await self.send(to, part, draft_id=draft_id, buttons=buttons)


async def test_a_reply_that_may_go_at_once_begins_with_its_turn() -> None:
    """The disk is waited for once; the parts after the first are marked on their own."""
    log = Log()
    await routing(log, Limited(log))(answered("one|two"))

    assert log.happened == ["commit", "woken", "send one", "reserve", "connect", "mark 2", "send two"]
    assert log.states == {1: "sent", 2: "sent"}


async def test_a_reply_that_has_to_wait_is_marked_after_the_wait() -> None:
    """A kill while it waits leaves a planned reply, which the next start sends.

    Mutation check: with ``begins`` always true the mark comes with the commit and the test is red.
    """
    log = Log()
    await routing(log, Limited(log, free=False))(answered("one"))

    assert log.happened == ["commit", "woken", "reserve", "connect", "mark 1", "send one"]


async def test_parts_keep_their_order_through_failures() -> None:
    """A part that surely did not arrive is tried again before the next one goes."""
    log = Log()
    chat = Chat(log, iter([NotDelivered("connect", retry_after_s=0.0), NotDelivered("429", retry_after_s=0.0), None]))
    await routing(log, chat)(answered("one|two"))

    assert chat.shown == ["one", "two"]
    sends = [what for what in log.happened if what.startswith("send")]
    assert sends == ["send one", "send one", "send one", "send two"]


async def test_a_message_of_unknown_fate_is_never_sent_again() -> None:
    """It may have arrived; the rest of the answer still goes.

    With ``DeliveryUnknown`` handled like ``NotDelivered`` this test fails.
    """
    log = Log()
    chat = Chat(log, iter([DeliveryUnknown("the answer got lost")]))
    await routing(log, chat)(answered("one|two"))

    assert log.happened.count("send one") == 1
    assert log.states == {1: "unknown", 2: "sent"}
    assert log.left == [(1, Ending.DOUBTFUL)]


async def test_a_chat_that_is_gone_is_given_up() -> None:
    """Without a time to wait for, trying again is pointless; it is a refusal, told apart from what nobody knows."""
    log = Log()
    chat = Chat(log, iter([NotDelivered("bot was blocked")]))
    await routing(log, chat)(answered("one"))

    assert log.happened.count("send one") == 1
    assert log.states == {1: "refused"}
    assert log.left == []


async def test_an_attempt_made_before_is_not_repeated() -> None:
    """A delivery that somebody has begun already is left alone."""
    log = Log()
    chat = Chat(log)
    await routing(log, chat)(answered("one"))
    await deliver(log, chat, Delivery(1, said("hi").address, "one"))  # type: ignore[arg-type]  # as above

    assert chat.shown == ["one"]


async def test_a_disk_that_does_not_write_costs_the_memory_and_not_the_answer() -> None:
    """The answer goes out, and says that memory is paused when it has not been said yet."""
    log = Log(full=True)
    chat = Chat(log)
    await routing(log, chat, notice="Memory is paused.")(answered("yes"))
    await routing(log, chat)(answered("and yes"))

    assert chat.shown == ["yes\n\nMemory is paused.", "and yes"]
    assert log.records == []


@each_row(("failure", "tried"), [(NotDelivered("connect", retry_after_s=0.0), 2), (DeliveryUnknown("lost"), 1)])
async def test_an_unstored_answer_is_tried_again_only_if_it_surely_did_not_arrive(
    failure: MnemeError, tried: int
) -> None:
    """A full disk changes nothing about what may be repeated."""
    log = Log(full=True)
    chat = Chat(log, iter([failure]))
    await routing(log, chat)(answered("yes"))

    assert log.happened == ["send yes"] * tried


async def test_an_answer_whose_draft_was_deleted_is_sent_anew_as_a_first_send() -> None:
    """Who deletes the growing answer still gets the whole one; the log forgets the draft before the new attempt.

    Kept in the log, the draft would let a restart take an interrupted first send for an edit and repeat it.
    """
    log = Log()
    chat = Chat(log, iter([DraftGone("deleted")]))
    await routing(log, chat)(replace(answered("one"), draft_id=99))

    assert chat.drafts == [None]
    assert log.undrafted == [1]
    assert log.states == {1: "sent"}


async def test_the_draft_becomes_the_first_part_and_the_last_one_has_the_buttons() -> None:
    """What grew in the chat is edited, not repeated."""
    log = Log()
    chat = Chat(log)
    await routing(log, chat)(replace(answered("one|two", buttons=(("Forget", "forget:1"),)), draft_id=99))

    assert chat.drafts == [99, None]
    assert chat.buttons == [(), (("Forget", "forget:1"),)]


async def test_an_edit_of_unknown_fate_is_repeated_and_then_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot double anything; what takes long is repeated beside the conversation, whose answers go on.

    Red when it was given up after a few tries: the message stayed cut for ever.
    """
    monkeypatch.setattr(delivery_protocol, "_PAUSES_S", (0.0, 0.0, 60.0))
    log = Log()
    chat = Chat(log, iter([DeliveryUnknown("HTTP 502"), DeliveryUnknown("HTTP 502"), DeliveryUnknown("HTTP 502")]))
    await routing(log, chat)(replace(answered("one|two"), draft_id=99))

    assert log.happened.count("send one") == 3
    assert chat.shown == ["two"]
    assert log.states == {1: "planned", 2: "sent"}
    assert log.left == [(1, Ending.LATER)]


async def test_an_answer_whose_beginning_may_stand_there_is_offered_and_not_sent() -> None:
    """Sent anew it would be there twice.

    Red while a lost first frame was followed by the whole answer.
    """
    log = Log()
    chat = Chat(log)
    await routing(log, chat)(replace(answered("one|two"), draft_id=LOST_DRAFT))

    assert log.happened == ["commit", "woken"]
    assert log.records[0].draft_id == LOST_DRAFT
    assert log.left == [(1, Ending.DOUBTFUL), (2, Ending.DOUBTFUL)]


async def test_an_answer_that_its_draft_shows_already_needs_no_edit() -> None:
    """It is settled without a request, and without waiting for a place in the limits."""
    log = Log()
    chat = Limited(log, frame="one")
    await routing(log, chat)(replace(answered("one"), draft_id=99))

    assert log.happened == ["commit", "woken"]
    assert log.states == {1: "sent"}


async def test_where_later_answers_may_stand_a_gone_draft_is_in_doubt() -> None:
    """Sent anew, the answer would stand out of order."""
    log = Log(states={1: "planned"})
    chat = Chat(log, iter([DraftGone("deleted")]))
    delivery = Delivery(1, said("hi").address, "one", draft_id=99)
    ending = await deliver(log, chat, delivery, anew=False)  # type: ignore[arg-type]  # as above

    assert ending is Ending.DOUBTFUL
    assert log.states == {1: "unknown"}
    assert chat.shown == []


async def test_a_turn_without_a_reply_is_a_mistake() -> None:
    """It is raised, so that the message is tried again and not closed in silence."""
    log = Log()

    with pytest.raises(ValueError, match="without a reply"):
        await routing(log, Chat(log))(said("hi"))
    assert log.happened == []


async def test_cut_off_while_waiting_it_stays_planned() -> None:
    """A stop between two attempts leaves the part for the next start."""
    log = Log()
    chat = Chat(log, iter([NotDelivered("429", retry_after_s=30.0)]))
    running = asyncio.create_task(_run(routing(log, chat), answered("one")))
    while "send one" not in log.happened:  # noqa: ASYNC110 - the stand-in has no event
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert log.states == {1: "planned"}


async def _run(system: ResponseRouting, turn: Turn) -> None:
    await system(turn)
