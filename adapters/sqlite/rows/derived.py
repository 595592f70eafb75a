"""What a store keeps, room by room: the one list that erase, undo, moves, back-ups and recovery walk over.

A room declares its tables, how each of them says whose a row is, and what becomes of it.  Whoever walks knows no table
by name, so that nothing with words of people can be left out: a table that no room declares fails a test, and a feature
is taken away with the line that names its room (:data:`~adapters.sqlite.rooms.ROOMS`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final

from adapters.sqlite.rows.codec import dump_list, get_id_range, join_time
from adapters.sqlite.rows.exchanges import ExchangeIndex
from bot.messages import Address
from bot.ports.eraser import KeptText
from bot.turn import Exchange
from language.analyser import Analyser

_SCHEMA: Final = Path(__file__).parents[1] / "schema"
ALL_ROWS: Final = "1 = 1"


class Owner(Enum):
    """With what a single erase takes rows away."""

    EXCHANGE = "exchange"
    ITEM = "item"
    DOCUMENT = "document"
    CHUNK = "chunk"


@dataclass(frozen=True, slots=True)
class Table:
    """A table, also a virtual one, and what becomes of its rows; columns and conditions are SQL of ours.

    Whose a row is: ``ranged`` is a column with ids of the scope's range, ``numbered`` one with the scope's number, and
    ``owners`` the columns with ids of what a row goes with when that alone is erased.  For a table with none of them
    ``why`` says what takes its rows, or why nothing need.
    Rows are deleted, or changed by ``cleared``, where ``cleared_where`` holds.
    """

    name: str
    ranged: str = ""
    numbered: str = ""
    owners: Mapping[Owner, str] = field(default_factory=dict)
    why: str = ""
    cleared: str = ""
    cleared_where: str = ALL_ROWS
    shown: str = ""
    """What a receipt calls rows that are still there, "" for what others stand for; it counts those of ``counted``."""
    counted: str = ALL_ROWS
    held: str = ""
    """Which deleted rows an undo brings back: a condition on OLD."""
    restored: bool = False
    """Whether an undo also brings back changed values."""
    spare: str = ""
    """Which rows of a back-up may take the place of lost ones: what is under way would be done twice."""
    remade: bool = False
    """Made anew from other rows after a recovery and an undo, and never copied."""
    finished: str = ""
    """What a back-up makes of rows that a restart would do once more."""
    place: str = ""
    """The column with the number of a place, which follows when two places become one."""


@dataclass(frozen=True, slots=True)
class Room:
    """A part of the store: ``schema/<file>.sql`` makes its tables.

    ``name`` stands in every database that exists, with ``version``: a change of the schema raises it.
    All functions run inside the transaction that erases, takes back or recovers; ``None`` has nothing to do then.
    """

    name: str
    tables: tuple[Table, ...] = ()
    version: int = 1
    file: str = ""
    index: ExchangeIndex | None = None
    """Kept exact with exchanges."""
    forget: Callable[[sqlite3.Connection, int, Sequence[str]], None] | None = None
    """Before exchanges of a scope number go, by uid; () when only something else goes."""
    revise: Callable[[sqlite3.Connection, Rooms, int, Address, Exchange], None] | None = None
    """When an edited message was stored in a place: take back what its earlier versions asked for or brought."""
    forget_scope: Callable[[sqlite3.Connection, int], None] | None = None
    """Before all of a scope number goes."""
    remake: Callable[[sqlite3.Connection, Analyser, int | None], None] | None = None
    """Make what is ``remade`` for rows that came back: of a scope number, or of all after a recovery."""
    repair: Callable[[sqlite3.Connection], None] | None = None
    """Make rows that were saved from damage fit together."""
    look: Callable[[sqlite3.Connection, int], Iterable[KeptText]] | None = None
    """Texts of a scope number that no exchange and no item stands for, for ``/forget``; not how well they match."""
    drop: Callable[[sqlite3.Connection, int, str], int] | None = None
    """Erase one of those texts by the end of its name (``<room>:<key>``) and return how many rows that were."""

    dropped: tuple[str, ...] = ()
    """Tables of earlier versions whose rows nobody waits for any more."""

    def read_schema(self) -> str:
        """Return the statements that make the room's tables; "" for one without."""
        return (_SCHEMA / f"{self.file}.sql").read_text(encoding="utf-8") if self.file else ""


Rooms = tuple[Room, ...]


def list_tables(rooms: Rooms) -> tuple[Table, ...]:
    """Return the tables of all rooms."""
    return tuple(table for room in rooms for table in room.tables)


def list_indexes(rooms: Rooms) -> tuple[ExchangeIndex, ...]:
    """Return what is kept exact with exchanges."""
    return tuple(room.index for room in rooms if room.index is not None)


def clear_owned(connection: sqlite3.Connection, rooms: Rooms, owner: Owner, *spans: tuple[int, int]) -> None:
    """Clear every row that goes with one of these ids of one scope, given as first and last of a span."""
    for table in list_tables(rooms):
        if owner not in table.owners:
            continue
        narrowed = f" AND {table.numbered} = ?1 >> 32" if table.numbered else ""  # the index begins with it
        statement = f"{_clear(table)} AND {table.owners[owner]} BETWEEN ?1 AND ?2{narrowed}"
        connection.executemany(statement, spans)


def clear_scope(connection: sqlite3.Connection, rooms: Rooms, scope_no: int) -> None:
    """Clear every row of a scope."""
    for table, condition, values in _list_of_scope(rooms, scope_no):
        connection.execute(f"{_clear(table)} AND {condition}", values)


def count_owned(
    connection: sqlite3.Connection, rooms: Rooms, owner: Owner, ids: Sequence[int]
) -> list[tuple[str, int]]:
    """Return how many rows are there that go with these ids, by the name of a receipt."""
    listed = dump_list(ids)
    listed_ids = "IN (SELECT value FROM json_each(?))"
    return [
        (table.shown, _count(connection, table, f"{table.owners[owner]} {listed_ids}", listed))
        for table in list_tables(rooms)
        if table.shown and owner in table.owners
    ]


def count_scope(connection: sqlite3.Connection, rooms: Rooms, scope_no: int) -> list[tuple[str, int]]:
    """Return how many rows of a scope are there, by the name of a receipt."""
    of_scope = _list_of_scope(rooms, scope_no)
    return [(each.shown, _count(connection, each, which, *values)) for each, which, values in of_scope if each.shown]


def _list_of_scope(rooms: Rooms, scope_no: int) -> Iterator[tuple[Table, str, tuple[int, ...]]]:
    """Yield the tables that have rows of a scope, each with the condition for them and its values."""
    for table in list_tables(rooms):
        if table.ranged:
            yield table, f"{table.ranged} BETWEEN ? AND ?", get_id_range(scope_no)
        elif table.numbered:
            yield table, f"{table.numbered} = ?", (scope_no,)


def look_up_untold(
    connection: sqlite3.Connection, scope_no: int, room: str, table: str, columns: str
) -> Iterator[KeptText]:
    """Yield texts of a room's table whose words no exchange of theirs holds: the others are found, and go, with it.

    ``columns`` are what is shown, its author's id and name, and when it was made.
    """
    rows = connection.execute(
        f"SELECT id, {columns} FROM {table} WHERE id BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM exchanges "  # noqa: S608 - named by a room
        f"WHERE exchanges.scope_no = ? AND uid = exchange AND instr(user_text, {table}.text) > 0)",
        (*get_id_range(scope_no), scope_no),
    )
    for number, text, by, name, at in rows:
        yield KeptText(f"{room}:{number}", text, 0.0, False, by, name, said_at=join_time(at))


def _clear(table: Table) -> str:
    return f"{table.cleared or f'DELETE FROM {table.name}'} WHERE {table.cleared_where}"  # noqa: S608 - declared in our own code


def _count(connection: sqlite3.Connection, table: Table, condition: str, *values: object) -> int:
    query = f"SELECT count(*) FROM {table.name} WHERE {table.cleared_where} AND {table.counted} AND {condition}"  # noqa: S608 - declared in our own code
    return int(connection.execute(query, values).fetchone()[0])
