"""Moves a whole store from one engine to the other, table by table, in the order of their keys.

Rows go over in batches, each of which is committed.  So a move that was cut off goes on behind the last row that is
there.  Until every table was compared the target bears a mark, and no Mneme runs on it.
Numbers that were given once are never given again on the other side either.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from adapters.postgres.connection import PostgresConnection
from adapters.sqlite.connection import split_statements
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.undo import finish_lapsed
from adapters.sqlite.rows.codec import MOVING, delete_meta, read_meta, write_meta
from adapters.sqlite.rows.derived import Rooms, list_tables
from bot.errors import ConfigInvalid, StorageDamaged

_BATCH: Final = 500
Row = tuple[Any, ...]  # Any: column values


@dataclass(frozen=True, slots=True)
class MovedTable:
    """How many rows a table has on both sides, and the checksum of all of them."""

    name: str
    rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class _Shape:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """Where the key stands among the columns."""
        return tuple(map(self.columns.index, self.key))


async def move_store(
    source: Database, target: Database, tell: Callable[[str, int], None] = lambda *_: None
) -> tuple[MovedTable, ...]:
    """Copy everything from one open store to another, compare both, and return what went over.

    ``tell`` is called with a table and how many more of its rows are there.
    What could still be taken back (``/undo``) becomes final: the notes of one engine are none of the other's.
    Raises :class:`~bot.errors.ConfigInvalid` for a target that has something of its own, and
    :class:`~bot.errors.StorageDamaged` where both sides differ in the end; then the target keeps its mark.
    """
    await source.write(lambda connection: finish_lapsed(connection, None))
    await target.write(_begin)
    shapes = _list_shapes(source.rooms)
    with closing(source.open_reader()) as reading:
        reading.execute("BEGIN")
        for shape in shapes:
            await _copy(reading, target, shape, tell)
        counters = _read_counters(reading)
        await target.write(lambda connection: _set_counters(connection, counters))
        moved = []
        for shape in shapes:
            here, there = _sum_up(reading, shape), await target.read(partial(_sum_up, shape=shape))
            if here != there:
                raise StorageDamaged(
                    f"{shape.name} differs between both sides ({here.rows} rows, {there.rows}): begin with an empty one"
                )
            moved.append(here)
    await target.write(_end)
    return tuple(moved)


def _begin(connection: sqlite3.Connection) -> None:
    (rows,) = connection.execute(
        "SELECT (SELECT count(*) FROM exchanges) + (SELECT count(*) FROM journal) + (SELECT count(*) FROM scopes)"
    ).fetchone()
    if rows and read_meta(connection, MOVING) is None:
        raise ConfigInvalid("there is a memory already: name an empty database, or put the mneme.db here aside")
    write_meta(connection, MOVING)


def _end(connection: sqlite3.Connection) -> None:
    delete_meta(connection, MOVING)
    connection.execute("ANALYZE")  # so much at once is not known to the planner yet


def _list_shapes(rooms: Rooms) -> tuple[_Shape, ...]:
    """Return what every table looks like, by its own statement."""
    shapes = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        for statement in (each for room in rooms for each in split_statements(room.read_schema())):
            made.execute(statement)
        for table in list_tables(rooms):
            described = made.execute(f"SELECT name, pk FROM pragma_table_info({table.name!r})").fetchall()  # noqa: S608 - a name of the schema
            columns = tuple(name for name, _ in described)
            key = tuple(name for name, place in sorted(described, key=lambda each: int(each[1])) if place)
            shapes.append(
                _Shape(table.name, columns, key) if key else _Shape(table.name, ("rowid", *columns), ("rowid",))
            )
    return tuple(shapes)


async def _copy(reading: sqlite3.Connection, target: Database, shape: _Shape, tell: Callable[[str, int], None]) -> None:
    last = await target.read(lambda connection: _find_last(connection, shape))
    places = ", ".join("?" * len(shape.columns))
    statement = f"INSERT INTO {shape.name} ({', '.join(shape.columns)}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608 - names of the schema
    if shape.name.endswith("_fts"):
        statement = statement.removesuffix(" ON CONFLICT DO NOTHING")  # a virtual table knows no conflict
    for batch in _read_batches(reading, shape, last):
        await target.write(partial(_insert, statement=statement, rows=batch))
        tell(shape.name, len(batch))


def _insert(connection: sqlite3.Connection, statement: str, rows: list[Row]) -> None:
    connection.executemany(statement, rows)


def _find_last(connection: sqlite3.Connection, shape: _Shape) -> Row | None:
    """Return the key of the last row that is there; the values of ``meta`` were not all there from the beginning."""
    if shape.name == "meta":
        return None
    backwards = ", ".join(f"{column} DESC" for column in shape.key)
    row: Row | None = connection.execute(
        f"SELECT {', '.join(shape.key)} FROM {shape.name} ORDER BY {backwards} LIMIT 1"  # noqa: S608 - names of the schema
    ).fetchone()
    return row


def _read_batches(connection: sqlite3.Connection, shape: _Shape, last: Row | None = None) -> Iterator[list[Row]]:
    """Yield the rows behind a key in the order of their keys; the mark of a move belongs to no side."""
    query = f"SELECT {', '.join(shape.columns)} FROM {shape.name}"  # noqa: S608 - names of the schema
    key = ", ".join(shape.key)
    behind = f" WHERE ({key}) > ({', '.join('?' * len(shape.key))})"
    while True:
        where, values = (behind, last) if last is not None else ("", ())
        rows = connection.execute(f"{query}{where} ORDER BY {key} LIMIT {_BATCH}", values).fetchall()
        if kept := [tuple(row) for row in rows if shape.name != "meta" or row[0] != MOVING]:
            yield kept
        if len(rows) < _BATCH:
            return
        last = tuple(rows[-1][place] for place in shape.places)


def _sum_up(connection: sqlite3.Connection, shape: _Shape) -> MovedTable:
    """Count and sum up a table: numbers, texts and bytes look the same from both engines."""
    count, checksum = 0, hashlib.sha256()
    for batch in _read_batches(connection, shape):
        count += len(batch)
        checksum.update("".join(map(repr, batch)).encode())
    return MovedTable(shape.name, count, checksum.hexdigest())


_IDENTITIES: Final = (
    "SELECT relname, pg_get_serial_sequence(relname, attname) FROM pg_attribute "
    "JOIN pg_class ON pg_class.oid = attrelid "
    "JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = current_schema() AND attidentity <> ''"
)


def _read_counters(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the last number that each table has given to a row, which may be gone."""
    if not isinstance(connection, PostgresConnection):
        return dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    given = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "
    return {
        table: connection.execute(given + sequence).fetchone()[0]
        for table, sequence in connection.execute(_IDENTITIES).fetchall()
    }


def _set_counters(connection: sqlite3.Connection, counters: dict[str, int]) -> None:
    if isinstance(connection, PostgresConnection):
        for table, sequence in connection.execute(_IDENTITIES).fetchall():
            column = "no" if table in ("scopes", "places") else "id"
            query = f"SELECT greatest(coalesce(max({column}), 0), ?) FROM {table}"  # noqa: S608 - names of the schema
            last = connection.execute(query, (counters.get(table, 0),)).fetchone()[0]
            connection.execute("SELECT setval(?, ?, ? = 1)", (sequence, max(last, 1), last > 0)).fetchone()
        return
    for (table,) in connection.execute("SELECT name FROM sqlite_sequence").fetchall():
        connection.execute(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (counters.get(table, 0), table)
        )
    known = {row[0] for row in connection.execute("SELECT name FROM sqlite_sequence")}
    ours = ("journal", "deliveries", "outbox", "sessions", "pairing_codes")
    rows = [(table, last) for table, last in counters.items() if table in ours and table not in known]
    connection.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", rows)
