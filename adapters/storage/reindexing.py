"""Puts every exchange that long-term memory should hold back into the outbox: for a server that lost its data.

The conversation store is the truth; long-term memory can always be made again from it.
Documents keep their names, so that a server that still has one recognises it.
"""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Final

from adapters.storage.database import Database
from adapters.storage.exchange_rows import COLUMNS, exchange_of
from adapters.storage.outbox_rows import enqueue, revive
from bot.memory.document import render_document
from bot.memory.scope import Scope

_BATCH: Final = 200


async def index_again(database: Database) -> int:
    """Queue the documents of all exchanges that had one and return how many; those already queued are left alone.

    What was given up goes back into the queue first, and counts.

    Done in pieces, so that messages are accepted meanwhile; doing it again queues nothing twice.
    """
    queued, after = await database.write(revive), 0
    while True:
        found, after = await database.write(partial(_batch, after=after))
        queued += found
        if not after:
            return queued


def _batch(connection: sqlite3.Connection, after: int) -> tuple[int, int]:
    """Queue the next exchanges with an id above ``after``; return how many, and the last id (0 at the end)."""
    rows = connection.execute(
        f"SELECT {COLUMNS}, scope_no, tag, source FROM exchanges JOIN scopes ON scopes.no = scope_no "  # noqa: S608 - constant columns
        "WHERE id > ? AND source <> '' AND replaced_by IS NULL ORDER BY id LIMIT ?",
        (after, _BATCH),
    ).fetchall()
    queued = 0
    for *columns, scope_no, tag, source in rows:
        waiting = connection.execute("SELECT 1 FROM outbox WHERE scope_no = ? AND source = ?", (scope_no, source))
        if waiting.fetchone() is not None:
            continue
        said = exchange_of(Scope(tag), tuple(columns))
        answer = "" if said.echo else said.assistant_text
        text = render_document(
            tag=tag,
            uid=said.uid,
            said_at=said.said_at,
            skill=said.skill,
            author_name=said.author.name,
            user_text=said.user_text,
            assistant_text=answer,
        )
        enqueue(connection, scope_no, source, text, exchange_id=said.id, said=(said.user_text, answer))
        queued += 1
    return queued, rows[-1][0] if rows else 0
