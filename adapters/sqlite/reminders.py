"""The port Reminders over SQLite, and the clock's: one advances in the transaction that plans its message."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from adapters.sqlite.conversations.deliveries import plan_deliveries
from adapters.sqlite.database import Store, reading, writing
from adapters.sqlite.rows.codec import (
    Row,
    dump_list,
    ensure_scope,
    find_range,
    find_scope,
    get_id_range,
    insert_row,
    join_time,
    list_column,
    repair_numbers,
    split_time,
    take_id,
)
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Rooms, Table, look_up_untold
from adapters.sqlite.sessions import ensure_place, resolve_key
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.messenger import Delivery
from bot.ports.reminders import Firing, Reminder, ReminderPage, name_message
from bot.ports.when import load_repetition
from bot.turn import Exchange

MOST: Final = 1_000
"""Open reminders of one scope."""
_COLUMNS: Final = (
    "reminders.id, scopes.tag, places.door, places.bot_id, places.chat_id, places.topic_id, asker_id, asker_name, "
    "language, direct, text, start, zone, passes, rule, due_at, snoozed_to, waits_to, fired_at, fired_due, made_at, "
    "exchange, origin, version"
)
_FROM: Final = (
    "FROM reminders JOIN scopes ON scopes.no = reminders.scope_no JOIN places ON places.no = reminders.place_no"
)


def select_reminders(where: str) -> str:
    """Return the statement that reads reminders for :func:`load_reminder`."""
    return f"SELECT {_COLUMNS} {_FROM} {where}"


_BY_ID: Final = select_reminders("WHERE reminders.id = ?")
_BY_ORIGIN: Final = select_reminders("WHERE origin = ?")
_HERE: Final = "reminders.scope_no = ? AND place_no IN (SELECT value FROM json_each(?)) AND wake_at IS NOT NULL"
_PAGE: Final = select_reminders(f"WHERE {_HERE} ORDER BY wake_at, reminders.id LIMIT ? OFFSET ?")
_DUE: Final = select_reminders(
    "WHERE reminders.door = ? AND wake_at IS NOT NULL AND wake_at <= ? ORDER BY wake_at LIMIT ?"
)
_AHEAD: Final = select_reminders("WHERE rule <> '' AND fired_at IS NOT NULL AND fired_at > ? LIMIT ?")
_BY_ZONE: Final = select_reminders(
    "WHERE place_no IN (SELECT value FROM json_each(?)) AND wake_at IS NOT NULL AND zone <> ? LIMIT ?"
)
_OF_EXCHANGE: Final = select_reminders(
    "WHERE reminders.id BETWEEN ? AND ? AND exchange = ? AND asker_id = ? ORDER BY reminders.id DESC LIMIT 1"
)
_OF_SCOPE: Final = select_reminders("WHERE reminders.id BETWEEN ? AND ? ORDER BY reminders.id LIMIT ?")


class SqliteReminders(Store):
    """The port, and beside it what is to be said when; errors as for :class:`~bot.ports.reminders.Reminders`."""

    @writing
    def keep(self, connection: sqlite3.Connection, reminder: Reminder) -> Reminder | None:
        return keep_reminder(connection, reminder)

    @reading
    def find(self, connection: sqlite3.Connection, scope: Scope, address: Address, number: int) -> Reminder | None:
        scope_no = find_scope(connection, scope)
        if not 0 < number < 1 << 32:
            return None
        row = connection.execute(
            select_reminders("WHERE reminders.id = ? AND place_no IN (SELECT value FROM json_each(?))"),
            (scope_no << 32 | number, list_places(connection, replace(address, topic_id=None))),
        ).fetchone()
        return None if row is None else load_reminder(row)

    @reading
    def find_asked(self, connection: sqlite3.Connection, scope: Scope, exchange: str, asker_id: int) -> Reminder | None:
        if not exchange:
            return None
        row = connection.execute(_OF_EXCHANGE, (*find_range(connection, scope), exchange, asker_id)).fetchone()
        return None if row is None else load_reminder(row)

    @reading
    def page(
        self, connection: sqlite3.Connection, scope: Scope, address: Address, *, offset: int = 0, size: int = 10
    ) -> ReminderPage:
        scope_no = find_scope(connection, scope)
        places = list_places(connection, address)
        (total,) = connection.execute(f"SELECT count(*) FROM reminders WHERE {_HERE}", (scope_no, places)).fetchone()  # noqa: S608 - our own text
        rows = connection.execute(_PAGE, (scope_no, places, size, offset)).fetchall()
        return ReminderPage(tuple(map(load_reminder, rows)), total)

    @writing
    def replace(self, connection: sqlite3.Connection, reminder: Reminder) -> bool:
        return change_reminder(connection, reminder)

    @writing
    def remove(self, connection: sqlite3.Connection, reminder: Reminder) -> bool:
        return remove_reminders(connection, [reminder.id]) == 1

    @reading
    def list_scope(self, connection: sqlite3.Connection, scope: Scope, *, limit: int = 100) -> tuple[Reminder, ...]:
        return tuple(map(load_reminder, connection.execute(_OF_SCOPE, (*find_range(connection, scope), limit))))

    @reading
    def find_next_wake(self, connection: sqlite3.Connection, platforms: Sequence[str]) -> datetime | None:
        """Return when the next reminder of these platforms is due, ``None`` without any."""
        wake = "SELECT min(wake_at) FROM reminders WHERE door = ? AND wake_at IS NOT NULL"
        wakes = [connection.execute(wake, (door,)).fetchone()[0] for door in platforms]
        return min((join_time(seconds) for seconds in wakes if seconds is not None), default=None)

    @reading
    def list_due(
        self, connection: sqlite3.Connection, platforms: Sequence[str], now: datetime, limit: int
    ) -> tuple[Reminder, ...]:
        due = [(door, split_time(now)[0], limit) for door in platforms]
        return tuple(load_reminder(row) for values in due for row in connection.execute(_DUE, values).fetchall())

    async def list_ahead(self, now: datetime, limit: int) -> tuple[Reminder, ...]:
        """Return repeating reminders that were said at a time which has not come yet: the clock was set back."""
        seconds, _ = split_time(now)
        rows = await self.database.fetch(_AHEAD, (seconds, limit))
        return tuple(map(load_reminder, rows))

    async def list_zones(self) -> tuple[tuple[Address, str], ...]:
        """Return the places that have open reminders, with each zone that some of them are reckoned in; reads all."""
        rows = await self.database.fetch(
            "SELECT DISTINCT places.door, bot_id, chat_id, topic_id, zone FROM reminders "
            "JOIN places ON places.no = place_no WHERE wake_at IS NOT NULL"
        )
        return tuple((Address(*row[:4]), row[4]) for row in rows)

    @reading
    def list_by_zone(
        self, connection: sqlite3.Connection, address: Address, zone: str, limit: int
    ) -> tuple[Reminder, ...]:
        """Return open reminders of a chat that are reckoned in another zone; all topics of a group are one chat."""
        places = list_places(connection, replace(address, topic_id=None))
        return tuple(map(load_reminder, connection.execute(_BY_ZONE, (places, zone, limit)).fetchall()))

    @writing
    def fire(self, connection: sqlite3.Connection, firing: Firing, now: datetime) -> tuple[Delivery, ...]:
        """Advance a reminder and plan its message, in one transaction; () if it was changed or erased meanwhile.

        What is returned is to be sent by :func:`~bot.core.delivery.deliver`; after a crash the restart finds it.
        """
        seconds, _ = split_time(now)
        if not change_reminder(connection, replace(firing.after, version=firing.seen.version)):
            return ()
        scope_no, address = firing.seen.id >> 32, firing.seen.address
        place_no = ensure_place(connection, address)
        asker_id = firing.seen.asker_id if firing.bound else None
        ids, tokens = plan_deliveries(
            connection, place_no, scope_no, firing.reply, firing.parts, planned_at=seconds, asker_id=asker_id
        )
        connection.execute("UPDATE reminders SET delivery_id = ? WHERE id = ?", (ids[-1], firing.seen.id))
        last = len(ids) - 1
        return tuple(
            Delivery(delivery_id, address, part, buttons=tokens if number == last else ())
            for number, (delivery_id, part) in enumerate(zip(ids, firing.parts, strict=True))
        )

    @writing
    def tidy(self, connection: sqlite3.Connection, before: datetime) -> int:
        """Forget those that were said before then and will not come again; return how many."""
        seconds, _ = split_time(before)
        ended = "SELECT id FROM reminders WHERE wake_at IS NULL AND coalesce(fired_at, made_at) < ?"
        return remove_reminders(connection, list_column(connection, ended, seconds))


def keep_reminder(connection: sqlite3.Connection, reminder: Reminder) -> Reminder | None:
    """Store a new reminder, or what the message says now that asked for it; ``None`` where there are too many."""
    if reminder.origin:
        row = connection.execute(_BY_ORIGIN, (reminder.origin,)).fetchone()
        if row is not None:
            return _keep_again(connection, load_reminder(row), reminder)
    scope_no = ensure_scope(connection, reminder.scope)
    low, high = get_id_range(scope_no)
    (count,) = connection.execute(
        "SELECT count(*) FROM reminders WHERE id BETWEEN ? AND ? AND wake_at IS NOT NULL", (low, high)
    ).fetchone()
    if count >= MOST:
        return None
    id_ = take_id(connection, "reminder_numbers", scope_no)
    columns = {
        **dump_reminder(reminder),
        "id": id_,
        "scope_no": scope_no,
        "place_no": ensure_place(connection, reminder.address),
        "door": reminder.address.platform,
        "asker_id": reminder.asker_id,
        "asker_name": clean(reminder.asker_name),
        "direct": int(reminder.direct),
        "exchange": reminder.exchange,
        "origin": reminder.origin,
        "made_at": dump_time(reminder.made_at) or 0.0,
    }
    insert_row(connection, "reminders", columns)
    return load_reminder(connection.execute(_BY_ID, (id_,)).fetchone())


def _keep_again(connection: sqlite3.Connection, there: Reminder, told: Reminder) -> Reminder:
    """Leave what the same message made as it is, or let it say what the message says now that it was edited."""
    same = (there.text, there.start, there.repetition) == (clean(told.text), told.start, told.repetition)
    if not same:
        changed = replace(
            told, id=there.id, version=there.version, fired_at=None, fired_due=None, snoozed_to=None, waits_to=None
        )
        change_reminder(connection, changed)
    connection.execute("UPDATE reminders SET exchange = ? WHERE id = ?", (told.exchange, there.id))
    return load_reminder(connection.execute(_BY_ID, (there.id,)).fetchone())


def load_reminder(row: Row) -> Reminder:
    """Return the reminder of a row."""
    (id_, tag, door, bot_id, chat_id, topic_id, asker_id, asker_name, language, direct, text, start, zone) = row[:13]
    passes, rule, due_at, snoozed_to, waits_to, fired_at, fired_due, made_at, exchange, origin, version = row[13:]
    return Reminder(
        scope=Scope(tag),
        address=Address(door, bot_id, chat_id, topic_id),
        asker_id=asker_id,
        asker_name=asker_name,
        text=text,
        due_at=_load_time(due_at),
        start=_load_local(start),
        zone=zone,
        passes=bool(passes),
        repetition=load_repetition(rule),
        language=language,
        direct=bool(direct),
        exchange=exchange,
        origin=origin,
        made_at=_load_time(made_at),
        snoozed_to=_load_time(snoozed_to),
        waits_to=_load_time(waits_to),
        fired_at=_load_time(fired_at),
        fired_due=_load_time(fired_due),
        id=id_,
        version=version,
    )


def dump_reminder(reminder: Reminder) -> dict[str, object]:
    """Return the columns of a reminder that a change may touch, by name."""
    return {
        "text": clean(reminder.text),
        "language": clean(reminder.language),
        "start": reminder.start.isoformat(),
        "zone": reminder.zone,
        "passes": int(reminder.passes),
        "rule": reminder.repetition.dump() if reminder.repetition is not None else "",
        "due_at": dump_time(reminder.due_at),
        "snoozed_to": dump_time(reminder.snoozed_to),
        "waits_to": dump_time(reminder.waits_to),
        "wake_at": dump_time(reminder.wake_at),
        "fired_at": dump_time(reminder.fired_at),
        "fired_due": dump_time(reminder.fired_due),
    }


def change_reminder(connection: sqlite3.Connection, reminder: Reminder) -> bool:
    """Store a changed reminder over the version that it was read as; ``False`` if that is not there any more."""
    columns = dump_reminder(reminder)
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    done = connection.execute(
        f"UPDATE reminders SET {assigned}, version = version + 1 WHERE id = :id AND version = :version",  # noqa: S608 - names of our own columns
        {**columns, "id": reminder.id, "version": reminder.version},
    )
    return done.rowcount == 1


def remove_reminders(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    """Delete reminders, and messages of theirs that were not sent yet; return how many."""
    listed = dump_list(ids)
    connection.execute(
        "DELETE FROM deliveries WHERE state = 0 AND id IN (SELECT delivery_id FROM reminders "
        "WHERE id IN (SELECT value FROM json_each(?)))",
        (listed,),
    )
    return connection.execute("DELETE FROM reminders WHERE id IN (SELECT value FROM json_each(?))", (listed,)).rowcount


def remove_reminders_of(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> None:
    """Delete what exchanges of a scope have asked to be reminded of."""
    asked = (
        "SELECT id FROM reminders WHERE scope_no = ? AND exchange <> '' "
        "AND exchange IN (SELECT value FROM json_each(?))"
    )
    if ids := list_column(connection, asked, scope_no, dump_list(uids)):
        remove_reminders(connection, ids)


def _revise(connection: sqlite3.Connection, _: Rooms, scope_no: int, at: Address, said: Exchange) -> None:
    """Delete what an edited message asked to be reminded of before, and asks for no more; a command was carried out."""
    name = name_message(at, said.message_id)
    asked = "SELECT id FROM reminders WHERE scope_no = ? AND origin >= ? AND origin < ? AND exchange NOT IN ('', ?)"
    if ids := list_column(connection, asked, scope_no, f"{name}:", f"{name};", said.uid):
        remove_reminders(connection, ids)


def list_places(connection: sqlite3.Connection, address: Address) -> str:
    """Return the numbers of a chat's places as a JSON list: in a topic that topic alone."""
    chat_id = int(resolve_key(connection, address).split(":")[2])
    query = "SELECT no FROM places WHERE door = ? AND bot_id = ? AND chat_id = ? AND (? IS NULL OR topic_id = ?)"
    topic = address.topic_id
    return dump_list(list_column(connection, query, address.platform, address.bot_id, chat_id, topic, topic))


def dump_time(at: datetime | None) -> float | None:
    """Return an aware time in seconds since 1970."""
    return None if at is None else split_time(at)[0]


def _load_time(seconds: float | None) -> datetime | None:
    return None if seconds is None else join_time(seconds)


def _load_local(written: str) -> datetime:
    try:
        return datetime.fromisoformat(written).replace(tzinfo=None)
    except ValueError:  # damaged
        return datetime(1970, 1, 1)  # noqa: DTZ001 - a naive local time by design


def _drop(connection: sqlite3.Connection, scope_no: int, key: str) -> int:
    return remove_reminders(connection, [int(key)]) if key.isdecimal() and int(key) >> 32 == scope_no else 0


ROOM: Final = Room(
    "reminders",
    (
        Table("reminder_numbers", why="numbers that are never given again"),
        Table(
            "reminders",
            ranged="id",
            shown="reminders",
            held=ALL_ROWS,
            spare="wake_at > strftime('%s', 'now') + 0",  # those that are still to come
            place="place_no",
        ),
    ),
    version=2,
    file="reminders",
    forget=remove_reminders_of,
    revise=_revise,
    look=partial(look_up_untold, room="reminders", table="reminders", columns="text, asker_id, asker_name, made_at"),
    drop=_drop,
    repair=partial(repair_numbers, numbers="reminder_numbers", rows="reminders"),
)
