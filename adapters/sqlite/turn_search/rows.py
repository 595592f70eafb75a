"""Reads and writes the tables of recall."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.sqlite.rows.codec import load_parts
from adapters.sqlite.rows.scopes import scope_range
from adapters.sqlite.turn_search.index import add_texts, void
from adapters.sqlite.turn_search.serialisation import ANALYSIS, analysed, read_meanings, read_passages, write_meanings
from bot.memory.parts import Part, forwarded_of
from bot.memory.ranking.transcript import Meaning, Utterance
from language.analyser import Analyser

Place = tuple[int, bool]
"""An utterance: the id of its exchange, and whether it is the assistant's."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An utterance to embed, what was said before it ("" at the beginning), and the names of its scope's authors.

    ``generation`` is the scope's when it was read: what is made of it counts only while nothing was removed.
    """

    exchange: int
    assistant: bool
    text: str
    before: str
    names: tuple[str, ...]
    generation: int


def generation(connection: sqlite3.Connection, scope_no: int) -> int:
    """Return how often something was removed from the scope."""
    row = connection.execute("SELECT generation FROM recall_scopes WHERE scope_no = ?", (scope_no,)).fetchone()
    return int(row[0]) if row else 0


def utterances(
    connection: sqlite3.Connection, words: Analyser, scope_no: int, after: int, limit: int
) -> tuple[list[Utterance], bool]:
    """Return utterances of the scope's exchanges newer than id ``after``, oldest first, and whether there are more.

    Those of about ``limit`` exchanges (at least 2), never half of one.
    """
    low, high = scope_range(scope_no)
    rows = connection.execute(
        "SELECT exchange, assistant, passages, author_id, author_name, session_id, said_at, "
        "CASE WHEN assistant THEN assistant_text ELSE user_text END, analysis = ?, parts "
        "FROM recall_utterances JOIN exchanges ON exchanges.id = exchange "
        "WHERE exchange BETWEEN ? AND ? ORDER BY exchange, assistant LIMIT ?",
        (ANALYSIS, max(low, after + 1), high, 2 * limit),
    ).fetchall()
    more = len(rows) == 2 * limit
    whole = [row for row in rows if row[0] != rows[-1][0]] if more else rows
    return [_utterance(words, row) for row in whole], more


def meanings(
    connection: sqlite3.Connection, model: str, first: int, last: int
) -> list[tuple[int, bool, tuple[Meaning, ...]]]:
    """Return the meanings made by ``model`` of the exchanges with ids from ``first`` to ``last``."""
    rows = connection.execute(
        "SELECT exchange, assistant, vectors, sizes, codes FROM recall_meanings "
        "WHERE exchange BETWEEN ? AND ? AND model = ? ORDER BY exchange, assistant",
        (first, last, model),
    )
    return [
        (exchange, bool(assistant), read_meanings(vectors, sizes, codes))
        for exchange, assistant, vectors, sizes, codes in rows
    ]


def waiting(connection: sqlite3.Connection, limit: int) -> list[Waiting]:
    """Return utterances of the embedding backlog, oldest of the first scopes first."""
    rows = connection.execute(
        "SELECT exchange, assistant FROM recall_backlog ORDER BY exchange LIMIT ?", (limit,)
    ).fetchall()
    return of_places(connection, [(exchange, bool(assistant)) for exchange, assistant in rows])


def of_places(connection: sqlite3.Connection, places: Sequence[Place]) -> list[Waiting]:
    """Return the texts of utterances that still exist."""
    found: list[Waiting] = []
    names: dict[int, tuple[str, ...]] = {}
    for exchange, assistant in places:
        row = connection.execute(
            "SELECT scope_no, session_id, user_text, assistant_text FROM exchanges WHERE id = ?", (exchange,)
        ).fetchone()
        if row is not None:
            scope_no, session, *texts = row
            if scope_no not in names:
                names[scope_no] = author_names(connection, scope_no)
            own = texts[0] if assistant else ""
            before = own if own.strip() else _said_before(connection, session, exchange)
            seen = generation(connection, scope_no)
            found.append(Waiting(exchange, assistant, texts[assistant], before, names[scope_no], seen))
    return found


def _said_before(connection: sqlite3.Connection, session: int, exchange: int) -> str:
    """Return the last utterance of the exchange before this one in its session, "" if it is the first.

    :func:`~adapters.sqlite.turn_search.index.forget_after` must find this exchange from that one.
    """
    row = connection.execute(
        "SELECT user_text, CASE WHEN echo THEN '' ELSE assistant_text END FROM exchanges "
        "WHERE session_id = ? AND id < ? AND replaced_by IS NULL AND NOT synthetic ORDER BY id DESC LIMIT 1",
        (session, exchange),
    ).fetchone()
    user, assistant = row or ("", "")
    return str(assistant if assistant.strip() else user)


def author_names(connection: sqlite3.Connection, scope_no: int) -> tuple[str, ...]:
    """Return the names of who speaks in the scope, of its newest exchanges."""
    low, high = scope_range(scope_no)
    rows = connection.execute(
        "SELECT DISTINCT author_name FROM (SELECT author_name FROM exchanges WHERE id BETWEEN ? AND ? "
        "ORDER BY id DESC LIMIT 500)",
        (low, high),
    )
    return tuple(name for (name,) in rows)


def store_meanings(
    connection: sqlite3.Connection,
    model: str,
    made: Iterable[tuple[int, bool, tuple[Meaning, ...]]],
    seen: Mapping[int, int],
) -> None:
    """Store meanings and take their utterances off the backlog; utterances erased meanwhile stay erased.

    ``seen`` is the generation of each scope number when the texts were read: where something was removed since, it may
    have been a text before these, so that they wait to be embedded again.
    """
    current = {scope_no: generation(connection, scope_no) for scope_no in seen}
    for exchange, assistant, found in made:
        if current[exchange >> 32] != seen[exchange >> 32]:
            continue
        connection.execute(
            "INSERT OR REPLACE INTO recall_meanings SELECT exchange, assistant, ?, ?, ?, ? FROM recall_utterances "
            "WHERE exchange = ? AND assistant = ?",
            (model, *write_meanings(found), exchange, int(assistant)),
        )
        connection.execute(
            "DELETE FROM recall_backlog WHERE exchange = ? AND assistant = ?", (exchange, int(assistant))
        )


def index_missed(connection: sqlite3.Connection, words: Analyser, after: int, limit: int) -> int | None:
    """Index up to ``limit`` exchanges with ids above ``after`` that the index has missed.

    Returns the last id looked at, ``None`` when there was none.
    """
    missed = connection.execute(
        "SELECT id, user_text, CASE WHEN echo THEN '' ELSE assistant_text END FROM exchanges "
        "WHERE id > ? AND NOT synthetic AND replaced_by IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM recall_utterances WHERE exchange = id) ORDER BY id LIMIT ?",
        (after, limit),
    ).fetchall()
    for exchange_id, user_text, assistant_text in missed:
        add_texts(connection, words, exchange_id, user_text, assistant_text)
        void(connection, exchange_id >> 32)
    return missed[-1][0] if missed else None


def queue_others(connection: sqlite3.Connection, model: str) -> None:
    """Put utterances on the backlog that another model has embedded."""
    connection.execute(
        "INSERT OR IGNORE INTO recall_backlog SELECT exchange, assistant FROM recall_meanings WHERE model <> ?",
        (model,),
    )


def forwarded_in(parts: str, text: str) -> Part | None:
    """Return the forward that a row's ``text`` is, ``None`` when its author typed it; no forward has a list of "[]"."""
    if parts == "[]":
        return None
    typed, found = load_parts(parts, text)
    return None if typed else forwarded_of(found)


def _stranger(part: Part) -> int:
    """Return a number for whoever wrote a forward: below zero where only a name is known, so that it is no user's."""
    return part.author_id or -1 - zlib.crc32(part.author.encode())


def _utterance(words: Analyser, row: tuple[Any, ...]) -> Utterance:  # Any: column values
    exchange, assistant, written, author_id, author_name, session, said_at, text, current, parts = row
    if (forwarded := forwarded_in(parts, text)) is not None:
        author_id, author_name = _stranger(forwarded), forwarded.author
    return Utterance(
        exchange=exchange,
        assistant=bool(assistant),
        author_id=author_id,
        author_name=author_name,
        session=session,
        said_at=said_at,
        passages=read_passages(written) if current else analysed(words, text),
        text=text,
    )
