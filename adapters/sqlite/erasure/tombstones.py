"""The tombstone log: a file beside the database that remembers what was erased.

It holds names only, no texts.  A back-up that is older than an erase brings the rows back; the log takes them away
again when the file is opened.

Receipts stand in the database, written in the transaction that erases: counts and a moment, no text and no name.  An
erase of everything takes the earlier ones with it, and leaves its own.
"""

import errno
import os
import sqlite3
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson
import structlog

from adapters.sqlite.database import Store, reading
from adapters.sqlite.rows.codec import find_scope, join_time
from adapters.sqlite.rows.derived import ALL_ROWS, Room, Table
from bot.errors import ScopeMissing, StorageUnavailable
from bot.memory.scope import Scope
from bot.ports.eraser import ErasureRecord


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One erase: of ``exchanges`` and documents, by uid, or of the whole scope (``None``).

    A whole scope was erased up to the numbers ``upto`` of its exchanges, items and documents; what came later has
    higher ones, whatever the clocks say.
    """

    scope: Scope
    exchanges: tuple[str, ...] | None
    upto: tuple[int, int, int] = (0, 0, 0)
    uid: str = field(default_factory=lambda: uuid.uuid4().hex)


def append(path: Path, stone: Tombstone) -> None:
    """Write a tombstone durably, before the erase itself: a crash in between is made good at the next start.

    A torn line that an earlier crash left behind is ended first.
    """
    _write(path, {"uid": stone.uid, "scope": stone.scope.tag, "exchanges": stone.exchanges, "upto": stone.upto})


def _write(path: Path, fields: dict[str, Any]) -> None:  # Any: JSON
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            line = (b"\n" if torn else b"") + orjson.dumps(fields) + b"\n"
            if os.write(descriptor, line) < len(line):  # what a disk does that has room for a part of it
                os.ftruncate(descriptor, size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be written: {error.strerror}; nothing was erased") from error


def lift(path: Path, uid: str) -> None:
    """Write durably that an erase was taken back: its tombstone holds no more."""
    _write(path, {"uid": uuid.uuid4().hex, "lifts": uid})


def read(path: Path) -> tuple[Tombstone, ...]:
    """Return all tombstones that hold, oldest first; a line that cannot be read is reported and passed over."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be read: {error.strerror}") from error
    stones = []
    lifted = set()
    for number, line in enumerate(lines, start=1):
        try:
            fields = orjson.loads(line)
            if "lifts" in fields:
                lifted.add(str(fields["lifts"]))
            else:
                stones.append(_load_tombstone(fields))
        except (ValueError, TypeError, KeyError, ScopeMissing):
            if line.strip():
                structlog.get_logger().warning("tombstone unreadable", line=number)
    return tuple(stone for stone in stones if stone.uid not in lifted)


def _load_tombstone(fields: dict[str, Any]) -> Tombstone:  # Any: JSON, checked here
    exchanges, (said, noted, *filed) = fields["exchanges"], map(int, fields["upto"])  # documents came later
    named = None if exchanges is None else tuple(map(str, exchanges))
    return Tombstone(Scope(fields["scope"]), named, (said, noted, filed[0] if filed else 0), str(fields["uid"]))


class SqliteErasureRecords(Store):
    """The port :class:`~bot.ports.eraser.ErasureRecords`."""

    @reading
    def list_records(
        self, connection: sqlite3.Connection, scope: Scope, *, offset: int = 0, size: int = 50
    ) -> tuple[ErasureRecord, ...]:
        rows = connection.execute(
            "SELECT erased_at, everything, exchanges, items, answers, documents, files FROM receipts "
            "WHERE scope_no = ? ORDER BY erased_at DESC, uid LIMIT ? OFFSET ?",
            (find_scope(connection, scope), max(0, size), max(0, offset)),
        ).fetchall()
        return tuple(ErasureRecord(join_time(at), bool(everything), *counts) for at, everything, *counts in rows)


def write_record(connection: sqlite3.Connection, scope_no: int, uid: str, record: ErasureRecord) -> None:
    """Keep the receipt of an erase by its name; the one of an erase that is finished after a crash is kept once."""
    if record.everything:
        connection.execute("DELETE FROM receipts WHERE scope_no = ?", (scope_no,))
    counts = (record.exchanges, record.items, record.answers, record.documents, record.files)
    if record.everything or any(counts):
        connection.execute(
            "INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (uid, scope_no, record.erased_at.timestamp(), record.everything, *counts),
        )


def drop_record(connection: sqlite3.Connection, uid: str) -> None:
    """Forget the receipt of an erase that was taken back."""
    connection.execute("DELETE FROM receipts WHERE uid = ?", (uid,))


ROOM: Final = Room("browsing", (Table("receipts", numbered="scope_no", spare=ALL_ROWS),), version=2, file="browsing")
"""The name is that of its tables in every database that exists."""
