"""Rows of places (where conversations happen) and of their sessions."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime

from adapters.sqlite.rows.codec import join_time, load_trust, split_time
from bot.memory.items import Trust
from bot.turn import Address, Session


def resolve_key(connection: sqlite3.Connection, address: Address) -> str:
    """Return the key of a place where it is now: a turn that began before its group got another id names the old."""
    row = connection.execute(
        "SELECT new_id FROM migrated_chats WHERE bot_id = ? AND old_id = ?", (address.bot_id, address.chat_id)
    ).fetchone()
    return address.key if row is None else replace(address, chat_id=row[0]).key


def ensure_place(connection: sqlite3.Connection, address: Address) -> int:
    """Return a place's number, giving it one the first time."""
    key = resolve_key(connection, address)
    row = connection.execute("SELECT no FROM places WHERE key = ?", (key,)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO places (key, door, bot_id, chat_id, topic_id) VALUES (?, ?, ?, ?, ?) RETURNING no",
            (key, address.platform, address.bot_id, int(key.split(":")[2]), address.topic_id),
        ).fetchone()
    return int(row[0])


def find_session(connection: sqlite3.Connection, address: Address) -> Session | None:
    """Return the open session of a place, ``None`` if there is none."""
    row = connection.execute(
        "SELECT sessions.id, started_at, started_offset FROM places JOIN sessions ON sessions.id = session_id "
        "WHERE key = ?",
        (resolve_key(connection, address),),
    ).fetchone()
    if row is None:
        return None
    session_id, started_at, offset = row
    summary, _, trust = find_summary(connection, session_id)
    return Session(session_id, join_time(started_at, offset), summary, trust)


def start_session(connection: sqlite3.Connection, place_no: int, now: datetime) -> Session:
    """End the open session of a place, if any, and open a new one; what was said in it is queued to be learned from."""
    seconds, offset = split_time(now)
    connection.execute(
        "INSERT INTO learning (session_id, scope_no) SELECT DISTINCT session_id, scope_no FROM exchanges "
        "WHERE session_id = (SELECT session_id FROM places WHERE no = ?) AND synthetic = 0 "
        "ON CONFLICT DO NOTHING",
        (place_no,),
    )
    connection.execute(
        "UPDATE sessions SET ended_at = ? WHERE id = (SELECT session_id FROM places WHERE no = ?)", (seconds, place_no)
    )
    row = connection.execute(
        "INSERT INTO sessions (place_no, started_at, started_offset) VALUES (?, ?, ?) RETURNING id",
        (place_no, seconds, offset),
    ).fetchone()
    connection.execute("UPDATE places SET session_id = ? WHERE no = ?", (row[0], place_no))
    return Session(row[0], join_time(seconds, offset))


def find_summary(connection: sqlite3.Connection, session_id: int) -> tuple[str, int, Trust]:
    """Return a session's summary, the newest exchange id it stands for (0 without one) and how far it is believed.

    A session in which several scopes took part has none: what one of them said would reach the others.
    """
    rows = connection.execute(
        "SELECT summary, upto, trust FROM summaries WHERE session_id = ?1 AND NOT EXISTS ("
        "SELECT 1 FROM exchanges WHERE session_id = ?1 AND scope_no <> summaries.scope_no)",
        (session_id,),
    ).fetchall()
    return (rows[0][0], rows[0][1], load_trust(rows[0][2])) if rows else ("", 0, Trust.FILE)
