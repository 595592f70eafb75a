"""Rows of the outbox, as the transactions that add to it see them.

The oldest waiting row of a scope is its head.  Keeping that as a column makes the question "what is due?" cost the same
with a hundred thousand rows waiting as with ten.
A document repeats its exchange, so that only what it adds is stored: while long-term memory is down for days, the file
holds every text once.

Versions of what was said: what holds no more is in no index, no memory, no document and no summary.
"""

import re
import sqlite3
from collections.abc import Sequence
from typing import Final

from adapters.sqlite.rows.exchanges import ExchangeIndex, list_authors
from bot.memory.document import parse_source
from bot.memory.sanitise import clean
from bot.memory.scope import Scope
from bot.memory.speakers import list_shared
from bot.turn import Exchange, IndexDocument


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


_USER: Final = "\x01"
_ASSISTANT: Final = "\x02"
"""Marks for the exchange's texts; control characters never come in (:func:`bot.memory.sanitise.clean`)."""
_MARKS: Final = re.compile(f"[{_USER}{_ASSISTANT}]")


def enqueue_document(
    connection: sqlite3.Connection,
    scope_no: int,
    source: str,
    text: str,
    *,
    erase: bool = False,
    exchange_id: int | None = None,
    said: tuple[str, str] = ("", ""),
) -> None:
    """Put a document, or its removal, behind everything of its scope; a ``source`` of "" erases the whole workspace.

    ``text`` is cleaned.  ``said`` are the stored texts of the exchange ``exchange_id``, user's and assistant's.
    """
    if exchange_id is not None:
        for part, mark in sorted(zip(said, (_USER, _ASSISTANT), strict=True), key=lambda pair: -len(pair[0])):
            text = text.replace(part, mark, 1) if part else text
    connection.execute(
        "INSERT INTO outbox (scope_no, source, exchange_id, text, erase, head) VALUES (?1, ?2, ?3, ?4, ?5, "
        "CASE WHEN EXISTS (SELECT 1 FROM outbox WHERE scope_no = ?1 AND dead = 0) THEN 0 ELSE 1 END)",
        (scope_no, source, exchange_id, text, erase),
    )


def index_exchange(connection: sqlite3.Connection, scope_no: int, document: IndexDocument, exchange: Exchange) -> None:
    """Queue the document of an exchange that was just stored, or note that it is for when long-term memory is on."""
    if document.deferred:
        connection.execute("INSERT INTO deferred_documents VALUES (?) ON CONFLICT DO NOTHING", (exchange.id,))
        return
    said = (exchange.said, exchange.assistant_text)
    enqueue_document(connection, scope_no, document.source, clean(document.text), exchange_id=exchange.id, said=said)


def enqueue_exchange(
    connection: sqlite3.Connection, exchange: Exchange, source: str, namesakes: frozenset[str]
) -> None:
    """Queue the document of a stored exchange under the name that it has."""
    answer = "" if exchange.echo else exchange.assistant_text
    text = IndexDocument.from_exchange(exchange, namesakes).text
    enqueue_document(connection, exchange.id >> 32, source, text, exchange_id=exchange.id, said=(exchange.said, answer))


def list_namesakes(connection: sqlite3.Connection, scope: Scope, scope_no: int) -> frozenset[str]:
    """Return the names that several people bear in a scope; one person's alone is not read for it."""
    return frozenset() if scope.personal else list_shared(list_authors(connection, scope_no))


def expand_text(text: str, user_text: str | None, assistant_text: str | None) -> str:
    """Return a document's text with the exchange's texts in the places of their marks."""
    said = {_USER: user_text or "", _ASSISTANT: assistant_text or ""}
    return _MARKS.sub(lambda mark: said[mark.group()], text)


def restore_head(connection: sqlite3.Connection, scope_no: int) -> None:
    """Make the oldest waiting row of a scope its head again after rows were removed, buried or revived."""
    connection.execute("UPDATE outbox SET head = 0 WHERE scope_no = ? AND head = 1", (scope_no,))
    connection.execute(
        "UPDATE outbox SET head = 1 WHERE id = (SELECT min(id) FROM outbox WHERE scope_no = ? AND dead = 0)",
        (scope_no,),
    )


def withdraw_document(connection: sqlite3.Connection, scope_no: int, source: str) -> None:
    """Forget what was to be indexed under ``source``, also as a dead letter, and have it removed.

    To be called while its exchange is still there.  What was deferred never reached long-term memory.
    """
    parsed = parse_source(source)
    deferred = connection.execute(
        "DELETE FROM deferred_documents WHERE exchange_id = (SELECT id FROM exchanges WHERE scope_no = ? AND uid = ?)",
        (scope_no, parsed.uid if parsed is not None else ""),
    )
    if deferred.rowcount:
        return
    connection.execute("DELETE FROM outbox WHERE scope_no = ? AND source = ?", (scope_no, source))
    restore_head(connection, scope_no)
    enqueue_document(connection, scope_no, source, "", erase=True)


def revive_dead_letters(connection: sqlite3.Connection) -> int:
    """Put every dead letter back into its place in the queue and return how many there were."""
    rows = connection.execute(
        "UPDATE outbox SET dead = 0, attempts = 0, posted = 0, next_at = 0, reason = '' WHERE dead = 1 "
        "RETURNING scope_no"
    ).fetchall()
    for scope_no in {row[0] for row in rows}:
        restore_head(connection, scope_no)
    return len(rows)
