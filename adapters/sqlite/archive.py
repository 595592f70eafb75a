"""Reads all of a scope in one snapshot, record by record.

On a connection of its own: the threads that answer questions stay free, and a long export holds nobody up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import orjson

from adapters.sqlite.database import Database
from adapters.sqlite.lists import LIST_ITEMS, load_item
from adapters.sqlite.reminders import load_reminder, select_reminders
from adapters.sqlite.rows.codec import Row, find_scope, get_id_range, join_time
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.items import load_items, select_items
from bot.memory.chunking import DocumentChunk
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.ports.lists import ListItem
from bot.ports.reminders import Reminder
from bot.ports.transfer import ArchivedDocument, ArchivedItem, ArchivedRow, ArchivedSession, ArchivedTurn

T = TypeVar("T")

_LATER: Final = "(SELECT uid FROM exchanges AS later WHERE later.id = exchanges.replaced_by)"
_TURNS: Final = select_exchanges("WHERE id BETWEEN ? AND ? ORDER BY id", _LATER)
_TURN: Final = select_exchanges("WHERE id = ?", _LATER)
_BY_DATE: Final = (
    "SELECT id FROM exchanges WHERE id BETWEEN ? AND ? AND replaced_by IS NULL AND synthetic = 0 ORDER BY said_at, id"
)
_WORDED: Final = "SELECT text FROM digest_lines WHERE exchange = ? AND written = 1 ORDER BY line"
_SESSIONS: Final = (
    "SELECT sessions.id, places.key, started_at, started_offset, ended_at, "
    "(SELECT value FROM meta WHERE meta.key = 'skill of session ' || sessions.id), "
    "(SELECT title FROM session_marks WHERE session_id = sessions.id AND scope_no = ?3) FROM sessions "
    "LEFT JOIN places ON places.no = place_no "
    "WHERE sessions.id IN (SELECT DISTINCT session_id FROM exchanges WHERE id BETWEEN ?1 AND ?2) ORDER BY sessions.id"
)
_ITEMS: Final = select_items("WHERE id BETWEEN ? AND ? ORDER BY id", "uses", "restated")
_SOURCES: Final = "SELECT exchange FROM item_sources WHERE item_id = ? ORDER BY exchange"
_REMINDERS: Final = select_reminders("WHERE reminders.id BETWEEN ? AND ? ORDER BY reminders.id")
_DOCUMENTS: Final = (
    "SELECT id, uid, name, title, kind, url, author_id, author_name, trust, added_at, added_offset, pages, cut, hash, "
    "coalesce((SELECT exchange FROM document_messages WHERE document = documents.id ORDER BY entry LIMIT 1), '') "
    "FROM documents WHERE id BETWEEN ? AND ? ORDER BY id"
)
_CHUNKS: Final = "SELECT headings, text, page FROM document_chunks WHERE document = ? ORDER BY id"
_SETTINGS: Final = (
    "SELECT DISTINCT platform, chat_settings.chat_id, language, memory, streaming, time_zone, quiet_from, quiet_to, "
    "scope FROM chat_settings JOIN places ON door = platform AND places.bot_id = chat_settings.bot_id "
    "AND places.chat_id = chat_settings.chat_id "
    "WHERE places.no IN (SELECT DISTINCT place_no FROM exchanges WHERE id BETWEEN ? AND ?) ORDER BY 1, 2"
)
_SETTING_FIELDS: Final = (
    *("platform", "chat_id", "language", "memory", "streaming", "time_zone", "quiet_from", "quiet_to", "scope"),
)
_USAGE: Final = (
    "SELECT day, model, kind, prompt, cached, completion, reasoning, calls, CASE WHEN billed = 1 THEN cost END, "
    "cache_writes FROM usage WHERE scope_no = ? ORDER BY day, model, kind, billed"
)
_USAGE_FIELDS: Final = (
    *("day", "model", "kind", "prompt", "cached", "completion", "reasoning", "calls", "cost", "cache_writes"),
)


def read_snapshot(database: Database, scope: Scope, work: Callable[[SqliteSnapshot], T]) -> T:
    """Run ``work`` (blocking) on a snapshot of everything committed of a scope and return its result.

    Raises :class:`~bot.errors.StorageUnavailable`.
    """
    try:
        connection = database.open_reader()
        try:
            connection.execute("BEGIN")
            return work(SqliteSnapshot(connection, scope))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise database.explain(error) from error


class SqliteSnapshot:
    """The port :class:`~bot.ports.transfer.ScopeSnapshot` on a connection inside a transaction."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._scope_no = find_scope(connection, scope)
        self._range = get_id_range(self._scope_no)

    def list_sessions(self) -> Iterator[ArchivedSession]:
        for row in self._connection.execute(_SESSIONS, (*self._range, self._scope_no)):
            key, place, started_at, offset, ended_at, skill, title = row
            ended = None if ended_at is None else join_time(ended_at, offset)
            yield ArchivedSession(key, place or "", join_time(started_at, offset), ended, title or "", skill or "")

    def list_turns(self) -> Iterator[ArchivedTurn]:
        for row in self._connection.execute(_TURNS, self._range):
            yield self._build_turn(row)

    def list_turns_by_date(self) -> Iterator[ArchivedTurn]:
        for (exchange_id,) in self._connection.execute(_BY_DATE, self._range):
            yield self._build_turn(self._connection.execute(_TURN, (exchange_id,)).fetchone())

    def list_items(self) -> Iterator[ArchivedItem]:
        """Yield every structured memory, oldest first; one that is damaged is reported and left out."""
        for *columns, uses, restated in self._connection.execute(_ITEMS, self._range):
            for item in load_items([tuple(columns)]):
                sources = self._connection.execute(_SOURCES, (item.id,))
                yield ArchivedItem(item, uses, restated, tuple(uid for (uid,) in sources))

    def list_documents(self) -> Iterator[ArchivedDocument]:
        for row in self._connection.execute(_DOCUMENTS, self._range):
            number, uid, name, title, kind, url, author_id, author, trust, added_at, offset, pages, cut, of, said = row
            chunks = tuple(
                DocumentChunk(tuple(orjson.loads(headings)), text, page)
                for headings, text, page in self._connection.execute(_CHUNKS, (number,))
            )
            about = (uid, name, title, kind, url, author_id, author, Trust(trust), join_time(added_at, offset))
            yield ArchivedDocument(*about, pages, bool(cut), of, said, chunks)

    def list_rows(self) -> Iterator[ArchivedRow]:
        for row in self._connection.execute(_SETTINGS, self._range):
            yield ArchivedRow("settings", dict(zip(_SETTING_FIELDS, row, strict=True)))
        for row in self._connection.execute(_USAGE, (self._scope_no,)):
            yield ArchivedRow("usage", dict(zip(_USAGE_FIELDS, row, strict=True)))
        for row in self._connection.execute(_REMINDERS, self._range):
            yield ArchivedRow("reminders", _describe_reminder(load_reminder(row)))
        for row in self._connection.execute(LIST_ITEMS, self._range):
            yield ArchivedRow("lists", _describe_listed(load_item(row)))

    def _build_turn(self, row: Row) -> ArchivedTurn:
        *columns, later = row
        said = load_exchange(self._scope, tuple(columns))
        worded = self._connection.execute(_WORDED, (said.id,))
        return ArchivedTurn(
            uid=said.uid,
            session=said.session_id,
            said_at=said.said_at,
            author_id=said.author.id,
            author_name=said.author.name,
            trust=said.author.trust,
            text=said.user_text,
            answer=said.assistant_text,
            answer_trust=said.answer_trust,
            parts=said.parts,
            skill=said.skill,
            synthetic=said.synthetic,
            echo=said.echo,
            message_id=said.message_id,
            replaced_by=later or "",
            chronicle=tuple(text for (text,) in worded),
        )


def _describe_listed(item: ListItem) -> dict[str, Any]:  # Any: JSON values
    closed = item.closed
    return {
        "number": item.number,
        "key": item.key,
        "list": item.title or item.key,
        "text": item.text,
        "state": item.state.name.lower(),
        "added_by": item.added.by,
        "added_name": item.added.name,
        "added_at": item.added.at.isoformat(),
        "exchange": item.added.exchange,
        "closed_by": closed.by if closed is not None else 0,
        "closed_name": closed.name if closed is not None else "",
        "closed_at": closed.at.isoformat() if closed is not None else None,
        "closed_exchange": closed.exchange if closed is not None else "",
    }


def _describe_reminder(reminder: Reminder) -> dict[str, Any]:  # Any: JSON values
    """Return a reminder as it is carried away; times of day stand in its zone."""
    due, fired = reminder.wake_at, reminder.fired_at
    return {
        "number": reminder.number,
        "text": reminder.text,
        "due": due.isoformat() if due is not None else None,
        "start": reminder.start.isoformat(),
        "zone": reminder.zone,
        "rule": reminder.repetition.dump() if reminder.repetition is not None else "",
        "asker_id": reminder.asker_id,
        "asker_name": reminder.asker_name,
        "place": reminder.address.key,
        "said": fired.isoformat() if fired is not None else None,
        "passes": reminder.passes,
        "language": reminder.language,
        "direct": reminder.direct,
        "exchange": reminder.exchange,
    }
