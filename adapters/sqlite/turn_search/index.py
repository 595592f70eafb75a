"""Writes the recall index inside the transaction that stores or removes exchanges.

Words are indexed at once, so that a turn is found the moment it is committed; embedding is slower and only noted here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from adapters.sqlite.turn_search.serialisation import ANALYSIS, analysed, write_passages
from bot.turn import Exchange
from language.analyser import Analyser


def answer_of(exchange: Exchange) -> str:
    """Return the answer as far as it can be evidence: one that only repeats memory is none."""
    return "" if exchange.echo else exchange.assistant_text


class RecallIndex:
    """The hook :class:`~adapters.sqlite.rows.derived_index.Derived` for the local channel."""

    def __init__(self, words: Analyser | None = None) -> None:
        self._words = words or Analyser()

    def added(self, connection: sqlite3.Connection, scope_no: int, exchange_id: int, exchange: Exchange) -> None:
        """Index both utterances of an exchange, whoever's words the first is, and put them on the backlog."""
        add_texts(connection, self._words, exchange_id, exchange.said, answer_of(exchange))

    def removed(self, connection: sqlite3.Connection, scope_no: int, exchange_ids: tuple[int, ...]) -> None:
        """Forget exchanges and what their successors' meanings hold of them; void what memory holds of the scope."""
        forget_after(connection, exchange_ids)
        for table in ("recall_utterances", "recall_meanings", "recall_backlog"):
            connection.executemany(
                f"DELETE FROM {table} WHERE exchange = ?",  # noqa: S608 - constant table names
                [(exchange_id,) for exchange_id in exchange_ids],
            )
        void(connection, scope_no)


def forget_after(connection: sqlite3.Connection, exchange_ids: Iterable[int]) -> None:
    """Put the exchange after each of these back on the backlog: a text is embedded with the one before it."""
    for exchange_id in exchange_ids:
        row = connection.execute(
            "SELECT id FROM exchanges WHERE session_id = (SELECT session_id FROM exchanges WHERE id = ?1) AND id > ?1 "
            "AND replaced_by IS NULL AND NOT synthetic ORDER BY id LIMIT 1",
            (exchange_id,),
        ).fetchone()
        if row is not None:
            connection.execute("DELETE FROM recall_meanings WHERE exchange = ?", row)
            connection.execute(
                "INSERT OR IGNORE INTO recall_backlog SELECT exchange, assistant FROM recall_utterances "
                "WHERE exchange = ?",
                row,
            )


def void(connection: sqlite3.Connection, scope_no: int) -> None:
    """Make everybody who holds the scope's utterances in memory read them again."""
    connection.execute(
        "INSERT INTO recall_scopes VALUES (?, 1) ON CONFLICT DO UPDATE SET generation = generation + 1", (scope_no,)
    )


def add_texts(
    connection: sqlite3.Connection, words: Analyser, exchange_id: int, user_text: str, assistant_text: str
) -> None:
    """Index the texts of an exchange that hold anything."""
    for assistant, text in ((0, user_text), (1, assistant_text)):
        if not text.strip():
            continue
        row = (exchange_id, assistant, ANALYSIS, write_passages(analysed(words, text)))
        connection.execute("INSERT OR REPLACE INTO recall_utterances VALUES (?, ?, ?, ?)", row)
        connection.execute("INSERT OR REPLACE INTO recall_backlog VALUES (?, ?)", (exchange_id, assistant))
