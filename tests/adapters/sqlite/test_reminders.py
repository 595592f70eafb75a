"""Reminders in the file: whose they are, how many, and for how long what is over is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.sqlite import reminders as store
from adapters.sqlite.database import Database
from adapters.sqlite.reminders import SqliteReminders
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.reminders import Firing, Reminder
from bot.turn import Reply
from harness.samples import HERE, NOON, SCOPE

TOPIC = Address("telegram", 7, -100, 5)


def new(scope: Scope = SCOPE, at: Address = HERE, **changes: object) -> Reminder:
    """One that comes tomorrow."""
    due = NOON + timedelta(days=1)
    one = Reminder(scope, at, 42, "Anna", "water the plants", due, due.replace(tzinfo=None), "UTC", made_at=NOON)
    return replace(one, **changes)  # type: ignore[arg-type]  # each of its own type


@pytest.fixture
def reminders(database: Database) -> SqliteReminders:
    """The store."""
    return SqliteReminders(database)


async def keep(reminders: SqliteReminders, one: Reminder) -> Reminder:
    """Store one that there is room for."""
    kept = await reminders.keep(one)
    assert kept is not None
    return kept


async def test_what_is_over_is_kept_for_a_while(reminders: SqliteReminders) -> None:
    """What came before that time goes, what came later stays, and so does what is still to come, however old."""
    over = [await keep(reminders, new(made_at=NOON - timedelta(days=90))) for _ in range(3)]
    for one, days in zip(over, (40, 20), strict=False):
        at = NOON - timedelta(days=days)
        assert await reminders.replace(replace(one, due_at=None, fired_at=at, fired_due=at))

    gone = await reminders.tidy(NOON - timedelta(days=30))

    assert gone == 1
    assert [one.id for one in await reminders.list_scope(SCOPE)] == [over[1].id, over[2].id]


async def test_one_is_removed_once(reminders: SqliteReminders) -> None:
    """The second time there is nothing to remove."""
    one = await keep(reminders, new())

    assert [await reminders.remove(one), await reminders.remove(one)] == [True, False]


async def test_there_are_only_so_many(reminders: SqliteReminders, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one scope, and of those that are still to come."""
    monkeypatch.setattr(store, "MOST", 2)
    first = await keep(reminders, new())
    await keep(reminders, new())
    full = await reminders.keep(new())
    other = await reminders.keep(new(Scope("tu43")))
    await reminders.remove(first)

    assert full is None
    assert other is not None
    assert await reminders.keep(new()) is not None


async def test_a_number_finds_nothing_of_another_scope(reminders: SqliteReminders) -> None:
    """However large it is: ids hold the scope above the number."""
    scopes = [Scope(f"tu{number}") for number in (1, 2, 3)]
    for scope in scopes:
        await keep(reminders, new(scope))

    assert await reminders.find(scopes[1], HERE, 1) is not None
    assert await reminders.find(scopes[1], HERE, 1 << 32 | 1) is None
    assert await reminders.find(scopes[0], HERE, 1 << 33 | 1) is None
    assert await reminders.find(Scope("tu9"), HERE, 1) is None
    assert await reminders.list_scope(Scope("tu9")) == ()


async def test_places_and_their_zones_are_listed_as_they_are(reminders: SqliteReminders) -> None:
    """Topics of a group by themselves, and only while something is to come."""
    one = await keep(reminders, new())
    await keep(reminders, new(at=TOPIC, zone="Europe/Lisbon"))
    listed = await reminders.list_zones()
    await reminders.remove(one)

    assert set(listed) == {(HERE, "UTC"), (TOPIC, "Europe/Lisbon")}
    assert await reminders.list_zones() == ((TOPIC, "Europe/Lisbon"),)


async def test_what_is_planned_belongs_to_the_scope(reminders: SqliteReminders, database: Database) -> None:
    """So that erasing that takes the message and its buttons along."""
    await keep(reminders, new(Scope("tu43")))
    seen = await keep(reminders, new())
    reply = Reply("⏰ water the plants", buttons=(("Done", "/remind done 1"),))
    firing = Firing(seen, replace(seen, due_at=None, fired_at=NOON), reply, (reply.text,), bound=True)

    (planned,) = await reminders.fire(firing, NOON)
    again = await reminders.fire(firing, NOON)
    owners = await database.read(
        lambda connection: connection.execute(
            "SELECT tag FROM scopes WHERE no IN (SELECT scope_no FROM deliveries WHERE id = ?1) "
            "UNION ALL SELECT tag FROM scopes WHERE no IN (SELECT scope_no FROM tickets WHERE delivery_id = ?1)",
            (planned.id,),
        ).fetchall()
    )

    assert (planned.address, again) == (HERE, ())
    assert owners == [(SCOPE.tag,), (SCOPE.tag,)]
