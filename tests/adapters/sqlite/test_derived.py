"""Whatever a store keeps is declared by a room, and goes with its scope (P20)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.sqlite.connection import migrate
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.derived import ALL_ROWS, Rooms, Table, clear_owned, clear_scope, list_tables
from tests.adapters.sqlite.old_stores import unpack

WORDS = "turnip moon"
SCOPE_NO = 3
ID = SCOPE_NO << 32 | 5


@pytest.fixture
def store(tmp_path: Path) -> sqlite3.Connection:
    """A new file with all tables."""
    path = tmp_path / "mneme.db"
    opened = sqlite3.connect(path, isolation_level=None)
    migrate(opened, ROOMS, path)
    return opened


def fill(store: sqlite3.Connection, table: Table) -> None:
    """Insert a row of the scope that holds words wherever it can."""
    info = store.execute(f"PRAGMA table_info({table.name})").fetchall()
    row = {}
    for _, name, kind, *_ in info:
        numbers = {"REAL": 1.0, "INTEGER": ID, "BLOB": WORDS.encode()}
        row[name] = numbers.get(kind, f"{WORDS} {name}")
    row |= {"state": 2} if "state" in row else {}
    row |= {"rowid": ID} if "rowid" in (table.ranged, *table.owners.values()) else {}
    row |= {"scope_no": SCOPE_NO} if "scope_no" in row else {}
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    store.execute(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 - our own tables


def list_leftovers(store: sqlite3.Connection, tables: list[Table]) -> list[str]:
    """Return the tables in which the words still stand; what is in the sum of all is no scope's any more."""
    found = []
    for table in tables:
        condition = f"{table.cleared_where} AND {table.numbered or 1} <> 0"
        rows = store.execute(f"SELECT * FROM {table.name} WHERE {condition}").fetchall()  # noqa: S608 - our own tables
        values = [value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row]
        found += [table.name] if any(WORDS.encode() in value for value in values) else []
    return found


def test_every_table_and_index_is_declared(store: sqlite3.Connection) -> None:
    """A feature that adds a table without saying what becomes of it does not get through."""
    declared = list(_list_undeclared(store, ROOMS))
    store.execute("CREATE TABLE secret_notes (id INTEGER PRIMARY KEY, words TEXT)")
    store.execute("CREATE INDEX notes_words ON secret_notes (words)")
    store.execute("CREATE VIRTUAL TABLE notes_fts USING fts5 (body)")
    found = set(_list_undeclared(store, ROOMS))

    assert declared == []
    assert {"table secret_notes", "index notes_words", "table notes_fts", "table notes_fts_data"} <= found


@pytest.mark.parametrize("commit", ["2ab0e03", "4b5cb4e", "6a874ea"])
def test_a_store_of_an_earlier_version_holds_nothing_undeclared(tmp_path: Path, commit: str) -> None:
    """What only an old version had would be reached by no erase."""
    path = unpack(commit, tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        migrate(opened, ROOMS, path)

        assert list(_list_undeclared(opened, ROOMS)) == []


def test_an_erased_scope_leaves_no_row_in_any_table(store: sqlite3.Connection) -> None:
    """Red when a table that holds words is declared without a column that says whose a row is."""
    tables = [table for table in list_tables(ROOMS) if table.ranged or table.numbered]
    for table in tables:
        fill(store, table)
    there = list_leftovers(store, tables)
    for room in ROOMS:
        if room.forget_scope is not None:
            room.forget_scope(store, SCOPE_NO)
    clear_scope(store, ROOMS, SCOPE_NO)

    assert len(there) > 25
    assert list_leftovers(store, tables) == []


def test_what_goes_with_one_id_goes_with_it_alone(store: sqlite3.Connection) -> None:
    """A single erase clears every table that says it goes with that, and nothing of the id beside it."""
    owned = [(table, owner) for table in list_tables(ROOMS) for owner in table.owners]
    for table in dict.fromkeys(table.name for table, _ in owned):
        fill(store, next(one for one, _ in owned if one.name == table))
    tables = [table for table, _ in owned]
    for _, owner in owned:
        clear_owned(store, ROOMS, owner, (ID + 1, ID + 1))
    beside = list_leftovers(store, tables)
    for _, owner in owned:
        clear_owned(store, ROOMS, owner, (ID, ID))

    assert len(set(beside)) > 10
    assert list_leftovers(store, tables) == []


def test_a_table_that_keeps_its_rows_says_why() -> None:
    """And no table says two things."""
    for table in list_tables(ROOMS):
        assert bool(table.why) != bool(table.ranged or table.numbered or table.owners), table.name
        assert not (table.remade and (table.spare or table.held)), table.name
        assert not table.spare or table.spare == ALL_ROWS or "wake_at" in table.spare, table.name


def _list_undeclared(connection: sqlite3.Connection, rooms: Rooms) -> Iterator[str]:
    """Yield what stands in a file and is no room's: tables, indexes of such, and what is not said to go or stay."""
    declared = {table.name: table for table in list_tables(rooms)}
    virtual = {
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")
    }
    for kind, name, table in connection.execute("SELECT type, name, tbl_name FROM sqlite_master").fetchall():
        own = {one for one in virtual if table.startswith(f"{one}_")} or {table}
        if not table.startswith("sqlite_") and table != "schema_versions" and not own <= declared.keys():
            yield f"{kind} {name}"
    for table in declared.values():
        if not (table.ranged or table.numbered or table.owners or table.why):
            yield f"table {table.name}: nobody says whose its rows are"
