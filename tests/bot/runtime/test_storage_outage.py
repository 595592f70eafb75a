"""Turns that a full disk refused."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from bot.errors import LeaseLost, StorageUnavailable
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.leases import LEADER, LEASE, under
from bot.ports.messenger import Deliveries, Delivery, DeliveryOutcome, Fate
from bot.ports.turn_store import AnsweredTurn, CommitResult, RepliedTo, TurnRecord
from bot.runtime.storage import PendingDeliveries, PendingTurns
from bot.turn import Exchange, SaidIn, Session
from harness.application import NO_RAG, run_console
from harness.samples import HERE, NOON, exchange, turn
from tests.adapters.sqlite.test_faults import files_end_at

THERE = Address("telegram", 7, 43)


@dataclass
class Disk:
    """Takes ``room`` more records."""

    room: int = 0
    stored: list[str] = field(default_factory=list)

    async def commit(self, record: TurnRecord) -> CommitResult:
        if not self.room:
            raise StorageUnavailable("database or disk is full")
        self.room -= 1
        assert record.exchange is not None
        self.stored.append(record.exchange.uid)
        return CommitResult(1, ())

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        return Session(1, NOON)

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


def record(uid: str, address: Address = HERE) -> TurnRecord:
    """A turn that was answered."""
    return turn(exchange(uid, "hi"), address=address)


async def test_each_place_is_told_once_per_outage() -> None:
    """The second answer to a chat does not say it again; the next outage does."""
    disk = Disk()
    unsaved = PendingTurns(disk)
    first = [unsaved.add(record("e1")), unsaved.add(record("e2")), unsaved.add(record("e3", THERE))]
    disk.room = 10
    await unsaved.retry()

    assert first == [True, False, True]
    assert unsaved.add(record("e4"))


async def test_everything_is_stored_in_order_once_the_disk_writes() -> None:
    """A disk that fills up again in between keeps what is left."""
    disk = Disk(room=1)
    unsaved = PendingTurns(disk)
    for uid in ("e1", "e2", "e3"):
        unsaved.add(record(uid))
    await unsaved.retry()
    after_one = list(disk.stored)
    disk.room = 10
    await unsaved.retry()

    assert after_one == ["e1"]
    assert disk.stored == ["e1", "e2", "e3"]
    assert len(unsaved) == 0


async def test_memory_is_bounded() -> None:
    """After a thousand turns the oldest is given up."""
    disk = Disk()
    unsaved = PendingTurns(disk)
    for number in range(1001):
        unsaved.add(record(f"e{number}"))
    disk.room = 2000
    await unsaved.retry()

    assert (len(disk.stored), disk.stored[0]) == (1000, "e1")


@dataclass
class Log:
    """Takes fates once ``writing`` is set, and refuses them while ``full``."""

    writing: asyncio.Event = field(default_factory=asyncio.Event)
    full: bool = False
    fates: dict[int, Fate] = field(default_factory=dict)

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        await self.writing.wait()
        if self.full:
            raise StorageUnavailable("database or disk is full")
        self.fates[delivery_id] = outcome.fate

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        return 5 if Fate.SENT in self.fates.values() else None


async def test_no_chat_waits_until_it_is_written_that_its_reply_was_sent() -> None:
    """Who asks for the answer to a message does wait for it, because it may be the one."""
    log = Log()
    deliveries = PendingDeliveries(cast("Deliveries", log))
    await deliveries.finish(1, DeliveryOutcome(Fate.SENT, 5))
    before = dict(log.fates)
    asking = asyncio.create_task(deliveries.find_answer(HERE, 4))
    await asyncio.sleep(0)
    log.writing.set()

    assert before == {}
    assert await asking == 5


async def test_that_a_reply_was_sent_is_written_down_when_the_disk_works_again() -> None:
    """Else the next start would offer it again."""
    log = Log(full=True)
    log.writing.set()
    deliveries = PendingDeliveries(cast("Deliveries", log))
    await deliveries.finish(1, DeliveryOutcome(Fate.SENT, 5))
    await deliveries.retry()
    refused = dict(log.fates)
    log.full = False
    await deliveries.retry()

    assert (refused, log.fates) == ({}, {1: Fate.SENT})


@dataclass
class Leased(Log):
    """Takes fates only under the lease of the chat; ``taken`` by another worker it refuses them for good."""

    taken: bool = False

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        await super().finish(delivery_id, outcome)
        if LEASE.get() != HERE.key or self.taken:
            del self.fates[delivery_id]
            raise LeaseLost("another worker has this lease now")

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        return tuple(Delivery(number, HERE, "") for number in (1, 2) if number not in self.fates)


async def send_while_full(*fates: Fate) -> tuple[Leased, PendingDeliveries]:
    """Deliver under the lease of a chat what is then not stored."""
    log = Leased(full=True)
    log.writing.set()
    deliveries = PendingDeliveries(cast("Deliveries", log), shared=True)
    with under(HERE.key):
        for number, fate in enumerate(fates, 1):
            await deliveries.finish(number, DeliveryOutcome(fate, 5))
        await deliveries.retry()
    log.full = False
    return log, deliveries


async def test_a_worker_writes_down_under_the_lease_of_the_chat_what_it_sent_there() -> None:
    """Whatever lease the job has that comes again; who has the chat by now has settled it.

    Mutation check: under the leader's lease no other worker ever wrote it, and the reply stayed "sending".
    """
    log, deliveries = await send_while_full(Fate.SENT, Fate.REFUSED)
    with under(LEADER):
        await deliveries.retry()
    others, given_up = await send_while_full(Fate.SENT)
    others.taken = True
    await given_up.retry()
    others.taken = False
    await given_up.retry()

    assert log.fates == {1: Fate.SENT, 2: Fate.REFUSED}
    assert others.fates == {}


async def test_what_was_sent_is_not_called_in_doubt_when_its_chat_is_taken_up_anew() -> None:
    """Mutation check: without writing it down first, the chat is offered what it shows."""
    log, deliveries = await send_while_full(Fate.SENT)
    with under(HERE.key):
        left = await deliveries.list_unsent(HERE)

    assert [each.id for each in left] == [2]
    assert log.fates == {1: Fate.SENT}


async def test_a_chat_is_taken_up_anew_where_a_doubt_is_not_stored() -> None:
    """It would find nothing to offer.  Mutation check: without telling, the doubt is stored behind its back."""
    log = Leased(full=True)
    log.writing.set()
    deliveries = PendingDeliveries(cast("Deliveries", log), shared=True)
    with under(HERE.key), pytest.raises(StorageUnavailable):
        await deliveries.finish(1, DeliveryOutcome(Fate.UNKNOWN))
    log.full = False
    await deliveries.retry()

    assert log.fates == {1: Fate.UNKNOWN}


async def test_a_message_and_the_job_may_write_down_at_once_what_was_refused() -> None:
    """Each before it goes on.  Seen red: the second found nothing left to take off, and its message got no answer."""
    log = Log(full=True)
    log.writing.set()
    deliveries = PendingDeliveries(cast("Deliveries", log))
    await deliveries.finish(1, DeliveryOutcome(Fate.SENT, 5))
    await deliveries.retry()
    log.full = False
    log.writing.clear()
    both = asyncio.gather(deliveries.retry(), deliveries.retry())
    await asyncio.sleep(0)
    log.writing.set()
    await both

    assert log.fates == {1: Fate.SENT}


async def test_what_a_full_disk_refused_is_stored_before_the_next_message_is_read(tmp_path: Path) -> None:
    """It can be forgotten at once, and stands before what is said next.

    Red where it waited for its job: "/forget" found nothing, and then it was remembered.
    """
    async with run_console(tmp_path) as chat:
        await chat.say("My sister Vera lives in Porto.")
        with files_end_at(0):
            refused = await chat.say("My parrot is called Kakapo99.")
            not_yet = await chat.say("/forget Kakapo99")
        await chat.say("My dog is called Rex.")
        said = await chat.app.parts.housekeeping.database.fetch("SELECT user_text FROM exchanges ORDER BY id")
        forgotten = await chat.say("/forget Kakapo99")
        answer = await chat.say("What is my parrot called?")

    assert "cannot be written" in refused
    assert "cannot be reached" in not_yet
    assert [text.split()[1] for (text,) in said] == ["sister", "parrot", "dog"]
    assert "Forgotten" in forgotten
    assert "Kakapo99" not in answer


async def test_a_disk_without_room_for_a_rewrite_or_a_back_up_is_told(tmp_path: Path) -> None:
    """What was forgotten stays in the file until it is rewritten, as large as it is; with room again it is over.

    Red where the jobs that failed stood in the log alone.
    """
    async with run_console(tmp_path, NO_RAG | {"memory": {"undoSeconds": 0}}) as chat:
        await chat.say("My sister Vera lives in Porto.")
        await chat.say("/forget Porto")
        schedule = chat.app._schedule
        assert schedule is not None
        jobs = {job.name: job.run for job in schedule.jobs}
        troubles = chat.app.parts.troubles
        path = tmp_path / "data" / "mneme.db"
        with files_end_at(path.stat().st_size // 2):
            for name in ("scrub what was erased", "back-up"):
                with pytest.raises(StorageUnavailable):
                    await jobs[name]()
            told = troubles["scrubbing"](), troubles["back-ups"]()
        for name in ("scrub what was erased", "back-up"):
            await jobs[name]()

    assert "what was forgotten is not off the disk yet" in told[0]
    assert "there is no new back-up" in told[1]
    assert all("make room" in each for each in told)
    assert (troubles["scrubbing"](), troubles["back-ups"]()) == ("", "")
