"""Versions of what was said: what holds no more is in no index, no memory, no document and no summary."""

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.rows.exchanges import ExchangeIndex
from adapters.sqlite.rows.outbox import enqueue_exchange, list_namesakes, withdraw_document
from bot.turn import Exchange


def replace_versions(
    connection: sqlite3.Connection,
    indexes: Sequence[ExchangeIndex],
    scope_no: int,
    old: Sequence[tuple[int, str, str]],
    by: int | None,
) -> None:
    """Let an edited message stand for its earlier versions (id, uid and document), in all that was derived from them.

    ``by`` is the id of the exchange that holds, ``None`` where that is in another memory.
    Where there is none of them nothing is done: an index that removes anything is void in part.
    """
    if not old:
        return
    for old_id, uid, source in old:
        connection.execute("UPDATE exchanges SET replaced_by = ? WHERE id = ?", (old_id if by is None else by, old_id))
        connection.execute(
            "UPDATE items SET superseded_by = 0 WHERE superseded_by IS NULL AND scope_no = ?1 AND exchange = ?2 "
            "AND (source = 'edit' OR NOT EXISTS "
            "(SELECT 1 FROM item_sources WHERE item_id = items.id AND exchange <> ?2))",
            (scope_no, uid),
        )
        drop_summary(connection, scope_no, old_id)
        if source:
            withdraw_document(connection, scope_no, source)
    for index in indexes:
        index.remove(connection, scope_no, tuple(row[0] for row in old))


def remake_document(connection: sqlite3.Connection, scope_no: int, source: str, exchange: Exchange) -> None:
    """Have an exchange's document removed and hand what is left of it to long-term memory again.

    A mere question is worth nothing there; neither is an exchange in whose place an edit has put another.
    """
    withdraw_document(connection, scope_no, source)
    answer = "" if exchange.echo else exchange.assistant_text
    if not answer and exchange.said.rstrip().endswith("?"):
        connection.execute("UPDATE exchanges SET source = '' WHERE id = ?", (exchange.id,))
        return
    enqueue_exchange(connection, exchange, source, list_namesakes(connection, exchange.scope, scope_no))


def drop_summary(connection: sqlite3.Connection, scope_no: int, exchange_id: int) -> None:
    """Forget a summary that stands for this exchange: the verbatim turns take its place again."""
    connection.execute(
        "DELETE FROM summaries WHERE scope_no = ?1 AND upto >= ?2 "
        "AND session_id = (SELECT session_id FROM exchanges WHERE id = ?2)",
        (scope_no, exchange_id),
    )
