"""What a worker does about its chats, over a real journal; whose they are is told by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets
from bot.core.dispatch import Dispatcher
from bot.core.live_draft import StopButtons
from bot.errors import StorageUnavailable
from bot.messages import Accepted, Address, InboundMessage, MessageKind
from bot.ports.leases import Leases, Work
from bot.ports.messenger import OfferWords
from bot.runtime.acceptance import Acceptance
from bot.runtime.chat_rules import SystemClock
from bot.runtime.sharing import Aftercare, RestartRecovery, Sharing, Taking
from bot.turn import Session, StopSignal, Turn
from harness.application import RecordingMessenger
from harness.processes import until
from harness.samples import HERE, NOON, SCOPE, message

PLACE = HERE.key


class ToldLeases:
    """Says what a test wants said."""

    gone = leads = False

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.is_next = lambda *_: False
        self.work: list[Work] = []
        self.kept: list[str] = []
        self.left: list[frozenset[str]] = []
        """What was still held each time that something was given back."""

    async def look(self) -> Work:
        return self.work.pop(0) if self.work else Work((), (), 0, 0)

    async def keep(self, place: str) -> None:
        self.kept.append(place)

    async def release(self, busy: frozenset[str]) -> None:
        self.left.append(busy)


class Worker:
    """One that notes what it handles."""

    def __init__(self, database: Database) -> None:
        self.handled: list[str] = []
        self.batches: list[int] = []
        self.refused: set[str] = set()
        """Messages that cannot be stored the first time."""
        self.held: dict[str, asyncio.Event] = {}
        """What messages wait for until they are handled."""
        self.leases, self.stops = ToldLeases(), StopButtons()
        self.journal, deliveries = SqliteJournal(database), SqliteDeliveries(database)
        messengers = {HERE.platform: RecordingMessenger()}
        self.dispatcher = Dispatcher(self._handle, lambda place, after: self.journal.pending_at(place, after, 256))
        self.acceptance = Acceptance(
            self.journal, SqliteTickets(database), self.dispatcher, SystemClock(), self.stops, shared=True
        )
        aftercare = Aftercare(deliveries, deliveries, messengers, lambda *_: OfferWords(str, ""))
        recovery = RestartRecovery(deliveries, self.journal, messengers, self.dispatcher.submit, aftercare)

        async def nothing() -> None:
            """Hold nothing in memory, and lead nobody."""

        taking = Taking(
            self.acceptance.queue,
            self.acceptance.take,
            self.dispatcher.idle,
            self.dispatcher.forget,
            nothing,
            nothing,
            lambda: None,
        )
        leases: Leases = self.leases  # type: ignore[assignment]  # what only a leader does is left out
        self.sharing = Sharing(leases, self.journal, recovery, aftercare, taking)

    async def _handle(self, batch: tuple[Accepted, ...], _stop: StopSignal) -> None:
        await asyncio.sleep(0)
        if (held := self.held.get(batch[0].message.text)) is not None:
            await held.wait()
        if batch[0].message.text in self.refused:
            self.refused.clear()
            self.sharing.retake(HERE)
            return
        self.batches.append(len(batch))
        self.handled += [each.message.text for each in batch]
        await self.journal.drop(tuple(each.id for each in batch))

    async def look(self, work: Work, handled: int) -> None:
        """Let it find this, and wait until so many messages were handled."""
        self.leases.work.append(work)
        running = asyncio.create_task(self.sharing.run())
        await until(lambda: len(self.handled) == handled and self.leases.kept)
        running.cancel()


@pytest.fixture
async def worker(tmp_path: Path) -> AsyncIterator[Worker]:
    """A worker without chats."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    yield Worker(database)
    await database.close()


async def accept(worker: Worker, number: int, text: str = "", kind: MessageKind = MessageKind.TEXT) -> Accepted:
    found = await worker.journal.accept(message(text or str(number), number, kind=kind))
    assert found is not None
    return found


async def test_a_chat_is_answered_from_the_journal_in_order(worker: Worker) -> None:
    """What waited when it was given, then what others accept; its own only when nothing waits before them."""
    first, second = await accept(worker, 1), await accept(worker, 2)
    early = worker.sharing.is_next(PLACE, second.id, first.id)
    await worker.look(Work((PLACE,), (), second.id, 0), 2)
    third = await accept(worker, 3)
    behind = worker.sharing.is_next(PLACE, third.id + 1, third.id)
    await worker.look(Work((), ((PLACE, third.id),), third.id, 0), 3)
    next_one = worker.sharing.is_next(PLACE, third.id + 1, 0)

    assert worker.handled == ["1", "2", "3"]
    assert worker.leases.kept == [PLACE]
    assert (early, behind, next_one) == (False, False, True)


async def test_what_could_not_be_stored_is_answered_again_before_what_came_later(worker: Worker) -> None:
    """Messages that wait behind a turn that could not be stored wait until it is.

    Mutation check: with a queue that is emptied later, the second is answered before the first.
    """
    worker.refused = {"1"}
    entries = [await accept(worker, number) for number in (1, 2, 3)]
    await worker.look(Work((PLACE,), (), entries[-1].id, 0), 3)

    assert worker.handled == ["1", "2", "3"]


async def test_what_is_being_read_is_not_handed_on_before_what_could_not_be_stored(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chat is let go of in that moment, also by who is reading what others have accepted for it.

    Mutation check: read on, the third is answered first; handed on before the chat is taken up again, it passes for the
    newest, and the second waits behind it for ever.
    """
    entries = [await accept(worker, 1)]
    await worker.look(Work((PLACE,), (), entries[-1].id, 0), 1)
    worker.refused, worker.held = {"2"}, {"2": asyncio.Event()}
    entries.append(await accept(worker, 2))
    find, read_again = worker.journal.pending_at, asyncio.Event()

    async def find_slowly(address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        found = await find(address, after, limit)
        if after == entries[1].id:
            worker.held["2"].set()
            await read_again.wait()
        else:
            read_again.set()
            await asyncio.sleep(0)
        return found

    worker.leases.work.append(Work((), ((PLACE, entries[-1].id),), entries[-1].id, 0))
    running = asyncio.create_task(worker.sharing.run())
    await until(worker.dispatcher.list_asking)
    running.cancel()
    entries.append(await accept(worker, 3))
    monkeypatch.setattr(worker.journal, "pending_at", find_slowly)
    await worker.look(Work((), ((PLACE, entries[-1].id),), entries[-1].id, 0), 3)

    assert worker.handled == ["1", "2", "3"]


async def test_a_chat_that_is_let_go_while_it_is_read_is_taken_up_from_the_beginning(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that was planned and could not be sent stays before the messages that wait.

    Mutation check: handed on all the same, the message is answered before the reply is taken up anew.
    """
    entry = await accept(worker, 1)
    find = worker.journal.pending_at

    async def begin(*_: object) -> None:
        worker.handled.append("replies")

    async def find_and_let_go(address: Address, after: int, limit: int) -> tuple[Accepted, ...]:
        found = await find(address, after, limit)
        if worker.handled == ["replies"]:
            worker.sharing.retake(HERE)
        return found

    monkeypatch.setattr(RestartRecovery, "begin", begin)
    monkeypatch.setattr(worker.journal, "pending_at", find_and_let_go)
    await worker.look(Work((PLACE,), (), entry.id, 0), 3)

    assert worker.handled == ["replies", "replies", "1"]


async def test_nothing_of_a_chat_is_under_way_when_its_replies_are_taken_up(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is given anew to who has it, as a new leader does: a reply that is being sent is not cut off.

    Mutation check: held meanwhile, a message that comes in is answered beside that.
    """
    first = await accept(worker, 1)
    await worker.look(Work((PLACE,), (), first.id, 0), 1)
    answered_beside = list[bool]()

    async def begin(*_: object) -> None:
        second = await accept(worker, 2)
        answered_beside.append(worker.sharing.is_next(PLACE, second.id, 0))

    monkeypatch.setattr(RestartRecovery, "begin", begin)
    await worker.look(Work((PLACE,), (), first.id, 0), 2)

    assert answered_beside == [False]
    assert worker.handled == ["1", "2"]


async def test_a_chat_is_taken_up_again_where_that_broke_off(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it was that went wrong: its messages wait in the journal, and nobody else has the chat.

    Mutation check: where only what is newly given is taken up, they wait for ever.
    """
    entry, broke = await accept(worker, 1), asyncio.Event()

    async def break_off(*_: object) -> None:
        broke.set()
        raise RuntimeError("a mistake")

    with monkeypatch.context() as patched:
        patched.setattr(RestartRecovery, "begin", break_off)
        worker.sharing.retake(HERE)
        await broke.wait()
    await worker.look(Work((), ((PLACE, entry.id),), entry.id, 0), 1)

    assert worker.handled == ["1"]


async def test_a_stop_that_another_worker_took_ends_the_answer_here(worker: Worker) -> None:
    """The button of an answer that is written here is pressed where another receives; one that is spent does nothing.

    Mutation check: pressed as a message of its own it would be answered.
    """
    asked = message("tell me", 1)
    turn = Turn((Accepted(1, asked),), SCOPE, Session(0, NOON), NOON, "tell me", stop=StopSignal())
    with worker.stops.offer(turn, "Stop") as (_, data):
        await worker.acceptance.take(await accept(worker, 2, data, MessageKind.BUTTON))
        ended = turn.stop.is_set()
    pressed: InboundMessage = replace(message(data, 3), kind=MessageKind.BUTTON)
    await worker.acceptance.accept(pressed)
    await worker.dispatcher.idle()

    assert ended
    assert worker.handled == []
    assert await worker.journal.pending() == ()


async def test_parts_of_a_paste_that_others_took_are_one_turn(worker: Worker) -> None:
    """Who accepts a part need not have seen the one before it: who answers has.

    Mutation check: without joining them here the second part is a turn of its own.
    """
    long = "word " * 800
    entries = [await accept(worker, number, text) for number, text in ((1, long), (2, long), (3, "the rest"))]
    await worker.look(Work((PLACE,), (), entries[-1].id, 0), 3)

    assert worker.batches == [3]


async def test_a_long_answer_holds_up_no_other_chat_when_a_worker_ends(worker: Worker) -> None:
    """Each chat is given back when its own turn has ended, after what was stored late.

    Mutation check: given back with the last one, there is nothing to wait for while the long answer goes on.
    """
    chats = {"short": HERE, "long": replace(HERE, chat_id=HERE.chat_id + 1)}
    worker.held = {text: asyncio.Event() for text in chats}
    for number, (text, place) in enumerate(chats.items()):
        worker.dispatcher.submit(Accepted(number + 1, message(text, number, address=place)))
    stored: list[int] = []

    async def store_late() -> None:
        stored.append(len(worker.leases.left))

    ending = asyncio.create_task(worker.sharing.give_back(worker.dispatcher.list_busy(), store_late))
    worker.held["short"].set()
    await until(lambda: worker.leases.left)
    worker.held["long"].set()
    await ending

    assert worker.leases.left == [{chats["long"].key}, set()]
    assert stored == [0, 1]
    assert worker.handled == ["short", "long"]


async def test_a_press_that_could_not_be_stored_is_given_to_us_again(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As any message is: refused, the button might be spent, with nothing done.

    Mutation check: it was refused, and whoever pressed it again was told that it had expired.
    """

    async def press(*_: object) -> InboundMessage:
        raise StorageUnavailable("the connection was lost")

    monkeypatch.setattr(SqliteTickets, "press", press)
    with pytest.raises(StorageUnavailable):
        await worker.acceptance.accept(message("token", 1, kind=MessageKind.BUTTON))
