"""Finds, before an erase, what else of the same scope repeats what will be erased: answers, quotations, forwards."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from adapters.sqlite.erasure.erasure_rows import list_items, list_versions
from adapters.sqlite.rows.codec import dump_list, load_trace
from adapters.sqlite.rows.documents import list_documents_named
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.scopes import get_id_range
from bot.memory.items import Origin, Part
from bot.memory.learning.retraction import Echo, echo_of, repeats, without
from bot.memory.scope import Scope
from bot.turn import Exchange

_WORD: Final = re.compile(r"[^\W_]+")
_RUN: Final = 6
"""Words in a row that nobody writes by chance as a document has them."""
_BY_IDS: Final = select_exchanges("WHERE id IN (SELECT value FROM json_each(?))")
_OTHERS: Final = select_exchanges(
    "WHERE id BETWEEN ? AND ? AND ((assistant_text <> '' AND id >= ?) OR parts <> '[]') "
    "AND id NOT IN (SELECT value FROM json_each(?))",
    "(SELECT trace FROM traces WHERE traces.id = exchanges.id)",
)


@dataclass(frozen=True, slots=True)
class QuotingExchanges:
    """Exchanges that repeat what is to be erased: in their answers, and in what came with them from somebody else.

    ``echo`` is what gives it away; ``near`` are the exchanges in which a name is enough for that.
    """

    echo: Echo = field(default_factory=lambda: echo_of(""))
    answers: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    near: frozenset[int] = frozenset()


def _search_exchanges(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, exchange_ids: Sequence[int], item_texts: Sequence[str]
) -> QuotingExchanges:
    """Return the later exchanges whose answers, and all whose parts, give away one of these exchanges or items.

    Runs on a reader's thread: it looks through every later answer and every part of the scope.
    """
    ids = dump_list(exchange_ids)
    erased = connection.execute(
        _BY_IDS,
        (ids,),
    ).fetchall()
    if not erased and not item_texts:
        return QuotingExchanges()
    gone = [load_exchange(scope, row) for row in erased]
    echo = echo_of("\n".join([*(text for one in gone for text in _own_texts(one)), *item_texts]))
    uids, sessions = {one.uid for one in gone}, {one.session_id for one in gone}
    low, high = get_id_range(scope_no)
    first = min((one.id for one in gone), default=low)
    others = connection.execute(
        _OTHERS,
        (low, high, first, ids),
    )
    answers, parts, near_ones = [], [], set()
    for *columns, trace in others:
        one = load_exchange(scope, tuple(columns))
        near = one.session_id in sessions or _has_used(trace, uids)
        near_ones |= {one.id} if near else set()
        if one.id >= first and repeats(one.assistant_text, one.said, echo, near=near):
            answers.append(one.id)
        if cut_parts(one, echo, near=near) != one.parts:
            parts.append(one.id)
    return QuotingExchanges(echo, tuple(answers), tuple(parts), frozenset(near_ones))


def cut_parts(exchange: Exchange, echo: Echo, *, near: bool) -> tuple[Part, ...]:
    """Return an exchange's parts without what gives away what is to be erased; a part of which nothing is left goes."""
    left = [
        replace(part, text=without(part.text, echo, near=near, quoted=part.origin is Origin.QUOTED))
        for part in exchange.parts
    ]
    return tuple(after for before, after in zip(exchange.parts, left, strict=True) if after.text or not before.text)


def _own_texts(exchange: Exchange) -> tuple[str, ...]:
    """Return the texts of an exchange that came with it: a quotation's stands elsewhere, and is forgotten there."""
    forwarded = exchange.forwarded
    return (exchange.user_text, forwarded.text if forwarded is not None else "")


def _has_used(trace: bytes | None, uids: set[str]) -> bool:
    return trace is not None and any(memory.exchange in uids for memory in load_trace(trace).memories)


def _find_quoting_files(connection: sqlite3.Connection, scope_no: int, uids: Sequence[str]) -> tuple[int, ...]:
    """Return the exchanges whose answers quote a document that is to be erased: a run of its words.

    Names and codes alone give nothing away, because a document holds hundreds of them that stand elsewhere, too.
    """
    documents = [document for document, _ in list_documents_named(connection, scope_no, uids)]
    runs: set[int] = set()
    for document in documents:
        rows = connection.execute("SELECT text FROM document_chunks WHERE document = ?", (document,))
        for (text,) in rows:
            runs.update(_list_runs(text))
    if not runs:
        return ()
    answers = connection.execute(
        "SELECT id, assistant_text FROM exchanges WHERE id BETWEEN ? AND ? AND assistant_text <> ''",
        get_id_range(scope_no),
    )
    return tuple(exchange for exchange, answer in answers if not runs.isdisjoint(_list_runs(answer)))


def _list_runs(text: str) -> set[int]:
    words = _WORD.findall(text.casefold())
    return {hash(tuple(words[start : start + _RUN])) for start in range(len(words) - _RUN + 1)}


def find_quoting_exchanges(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, uids: tuple[str, ...], item_ids: tuple[int, ...]
) -> QuotingExchanges:
    """Return the exchanges that give away what is to be erased; ``uids`` may name documents, too."""
    found = _find_of_exchanges(connection, scope, scope_no, uids, item_ids)
    files = _find_quoting_files(connection, scope_no, uids)
    return replace(found, answers=tuple(dict.fromkeys((*found.answers, *files)))) if files else found


def _find_of_exchanges(
    connection: sqlite3.Connection, scope: Scope, scope_no: int, uids: tuple[str, ...], item_ids: tuple[int, ...]
) -> QuotingExchanges:
    rows = list_versions(connection, scope_no, uids)
    items = (*list_items(connection, scope_no, [row[1] for row in rows]), *item_ids)
    texts = [
        row[0]
        for item_id in items
        for row in connection.execute("SELECT content FROM items WHERE id = ?", (item_id,)).fetchall()
    ]
    return _search_exchanges(connection, scope, scope_no, [row[0] for row in rows], texts)
