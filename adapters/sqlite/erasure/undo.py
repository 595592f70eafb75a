"""Holds what an erase takes away for as long as it can be taken back, and brings it back exactly.

The erase itself is whole and happens at once: nothing can find what is held.  Triggers note every row that it deletes
or changes, whichever part of it does so, with all columns that the schema has; undoing is to play the notes
backwards.  What is derived (words, vectors, the search index) is made anew.
Long-term memory hears of the erase when it lapses; until then its answers are sifted (:func:`list_withheld`).
"""

import math
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from adapters.sqlite.rows.codec import CLEAN_DUE, dump_list, get_id_range, join_time, list_column, write_meta
from adapters.sqlite.rows.derived import Rooms, list_indexes, list_tables
from adapters.sqlite.rows.documents import remove_documents
from adapters.sqlite.rows.exchanges import load_exchange, select_exchanges
from adapters.sqlite.rows.outbox import replace_versions, restore_head
from adapters.sqlite.said_words import SaidWords
from bot.memory.scope import Scope
from bot.ports.eraser import Erase, Restored
from language.analyser import Analyser

_EXCHANGE: Final = select_exchanges("WHERE id = ?", "place_no", "replaced_by")
_SINCE_EDITED: Final = (
    "SELECT old.id, old.uid, old.source, max(new.id) FROM exchanges AS old JOIN exchanges AS new "
    "ON new.place_no = old.place_no AND new.message_id = old.message_id AND new.id > old.id "
    "AND new.scope_no = old.scope_no AND new.replaced_by IS NULL "
    "WHERE old.id IN (SELECT value FROM json_each(?)) AND old.replaced_by IS NULL AND old.message_id <> 0 "
    "GROUP BY old.id, old.uid, old.source"
)
"""What came back and was edited meanwhile, with its newest version."""
_SENT_AGAIN: Final = (
    "SELECT id FROM documents AS old WHERE id BETWEEN ?1 AND ?2 AND EXISTS (SELECT 1 FROM documents AS new "
    "WHERE new.id BETWEEN ?1 AND ?2 AND new.id > old.id AND (new.hash = old.hash OR new.folded = old.folded))"
)
"""Documents that came back and that, or a newer version of which, was sent meanwhile."""
KNOWN_S: Final = 86_400.0
"""Seconds for which it is known of an erase that is final whose it was: who wants it back is told that it is gone."""
_CLOCKS_S: Final = 3600.0
"""Seconds by which an edit may bear an earlier time than the erase before it: platforms have clocks of their own."""


@contextmanager
def hold_erased(
    connection: sqlite3.Connection,
    rooms: Rooms,
    uid: str,
    scope_no: int,
    author_id: int,
    *,
    made_at: float,
    lasts_s: float,
) -> Iterator[None]:
    """Hold what is erased inside, for so long, if at all: rows, and what long-term memory would have been told."""
    if lasts_s or author_id:
        held = (uid, scope_no, author_id, made_at, made_at + lasts_s if lasts_s else 0)
        connection.execute("INSERT INTO held VALUES (?, ?, ?, ?, ?)", held)
    if not lasts_s:
        yield
        return
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM outbox").fetchone()
    with getattr(connection, "note_changes", partial(_note_changes, connection, rooms))(uid):  # PostgreSQL has its own
        yield
    connection.execute(
        "INSERT INTO held_documents SELECT ?, id, scope_no, source, exchange_id, text, erase FROM outbox "
        "WHERE scope_no = ? AND id > ?",
        (uid, scope_no, last),
    )
    connection.execute("DELETE FROM outbox WHERE scope_no = ? AND id > ?", (scope_no, last))
    restore_head(connection, scope_no)


@contextmanager
def _note_changes(connection: sqlite3.Connection, rooms: Rooms, uid: str) -> Iterator[None]:
    """Note in ``held_rows``, under ``uid``, what is deleted and changed inside of what the rooms hold."""
    number = f"(SELECT coalesce(max(seq), 0) + 1 FROM held_rows WHERE uid = '{uid}')"  # noqa: S608 - a uid of ours
    names = []
    tables = list_tables(rooms)
    for table, condition in ((each.name, each.held) for each in tables if each.held):
        columns = _list_columns(connection, table)
        values = " || ', ' || ".join(f"quote(OLD.{column})" for column in columns)
        names.append(f"hold_{table}")
        connection.execute(
            f"CREATE TEMP TRIGGER {names[-1]} AFTER DELETE ON main.{table} WHEN {condition} BEGIN "  # noqa: S608 - our own schema
            f"INSERT INTO held_rows SELECT '{uid}', {number}, '{table}', '', NULL, "
            f"'({', '.join(columns)}) VALUES (' || {values} || ')'; END"
        )
    for table in (each.name for each in tables if each.restored):
        for column in _list_columns(connection, table):
            names.append(f"hold_{table}_{column}")
            connection.execute(
                f"CREATE TEMP TRIGGER {names[-1]} AFTER UPDATE OF {column} ON main.{table} "
                f"WHEN OLD.{column} IS NOT NEW.{column} BEGIN INSERT INTO held_rows "
                f"SELECT '{uid}', {number}, '{table}', '{column}', OLD.rowid, quote(OLD.{column}); END"
            )
    try:
        yield
    finally:
        for name in names:
            connection.execute(f"DROP TRIGGER temp.{name}")


def _list_columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]


def find_undoable(
    connection: sqlite3.Connection, scope_no: int, author_id: int | None, uid: str, now: float
) -> str | None:
    """Return the newest erase of a scope that this author may take back now (``None``: anybody's), or the one named."""
    row = connection.execute(
        "SELECT uid FROM held WHERE scope_no = ?1 AND (?2 IS NULL OR author_id IN (0, ?2)) AND (?3 = '' OR uid = ?3) "
        "AND ?4 BETWEEN made_at - 1 AND lapses_at ORDER BY made_at DESC LIMIT 1",
        (scope_no, author_id, uid, now),
    ).fetchone()
    return None if row is None else str(row[0])


def list_erases(
    connection: sqlite3.Connection, scope_no: int, author_id: int, since: float, now: float, *, anyones: bool
) -> tuple[Erase, ...]:
    """Return this author's erases since then, newest first; ``anyones`` adds others' that can be taken back now."""
    rows = connection.execute(
        "SELECT uid, made_at FROM held WHERE scope_no = ? AND made_at >= ? AND (author_id IN (0, ?) OR lapses_at >= ?) "
        "ORDER BY made_at DESC",
        (scope_no, since, author_id, now if anyones else math.inf),
    ).fetchall()
    return tuple(Erase(str(uid), join_time(made_at)) for uid, made_at in rows)


def undo_erase(
    connection: sqlite3.Connection, rooms: Rooms, words: Analyser, scope: Scope, scope_no: int, uid: str
) -> Restored:
    """Undo an erase that is held and return what came back."""
    rows = connection.execute(
        "SELECT tab, col, key, was FROM held_rows WHERE uid = ? ORDER BY seq DESC", (uid,)
    ).fetchall()
    (made_at,) = connection.execute("SELECT made_at FROM held WHERE uid = ?", (uid,)).fetchone()
    before = _list_ids(connection, scope_no)
    connection.execute("UPDATE outbox SET head = 0 WHERE scope_no = ?", (scope_no,))
    touched = set()
    inserted = dict[str, int]()
    for table, column, key, was in rows:
        if column:
            connection.execute(f"UPDATE {table} SET {column} = {was} WHERE id = ?", (key,))  # noqa: S608 - written by our triggers, quoted by the database
            touched |= {key} if table == "exchanges" else set()
        else:
            came = connection.execute(f"INSERT INTO {table} {was} ON CONFLICT DO NOTHING").rowcount
            inserted[table] = inserted.get(table, 0) + came
            if table == "outbox":  # two rows were the oldest of their scope, one after the other
                connection.execute("UPDATE outbox SET head = 0 WHERE scope_no = ?", (scope_no,))
    again = list_column(connection, _SENT_AGAIN, *get_id_range(scope_no))
    remove_documents(connection, rooms, scope_no, again)
    restore_head(connection, scope_no)
    after = _list_ids(connection, scope_no)
    exchanges, items = after[0] - before[0], after[1] - before[1]
    _reindex(connection, rooms, scope, exchanges | touched)
    back = dump_list(sorted(exchanges))
    for *old, by in connection.execute(_SINCE_EDITED, (back,)).fetchall():
        replace_versions(connection, list_indexes(rooms), scope_no, [(old[0], old[1], old[2])], by)
    said = SaidWords(connection, list_indexes(rooms), words.stems, scope, scope_no)
    said.retract_again(made_at - _CLOCKS_S)
    for room in rooms:
        if room.remake is not None:
            room.remake(connection, words, scope_no)
    connection.execute("UPDATE scopes SET epoch = epoch + 1 WHERE no = ?", (scope_no,))
    _forget_held(connection, uid)
    changed = len(touched - exchanges)
    files = inserted.get("documents", 0) - len(again)
    return Restored(len(exchanges), len(items), files, changed, inserted.get("reminders", 0))


def finish_lapsed(connection: sqlite3.Connection, now: float | None) -> int:
    """Make final what can no longer be taken back (``None``: everything) and return how many erases that were.

    A clock that was set back behind the moment of an erase ends it, too: it must not be held for longer than was said.
    """
    if now is not None:
        connection.execute("DELETE FROM held WHERE lapses_at = 0 AND made_at < ?", (now - KNOWN_S,))
    rows = connection.execute(
        "SELECT uid, scope_no FROM held "
        "WHERE lapses_at > 0 AND (?1 IS NULL OR NOT ?1 BETWEEN made_at - 1 AND lapses_at)",
        (now,),
    ).fetchall()
    for uid, scope_no in rows:
        connection.execute(
            "INSERT INTO outbox (scope_no, source, exchange_id, text, erase, head) "
            "SELECT scope_no, source, exchange_id, text, erase, 0 FROM held_documents WHERE uid = ? ORDER BY seq",
            (uid,),
        )
        restore_head(connection, scope_no)
        _forget_held(connection, uid, final=True)
        write_meta(connection, CLEAN_DUE)
    return len(rows)


def forget_held_of_scope(connection: sqlite3.Connection, scope_no: int) -> None:
    """Drop what is held of all erases of a scope."""
    for uid in list_column(connection, "SELECT uid FROM held WHERE scope_no = ?", scope_no):
        _forget_held(connection, uid)


def _forget_held(connection: sqlite3.Connection, uid: str, *, final: bool = False) -> None:
    """Drop what is held of one erase; of one that is ``final`` it stays known for a while who made it when."""
    connection.execute("DELETE FROM held_rows WHERE uid = ?", (uid,))
    connection.execute("DELETE FROM held_documents WHERE uid = ?", (uid,))
    gone = "UPDATE held SET lapses_at = 0 WHERE uid = ?" if final else "DELETE FROM held WHERE uid = ?"
    connection.execute(gone, (uid,))


def list_withheld(connection: sqlite3.Connection, scope: Scope) -> frozenset[str]:
    """Return the documents that are erased here and that long-term memory may still show."""
    query = (
        "SELECT source FROM held_documents WHERE erase = 1 AND scope_no = (SELECT no FROM scopes WHERE tag = ?1) "
        "UNION SELECT source FROM outbox WHERE erase = 1 AND scope_no = (SELECT no FROM scopes WHERE tag = ?1)"
    )
    return frozenset(list_column(connection, query, scope.tag))


def _list_ids(connection: sqlite3.Connection, scope_no: int) -> tuple[set[int], set[int]]:
    limits = get_id_range(scope_no)
    exchanges = list_column(connection, "SELECT id FROM exchanges WHERE id BETWEEN ? AND ?", *limits)
    return set(exchanges), set(list_column(connection, "SELECT id FROM items WHERE id BETWEEN ? AND ?", *limits))


def _reindex(connection: sqlite3.Connection, rooms: Rooms, scope: Scope, exchange_ids: set[int]) -> None:
    """Make search indexes and places anew for what came back; vectors follow by themselves."""
    indexes = list_indexes(rooms)
    for exchange_id in sorted(exchange_ids):
        row = connection.execute(_EXCHANGE, (exchange_id,)).fetchone()
        if row is None:
            continue
        *columns, place_no, replaced_by = row
        exchange, scope_no = load_exchange(scope, tuple(columns)), exchange_id >> 32
        for index in indexes:
            index.remove(connection, scope_no, (exchange_id,))
            if not exchange.synthetic and replaced_by is None:
                index.add(connection, scope_no, exchange_id, exchange)
        connection.execute(
            "UPDATE places SET last_exchange = ?1 WHERE no = ?2 AND "
            "(last_exchange IS NULL OR (last_exchange < ?1 AND last_exchange >> 32 = ?1 >> 32))",
            (exchange_id, place_no),
        )
