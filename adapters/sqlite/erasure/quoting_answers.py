"""Finds, before an erase, what else of the same scope repeats what will be erased: answers, quotations, forwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import orjson

from adapters.sqlite.erasure.erasure_rows import items_of, versions
from adapters.sqlite.rows.codec import load_trace
from adapters.sqlite.rows.exchanges import COLUMNS, exchange_of
from adapters.sqlite.rows.scopes import scope_range
from bot.memory.parts import Origin, Part
from bot.memory.quote_detection import Echo, echo_of, repeats, without
from bot.memory.scope import Scope
from bot.turn import Exchange


@dataclass(frozen=True, slots=True)
class Echoes:
    """Exchanges that repeat what is to be erased: in their answers, and in what came with them from somebody else.

    ``echo`` is what gives it away; ``near`` are the exchanges in which a name is enough for that.
    """

    echo: Echo = field(default_factory=lambda: echo_of(""))
    answers: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    near: frozenset[int] = frozenset()


def find_echoes(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, exchange_ids: Sequence[int], item_texts: Sequence[str]
) -> Echoes:
    """Return the later exchanges whose answers, and all whose parts, give away one of these exchanges or items.

    Runs on a reader's thread: it looks through every later answer and every part of the scope.
    """
    ids = orjson.dumps(exchange_ids).decode()
    erased = connection.execute(
        f"SELECT {COLUMNS} FROM exchanges WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608 - constant columns
        (ids,),
    ).fetchall()
    if not erased and not item_texts:
        return Echoes()
    gone = [exchange_of(scope, row) for row in erased]
    echo = echo_of("\n".join([*(text for one in gone for text in _own(one)), *item_texts]))
    uids, sessions = {one.uid for one in gone}, {one.session_id for one in gone}
    low, high = scope_range(scope_no)
    first = min((one.id for one in gone), default=low)
    others = connection.execute(
        f"SELECT {COLUMNS}, (SELECT trace FROM traces WHERE traces.id = exchanges.id) FROM exchanges "  # noqa: S608 - constant columns
        "WHERE id BETWEEN ? AND ? AND ((assistant_text <> '' AND id >= ?) OR parts <> '[]') "
        "AND id NOT IN (SELECT value FROM json_each(?))",
        (low, high, first, ids),
    )
    answers, parts, near_ones = [], [], set()
    for *columns, trace in others:
        one = exchange_of(scope, tuple(columns))
        near = one.session_id in sessions or _used(trace, uids)
        near_ones |= {one.id} if near else set()
        if one.id >= first and repeats(one.assistant_text, one.said, echo, near=near):
            answers.append(one.id)
        if parts_left(one, echo, near=near) != one.parts:
            parts.append(one.id)
    return Echoes(echo, tuple(answers), tuple(parts), frozenset(near_ones))


def parts_left(exchange: Exchange, echo: Echo, *, near: bool) -> tuple[Part, ...]:
    """Return an exchange's parts without what gives away what is to be erased; a part of which nothing is left goes."""
    left = [
        replace(part, text=without(part.text, echo, near=near, quoted=part.origin is Origin.QUOTED))
        for part in exchange.parts
    ]
    return tuple(after for before, after in zip(exchange.parts, left, strict=True) if after.text or not before.text)


def _own(exchange: Exchange) -> tuple[str, ...]:
    """Return the texts of an exchange that came with it: a quotation's stands elsewhere, and is forgotten there."""
    forwarded = exchange.forwarded
    return (exchange.user_text, forwarded.text if forwarded is not None else "")


def _used(trace: bytes | None, uids: set[str]) -> bool:
    return trace is not None and any(memory.exchange in uids for memory in load_trace(trace).memories)


def echoes_of(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, uids: tuple[str, ...], item_ids: tuple[int, ...]
) -> Echoes:
    """Return the exchanges that give away what is to be erased."""
    rows = versions(connection, scope_no, uids)
    items = (*items_of(connection, scope_no, [row[1] for row in rows]), *item_ids)
    texts = [
        row[0]
        for item_id in items
        for row in connection.execute("SELECT content FROM items WHERE id = ?", (item_id,)).fetchall()
    ]
    return find_echoes(connection, scope, scope_no, [row[0] for row in rows], texts)
