"""Rows of reminders, and what an erase takes of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from adapters.sqlite.rows.codec import dump_list, join_time, split_time
from adapters.sqlite.rows.sessions import resolve_key
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.reminders import Reminder
from bot.ports.repetition import load_repetition

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


def load_reminder(row: tuple[Any, ...]) -> Reminder:  # Any: column values
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


def remove_reminders_of(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> int:
    """Delete what exchanges of a scope have asked to be reminded of, and what was asked about them."""
    named = dump_list(uids)
    rows = connection.execute(
        "SELECT id FROM reminders WHERE scope_no = ? AND exchange <> '' "
        "AND exchange IN (SELECT value FROM json_each(?))",
        (scope_no, named),
    ).fetchall()
    connection.execute("DELETE FROM reminder_questions WHERE scope_no = ?", (scope_no,))
    return remove_reminders(connection, [row[0] for row in rows]) if rows else 0


def list_places(connection: sqlite3.Connection, address: Address) -> str:
    """Return the numbers of a chat's places as a JSON list: in a topic that topic alone."""
    chat_id = int(resolve_key(connection, address).split(":")[2])
    rows = connection.execute(
        "SELECT no FROM places WHERE door = ? AND bot_id = ? AND chat_id = ? AND (? IS NULL OR topic_id = ?)",
        (address.platform, address.bot_id, chat_id, address.topic_id, address.topic_id),
    ).fetchall()
    return dump_list([row[0] for row in rows])


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
