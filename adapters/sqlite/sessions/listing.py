"""The sessions of a place, as far as one scope took part in them."""

from __future__ import annotations

import sqlite3
from typing import Final

from adapters.sqlite.rows.codec import join_time
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from adapters.sqlite.rows.sessions import resolve_key
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.turn_store import SessionListing, SessionPage

_OPENINGS: Final = 5
"""First messages that are read to make a title: the very first may be a greeting."""
_COUNT: Final = (
    "SELECT count(*) FROM sessions WHERE place_no = ?1 AND EXISTS (SELECT 1 FROM exchanges "
    "WHERE session_id = sessions.id AND exchanges.id BETWEEN ?2 AND ?3 AND replaced_by IS NULL)"
)
_PAGE: Final = (
    "SELECT sessions.id, started_at, started_offset, count(*), max(said_at), "
    "coalesce((SELECT title FROM session_marks WHERE session_id = sessions.id AND scope_no = ?4), ''), "
    "coalesce((SELECT summary FROM summaries WHERE session_id = sessions.id AND scope_no = ?4), '') "
    "FROM sessions JOIN exchanges ON session_id = sessions.id "
    "WHERE sessions.place_no = ?1 AND exchanges.id BETWEEN ?2 AND ?3 AND replaced_by IS NULL "
    "GROUP BY sessions.id ORDER BY max(said_at) DESC, sessions.id DESC LIMIT ?5 OFFSET ?6"
)
_FIRST: Final = (
    "SELECT user_text FROM exchanges WHERE session_id = ? AND id BETWEEN ? AND ? AND replaced_by IS NULL "
    "AND user_text <> '' ORDER BY id LIMIT ?"
)


def list_sessions(
    connection: sqlite3.Connection, address: Address, scope: Scope, limit: int, offset: int
) -> SessionPage:
    """Return a page of the sessions in which something was said for a scope, the newest first."""
    place = connection.execute(
        "SELECT no, session_id FROM places WHERE key = ?", (resolve_key(connection, address),)
    ).fetchone()
    scope_no = find_scope(connection, scope)
    if place is None or scope_no is None:
        return SessionPage((), 0)
    low, high = get_id_range(scope_no)
    (total,) = connection.execute(_COUNT, (place[0], low, high)).fetchone()
    rows = connection.execute(_PAGE, (place[0], low, high, scope_no, limit, offset)).fetchall()
    return SessionPage(
        tuple(
            SessionListing(
                id=session_id,
                started_at=join_time(started_at, started_offset),
                active_at=join_time(active_at, started_offset),
                exchanges=count,
                title=title,
                summary=summary,
                openings=tuple(
                    text for (text,) in connection.execute(_FIRST, (session_id, low, high, _OPENINGS)).fetchall()
                ),
                current=session_id == place[1],
            )
            for session_id, started_at, started_offset, count, active_at, title, summary in rows
        ),
        total,
    )
