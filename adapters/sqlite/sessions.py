"""Places (where conversations happen) and their sessions."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from adapters.sqlite.rows.codec import get_id_range, join_time, split_time
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Table
from bot.memory.items import Trust
from bot.memory.sanitise import clean
from bot.messages import Address
from bot.turn import NextSession, Session

_MOVED: Final = "SELECT new_id FROM migrated_chats WHERE bot_id = ? AND old_id = ?"
_PLACE: Final = (
    f"SELECT ({_MOVED}), no, (SELECT id FROM sessions WHERE id = session_id) "  # noqa: S608 - our own text
    "FROM (SELECT 1) AS one LEFT JOIN places ON key = ?"
)
_SESSION: Final = (
    f"SELECT ({_MOVED}), sessions.id, started_at, started_offset FROM (SELECT 1) AS one "  # noqa: S608 - our own text
    "LEFT JOIN places ON key = ? LEFT JOIN sessions ON sessions.id = session_id"
)
"""Both say whereto the chat has moved, and, mostly right, what is asked where it has not."""


def resolve_key(connection: sqlite3.Connection, address: Address) -> str:
    """Return the key of a place where it is now: a turn that began before its group got another id names the old."""
    row = connection.execute(_MOVED, (address.bot_id, address.chat_id)).fetchone()
    return address.key if row is None else replace(address, chat_id=row[0]).key


def ensure_place(connection: sqlite3.Connection, address: Address) -> int:
    """Return a place's number, giving it one the first time."""
    return find_place(connection, address)[0]


def find_place(connection: sqlite3.Connection, address: Address) -> tuple[int, int | None]:
    """Return a place's number, as :func:`ensure_place` does, and its open session."""
    address, row = _ask_where_it_is(connection, _PLACE, address)
    if row[0] is None:
        row = connection.execute(
            "INSERT INTO places (key, door, bot_id, chat_id, topic_id) VALUES (?, ?, ?, ?, ?) RETURNING no, session_id",
            (address.key, address.platform, address.bot_id, address.chat_id, address.topic_id),
        ).fetchone()
    return row[0], row[1]


def _ask_where_it_is(
    connection: sqlite3.Connection, query: str, address: Address
) -> tuple[Address, Sequence[Any]]:  # Any: column values
    """Return the address of a place where it is now, and what ``query`` says of that."""
    moved, *row = connection.execute(query, (address.bot_id, address.chat_id, address.key)).fetchone()
    if moved is not None:
        address = replace(address, chat_id=moved)
        _, *row = connection.execute(query, (address.bot_id, address.chat_id, address.key)).fetchone()
    return address, row


def find_session(connection: sqlite3.Connection, address: Address) -> Session | None:
    """Return the open session of a place, ``None`` if there is none."""
    _, (session_id, started_at, offset) = _ask_where_it_is(connection, _SESSION, address)
    if session_id is None:
        return None
    summary, _, trust = find_summary(connection, session_id)
    return Session(session_id, join_time(started_at, offset), summary, trust)


def start_session(connection: sqlite3.Connection, place_no: int, now: datetime) -> Session:
    """End the open session of a place, if any, and open a new one; what was said in it is queued to be learned from."""
    seconds, offset = split_time(now)
    _end_session(connection, place_no, seconds)
    row = connection.execute(
        "INSERT INTO sessions (place_no, started_at, started_offset) VALUES (?, ?, ?) RETURNING id",
        (place_no, seconds, offset),
    ).fetchone()
    connection.execute("UPDATE places SET session_id = ? WHERE no = ?", (row[0], place_no))
    return Session(row[0], join_time(seconds, offset))


def change_session(
    connection: sqlite3.Connection, place_no: int, scope_no: int, following: NextSession, now: datetime
) -> None:
    """End the open session of a place, and begin a new one or go on with an earlier one.

    An earlier one is gone on with if something is kept that was said in it, in this place and for this scope.
    """
    if following.id is None:
        session = start_session(connection, place_no, now)
        if following.title:
            connection.execute(
                "INSERT INTO session_marks (session_id, scope_no, title) VALUES (?, ?, ?)",
                (session.id, scope_no, clean(following.title)),
            )
        return
    low, high = get_id_range(scope_no)
    row = connection.execute(
        "SELECT session_id FROM places WHERE no = ?1 AND coalesce(session_id, 0) <> ?2 AND EXISTS (SELECT 1 "
        "FROM sessions JOIN exchanges ON session_id = sessions.id WHERE sessions.id = ?2 AND sessions.place_no = ?1 "
        "AND exchanges.id BETWEEN ?3 AND ?4)",
        (place_no, following.id, low, high),
    ).fetchone()
    if row is None:
        return
    seconds, _ = split_time(now)
    _end_session(connection, place_no, seconds)
    connection.execute("DELETE FROM sessions WHERE id = ? AND active_at IS NULL", (row[0],))
    connection.execute(
        "INSERT INTO session_marks (session_id, scope_no, learned_upto) SELECT session_id, scope_no, max(id) "
        "FROM exchanges WHERE session_id = ? GROUP BY session_id, scope_no "
        "ON CONFLICT (session_id, scope_no) DO UPDATE SET learned_upto = excluded.learned_upto",
        (following.id,),
    )
    # Active from now on: or else it would be idle at once.
    connection.execute("UPDATE sessions SET ended_at = NULL, active_at = ? WHERE id = ?", (seconds, following.id))
    connection.execute("UPDATE places SET session_id = ? WHERE no = ?", (following.id, place_no))


def _end_session(connection: sqlite3.Connection, place_no: int, seconds: float) -> None:
    """End the open session of a place; what was said in it, or since it went on, is queued to be learned from."""
    connection.execute(
        "INSERT INTO learning (session_id, scope_no, upto) "
        "SELECT exchanges.session_id, exchanges.scope_no, coalesce(max(learned_upto), 0) FROM exchanges "
        "LEFT JOIN session_marks USING (session_id, scope_no) "
        "WHERE exchanges.session_id = (SELECT session_id FROM places WHERE no = ?) AND synthetic = 0 "
        "AND exchanges.id > coalesce(learned_upto, 0) GROUP BY 1, 2 ON CONFLICT DO NOTHING",
        (place_no,),
    )
    connection.execute(
        "UPDATE sessions SET ended_at = ? WHERE id = (SELECT session_id FROM places WHERE no = ?)", (seconds, place_no)
    )


def find_summary(connection: sqlite3.Connection, session_id: int) -> tuple[str, int, Trust]:
    """Return a session's summary, the newest exchange id it stands for (0 without one) and how far it is believed.

    A session in which several scopes took part has none: what one of them said would reach the others.
    """
    rows = connection.execute(
        "SELECT summary, upto, trust FROM summaries WHERE session_id = ?1 AND NOT EXISTS ("
        "SELECT 1 FROM exchanges WHERE session_id = ?1 AND scope_no <> summaries.scope_no)",
        (session_id,),
    ).fetchall()
    return (rows[0][0], rows[0][1], Trust(rows[0][2])) if rows else ("", 0, Trust.FILE)


ROOM: Final = Room(
    "sessions", (Table("session_marks", numbered="scope_no", held=ALL_ROWS, spare=ALL_ROWS),), file="sessions"
)
