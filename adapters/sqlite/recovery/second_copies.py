"""Puts exchanges back whose rows are lost, from the documents that long-term memory has of them.

Whom they belong to, when and where they were said stands in the indexes, which have pages of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final

from adapters.sqlite.recovery.pages import Value
from adapters.sqlite.recovery.trees import Forest
from bot.memory.document import parse_document, parse_source
from bot.memory.items import Trust

SecondCopies = Callable[[], Iterable[tuple[str, str]]]
"""Yields the names and texts of documents."""
EXCHANGE_NAMES: Final = "sqlite_autoindex_exchanges_1"
"""The index of UNIQUE (scope_no, uid)."""
_INSERT: Final = (
    "INSERT OR IGNORE INTO exchanges "
    "(id, scope_no, uid, session_id, place_no, message_id, author_id, author_name, trust, user_text, "
    "assistant_text, said_at, said_offset, skill, synthetic, echo, source, answer_trust) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)"
)


def list_missing(forest: Forest, new: sqlite3.Connection) -> dict[tuple[str, str], int]:
    """Return the ids of exchanges that an index still knows and no row holds, by scope tag and uid."""
    tags = dict(new.execute("SELECT no, tag FROM scopes").fetchall())
    kept = {number for (number,) in new.execute("SELECT id FROM exchanges")}
    named = ((str(tags.get(no, no)), str(uid), number) for no, uid, number in forest.list_rows(EXCHANGE_NAMES))
    return {(tag, uid): number for tag, uid, number in named if isinstance(number, int) and number not in kept}


def restore_missing(forest: Forest, new: sqlite3.Connection, copies: SecondCopies) -> int:
    """Insert the lost exchanges that have a document; return how many rows that were.

    One that passed on somebody else's words is left out: a document does not say whose with certainty.
    """
    missing = list_missing(forest, new)
    if not missing:
        return 0
    said = {row[2]: row[1] for row in forest.list_rows("exchanges_said")}
    sessions = {row[1]: row[0] for row in forest.list_rows("exchanges_session")}
    messages = {row[2]: row[:2] for row in forest.list_rows("exchanges_message")}
    restored = 0
    for name, text in copies():
        source, parsed = parse_source(name), parse_document(text)
        if source is None or parsed is None or parsed.forwarded is not None:
            continue
        number = missing.get((source.tag, source.uid))
        if number is None:
            continue
        session = sessions.get(number, 0)
        place, message_id = messages.get(number) or (_find_place(new, session), 0)
        author_id, trust = _find_author(new, number >> 32, parsed.author_name)
        local = parsed.said_at or source.said_at
        offset = local.utcoffset() or timedelta()
        row = (
            number, number >> 32, source.uid, session, place, message_id, author_id, parsed.author_name, trust,
            parsed.user_text, parsed.assistant_text, said.get(number, source.said_at.timestamp()),
            int(offset.total_seconds()) // 60, parsed.skill, name, int(parsed.answer_trust),
        )  # fmt: skip
        restored += new.execute(_INSERT, row).rowcount
    return restored


def _find_place(new: sqlite3.Connection, session: Value) -> int:
    row = new.execute("SELECT place_no FROM sessions WHERE id = ?", (session,)).fetchone()
    return 0 if row is None else int(row[0])


def _find_author(new: sqlite3.Connection, scope_no: int, name: str) -> tuple[int, int]:
    """Return who has that name in a scope, with the least trust they had there; nobody if several or none have it."""
    rows: list[Any] = new.execute(  # Any: column values
        "SELECT author_id, min(trust) FROM exchanges WHERE scope_no = ? AND author_name = ? GROUP BY author_id",
        (scope_no, name),
    ).fetchall()
    return rows[0] if len(rows) == 1 else (0, int(Trust.FILE))
