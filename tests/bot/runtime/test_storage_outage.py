"""Turns that a full disk refused."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.errors import StorageUnavailable
from bot.messages import Address
from bot.ports.turn_store import AnsweredTurn, CommitResult, TurnRecord
from bot.runtime.storage import PendingTurns
from bot.turn import Exchange, Session
from harness.samples import HERE, NOON, exchange, turn

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

    async def session(self, address: Address) -> Session:
        return Session(1, NOON)

    async def history(self, scope: object, session_id: int, limit: int, *, step: int = 1) -> tuple[Exchange, ...]:
        return ()

    async def last(self, address: Address) -> AnsweredTurn | None:
        return None


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
