"""Copies chats of a filled store into further chats: the rows that were written for them, without the work.

A chat is a range of ids in every table, and recall looks into the range of one chat alone, so that a copy costs a turn
what a chat of other words would.  Ids, numbers and the user's number are changed, in texts too.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from adapters.sqlite.connection import open_writer
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.derived import list_tables

_NUMBERS: Final = ("scope", "place", "session", "user")
_CHAT: Final = (
    "SELECT scopes.no, places.no, places.session_id, places.chat_id "
    "FROM places JOIN scopes ON scopes.tag LIKE '%\\_u' || places.chat_id ESCAPE '\\' WHERE places.chat_id = ?"
)
_LAST: Final = (
    "SELECT (SELECT max(no) FROM scopes), (SELECT max(no) FROM places), (SELECT max(id) FROM sessions),"
    " (SELECT max(chat_id) FROM places)"
)
_COLUMNS: Final = {
    "scope_no": "scope",
    "place_no": "place",
    "session_id": "session",
    "author_id": "user",
    "chat_id": "user",
    "scopes.no": "scope",
    "places.no": "place",
    "sessions.id": "session",
}
"""What a column holds of a chat, by its name, with its table's where the name alone does not tell."""


def copy_chats(database: Path, users: Iterable[int], copies: int) -> Iterator[int]:
    """Copy the chats of ``users`` in turn until there are ``copies`` more, for users numbered on; yield after each."""
    given = tuple(users)
    with closing(open_writer(database)) as connection:
        statements = tuple(_list_copied(connection))
        for number in range(copies):
            old = connection.execute(_CHAT, (given[number % len(given)],)).fetchone()
            last = connection.execute(_LAST).fetchone()
            values = {f"old_{name}": value for name, value in zip(_NUMBERS, old, strict=True)}
            values |= {f"new_{name}": value + 1 for name, value in zip(_NUMBERS, last, strict=True)}
            connection.execute("BEGIN IMMEDIATE")
            for statement in statements:
                connection.execute(statement, values)
            connection.execute("COMMIT")
            yield number


def _list_copied(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements that copy a chat's rows, those of tables without any left out."""
    yield _copy(connection, "scopes", "no = :old_scope")
    yield _copy(connection, "places", "no = :old_place")
    yield _copy(connection, "sessions", "place_no = :old_place")
    for table in list_tables(ROOMS):
        if connection.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone() is None:  # noqa: S608 - a table of ours
            continue
        if table.ranged:
            span = ":old_scope << 32 AND (:old_scope + 1 << 32) - 1"
            yield _copy(connection, table.name, f"{table.ranged} BETWEEN {span}", table.ranged)
        elif table.numbered:
            yield _copy(connection, table.name, f"{table.numbered} = :old_scope")


def _copy(connection: sqlite3.Connection, table: str, condition: str, ranged: str = "") -> str:
    kinds = {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")}
    if ranged == "rowid":
        kinds = {"rowid": "INTEGER", **kinds}
    copied = ", ".join(_change(table, column, kinds) for column in kinds)
    return f"INSERT INTO {table} ({', '.join(kinds)}) SELECT {copied} FROM {table} WHERE {condition}"  # noqa: S608 - as above


def _change(table: str, column: str, kinds: Mapping[str, str]) -> str:
    """Return what stands in a column of a copy: ids of the chat's range are moved to the new range."""
    name = _COLUMNS.get(f"{table}.{column}") or _COLUMNS.get(column)
    if name is not None:
        return f":new_{name}"
    if kinds[column] == "INTEGER":
        moved = f"{column} + (:new_scope - :old_scope << 32)"
        return f"CASE {column} >> 32 WHEN :old_scope THEN {moved} ELSE {column} END"
    if kinds[column] in {"TEXT", ""}:
        return f"replace({column}, :old_user, :new_user)"
    return column
