"""Finds, before an erase, later answers of the same scope that repeat what will be erased."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import orjson

from adapters.storage.codec import load_trace
from adapters.storage.erasure_rows import items_of, versions
from adapters.storage.scopes import scope_range
from bot.memory.repetition import echo_of, repeats


def find_echoes(
    connection: sqlite3.Connection, scope_no: int, exchange_ids: Sequence[int], item_texts: Sequence[str]
) -> tuple[int, ...]:
    """Return the exchanges whose answers give away one of these exchanges or items.

    Runs on a reader's thread: it looks through every later answer of the scope.
    """
    ids = orjson.dumps(exchange_ids).decode()
    erased = connection.execute(
        "SELECT id, uid, session_id, user_text FROM exchanges WHERE id IN (SELECT value FROM json_each(?))", (ids,)
    ).fetchall()
    if not erased and not item_texts:
        return ()
    echo = echo_of("\n".join([*(row[3] for row in erased), *item_texts]))
    uids, sessions = {row[1] for row in erased}, {row[2] for row in erased}
    low, high = scope_range(scope_no)
    first = min((row[0] for row in erased), default=low)
    later = connection.execute(
        "SELECT exchanges.id, session_id, user_text, assistant_text, trace FROM exchanges "
        "LEFT JOIN traces ON traces.id = exchanges.id "
        "WHERE exchanges.id BETWEEN ? AND ? AND assistant_text <> '' "
        "AND exchanges.id NOT IN (SELECT value FROM json_each(?))",
        (first, high, ids),
    )
    return tuple(
        exchange_id
        for exchange_id, session_id, question, answer, trace in later
        if repeats(answer, question, echo, near=session_id in sessions or _used(trace, uids))
    )


def _used(trace: bytes | None, uids: set[str]) -> bool:
    return trace is not None and any(memory.exchange in uids for memory in load_trace(trace).memories)


def echoes_of(
    connection: sqlite3.Connection, scope_no: int, uids: tuple[str, ...], item_ids: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the exchanges whose answers give away what is to be erased."""
    rows = versions(connection, scope_no, uids)
    items = (*items_of(connection, scope_no, [row[1] for row in rows]), *item_ids)
    texts = [
        row[0]
        for item_id in items
        for row in connection.execute("SELECT content FROM items WHERE id = ?", (item_id,)).fetchall()
    ]
    return find_echoes(connection, scope_no, [row[0] for row in rows], texts)
