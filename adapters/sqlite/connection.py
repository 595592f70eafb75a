"""Opens connections to the one SQLite file and translates its errors.

WAL with ``synchronous=FULL``: a commit that was acknowledged survives a power cut; NORMAL lost them in 79 of 80
simulated ones.  ``secure_delete`` overwrites what is deleted, because people are promised that erased means erased.

Brings a file to the schema this Mneme knows, too, and refuses one from a newer Mneme.  Each room has one file of
statements and a version (:mod:`~adapters.sqlite.rows.derived`); what a file of an earlier version has not is made.
"""

import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from adapters.sqlite.rows.derived import Rooms
from bot.errors import ConfigInvalid, MnemeError, StorageDamaged, StorageUnavailable

_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_QUOTED_SCHEMA: Final = b"malformed database schema"
"""Begins SQLite's message about a damaged schema, which quotes it: not always text, and then Python cannot raise it."""
_NO_TEXT: Final = "Could not decode to UTF-8"
"""Begins Python's message about a text that a flipped bit has broken, which quotes the text."""
_TEMPORARY: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOLFS,
    }
)

_OURS: Final = "let us read and write it and its folder (chown, chmod u+rw)"
_REMEDIES: Final = {
    sqlite3.SQLITE_FULL: "the disk is full: make room",
    sqlite3.SQLITE_IOERR: "the disk is full or failing: make room, or look at it",
    sqlite3.SQLITE_READONLY: _OURS,
    sqlite3.SQLITE_CANTOPEN: _OURS,
    sqlite3.SQLITE_PERM: _OURS,
    sqlite3.SQLITE_BUSY: "another program writes to it",
}

PATIENT_MS: Final = 5000
"""How long a statement waits for another program that writes to the file."""
IMPATIENT_MS: Final = 50
"""The same once that was in vain: every answer would wait for it several times."""
_COMMON: Final = (f"PRAGMA busy_timeout = {PATIENT_MS}", "PRAGMA secure_delete = ON")
_WRITER: Final = (
    "PRAGMA cache_size = -16000",  # KiB; what a reader keeps is void with every commit, so that 2,000 are enough
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA wal_autocheckpoint = 8000",  # pages; p99 of a commit 1.05 ms instead of 3.6 ms with 1000
    "PRAGMA journal_size_limit = 67108864",  # bytes of WAL kept after a checkpoint
)


def create_file(path: Path) -> None:
    """Make the folder and an empty file that only its owner can read, unless they exist."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def open_writer(path: Path) -> sqlite3.Connection:
    """Return the connection that writes; transactions are begun and ended explicitly."""
    connection = _connect(path)
    for statement in _COMMON + _WRITER:
        connection.execute(statement).fetchone()
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Return a connection that sees committed data only and cannot change it."""
    connection = _connect(path)
    for statement in (*_COMMON, "PRAGMA query_only = ON"):
        connection.execute(statement).fetchone()
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False, cached_statements=512)


def translate_error(error: Exception, path: Path) -> MnemeError | None:
    """Return the error of our own tree that ``error`` means, ``None`` for a mistake in our SQL.

    The text names the file and SQLite's reason (https://www.sqlite.org/rescode.html), never a value.
    """
    if _meets_no_text(error):
        return StorageDamaged(f"{path} is damaged (bytes that are no text); what is readable is recovered now")
    if isinstance(error, OSError):  # of a file beside it, that stands and falls with its rows
        remedy = _REMEDIES[sqlite3.SQLITE_FULL] if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else _OURS
        return StorageUnavailable(f"{path} cannot be used now ({error.strerror}: {error.filename}): {remedy}")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    reason = getattr(error, "sqlite_errorname", "unknown")
    if code & 0xFF in _DAMAGED:
        return StorageDamaged(f"{path} is damaged ({reason}); what is readable is recovered now, or at the next start")
    if code & 0xFF in _TEMPORARY:
        remedy = _REMEDIES.get(code & 0xFF, "")
        return StorageUnavailable(f"{path} cannot be used now ({reason}){remedy and f': {remedy}'}")
    return None


def is_locked(error: BaseException) -> bool:
    """Return whether SQLite was kept from writing by another program that writes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _meets_no_text(error: Exception) -> bool:
    if isinstance(error, UnicodeDecodeError):
        return bytes(error.object).startswith(_QUOTED_SCHEMA)
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith(_NO_TEXT)


def open_aside(path: Path) -> sqlite3.Connection:
    """Open a file without ever writing to it; the write-ahead log beside it is read, too."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    opened.text_factory = lambda raw: raw.decode(errors="replace")
    return opened


_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT"


CREATED: Final = re.compile(r"CREATE (VIRTUAL TABLE|TABLE|UNIQUE INDEX|INDEX|TRIGGER) (\w+)")
"""What a statement of a schema makes: its kind and its name."""


def is_older(connection: sqlite3.Connection, rooms: Rooms) -> bool:
    """Return whether a file has been written, by an earlier Mneme, and is to be migrated."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'").fetchone() is None:
        return False
    return _differs(connection, rooms)


def migrate(connection: sqlite3.Connection, rooms: Rooms, path: Path) -> None:
    """Bring a file to the schema of the rooms, in one transaction: tables, columns and indexes that it has not.

    Raises :class:`~bot.errors.ConfigInvalid` for a file that a newer Mneme has written; it is left as it was.
    """
    with transaction(connection):
        connection.execute(_VERSIONS)
        refuse_newer(connection, rooms, str(path))
        if _differs(connection, rooms):
            _make_missing(connection, rooms)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is done inside, or take all of it back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def read_versions(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the versions of the rooms' tables that are there."""
    return dict(connection.execute("SELECT component, version FROM schema_versions"))


def _differs(connection: sqlite3.Connection, rooms: Rooms) -> bool:
    present = read_versions(connection)
    return any(present.get(room.name) != room.version for room in rooms)


def refuse_newer(connection: sqlite3.Connection, rooms: Rooms, named: str) -> None:
    """Raise :class:`~bot.errors.ConfigInvalid` for a store of a newer Mneme, ``named`` as people know it."""
    known = {room.name: room.version for room in rooms}
    for name, version in read_versions(connection).items():
        if version > known.get(name, 0):
            raise ConfigInvalid(
                f"{named} was written by a newer Mneme ({name} schema {version}, this one knows {known.get(name, 0)}): "
                "update Mneme or choose another data folder"
            )


def _make_missing(connection: sqlite3.Connection, rooms: Rooms) -> None:
    """Run the statements of what is not there, and bring the tables that are to the columns they should have."""
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as wanted:
        for statement in (each for room in rooms for each in split_statements(room.read_schema())):
            wanted.execute(statement)
            found = CREATED.search(statement)
            if found is None or found[2] not in present:
                connection.execute(statement)
            elif found[1] == "TABLE":
                _align(connection, wanted, found[2], statement)
    for table in (each for room in rooms for each in room.dropped):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    note_versions(connection, rooms)


def note_versions(connection: sqlite3.Connection, rooms: Rooms) -> None:
    """Note the versions that the rooms' tables have now."""
    connection.executemany(
        "INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version",
        [(room.name, room.version) for room in rooms],
    )


def _align(connection: sqlite3.Connection, wanted: sqlite3.Connection, table: str, statement: str) -> None:
    """Add the columns that a table has not; make it anew where its key is another, columns it had not by default."""
    query = f'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info({table!r})'  # noqa: S608 - a name of the schema
    there, want = (each.execute(query).fetchall() for each in (connection, wanted))
    known = {row[0] for row in there}
    if {row[0] for row in there if row[4]} == {row[0] for row in want if row[4]}:
        for name, kind, required, default, _ in want:
            if name not in known:
                rest = (" NOT NULL" if required else "") + ("" if default is None else f" DEFAULT {default}")
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}{rest}")
        return
    columns = ", ".join(row[0] for row in want if row[0] in known)
    connection.execute(f"ALTER TABLE {table} RENAME TO {table}_before")
    connection.execute(statement)
    connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {table}_before")  # noqa: S608 - as above
    connection.execute(f"DROP TABLE {table}_before")


def split_statements(script: str) -> Iterator[str]:
    """Yield the statements one by one: ``executescript`` would commit in between."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
