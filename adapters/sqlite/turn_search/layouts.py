"""Files with the layouts of long chats, mapped at the next start instead of made again from every exchange.

A file holds words of what was said, so that it stands and falls with its chat: what erases voids the chat's transcript,
and :func:`drop_layout` deletes the file inside that transaction.  A file counts only while the chat's row in
``recall_scopes`` names its token: both are written in one transaction, and whatever voids takes the token away.  After
a crash, a recovery or a restored back-up no token fits, and the layout is made again.

A store that several machines use has no files: there the same bytes are rows (``Database.layouts``), and go alike.

The body is arrays in whole blocks, growing ones with room for more, mapped copy-on-write; then a description as JSON,
with a checksum for every block; then the length of that, its own checksum, and a mark.
"""

import json
import math
import mmap
import sqlite3
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import structlog

from adapters.sqlite.database import NamedLayout
from adapters.sqlite.rows.codec import find_scope
from bot.memory.ranking.transcript import COLUMNS, Layout
from bot.memory.ranking.vectors import Array, reserve_for
from bot.memory.scope import Scope

FORMAT: Final = 1
"""Grows with every change of what stands in a layout; files of another format are made again."""

_MARK: Final = b"mnemelay"
_END: Final = struct.Struct("<QI8s")
BLOCK: Final = 1 << 20
"""Bytes; each block has a checksum."""
_ALIGNED: Final = 64
_DRAFT: Final = ".new"
MALFORMED: Final = (ValueError, KeyError, TypeError, struct.error)
"""What reading a damaged layout raises."""
DAMAGED: Final = "layout of a chat is damaged and made again"


@dataclass(frozen=True, slots=True)
class StoredLayout:
    """A layout, the last exchange in it, the token that the database names it by, and the versions that made it."""

    layout: Layout
    newest: int
    token: str
    made_by: str


def get_layout_path(database: Path, scope_no: int) -> Path:
    """Return where the layout of a scope stands, beside its database."""
    return database.parent / "layouts" / f"{scope_no}.layout"


def find_layout(connection: sqlite3.Connection, scope: Scope) -> NamedLayout | None:
    """Return which layout of a scope counts, ``None`` if none does."""
    row = connection.execute(
        "SELECT scope_no, generation, layout FROM recall_scopes WHERE scope_no = ? AND layout <> ''",
        (find_scope(connection, scope),),
    ).fetchone()
    return NamedLayout(*row) if row else None


def drop_layout(connection: sqlite3.Connection, scope_no: int) -> None:
    """Delete the layout of a scope, and one that is being written; inside the transaction that makes it void."""
    if (database := _find_database(connection)) is None:  # rows that went when their token did
        return
    path = get_layout_path(database, scope_no)
    for each in (path, _get_draft_path(path)):
        each.unlink(missing_ok=True)


def sweep_layouts(connection: sqlite3.Connection) -> None:
    """Delete the layouts that no scope names: a crash, a recovery or a restored back-up leaves some."""
    if (database := _find_database(connection)) is None:
        connection.execute(
            "DELETE FROM layouts WHERE NOT EXISTS "
            "(SELECT 1 FROM recall_scopes WHERE scope_no = layouts.scope_no AND layout = token)"
        )
        return
    known = {number for (number,) in connection.execute("SELECT scope_no FROM recall_scopes WHERE layout <> ''")}
    folder = get_layout_path(database, 0).parent
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.suffix == _DRAFT or not path.stem.isdecimal() or int(path.stem) not in known:
            path.unlink(missing_ok=True)


def _find_database(connection: sqlite3.Connection) -> Path | None:
    """Return the path of the database, beside which layouts are files; ``None``: they are rows in it."""
    if getattr(connection, "has_layouts", False):
        return None
    return Path(connection.execute("PRAGMA database_list").fetchone()[2])


def write_draft(path: Path, stored: StoredLayout) -> None:
    """Write a layout beside the place where :func:`publish_layout` puts it; ``OSError`` where that cannot be."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = _get_draft_path(path)
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    described, body = _describe(stored.layout)
    with draft.open("r+b") as file:
        _write_arrays(file, stored.layout, described)
        file.truncate(body)
        with mmap.mmap(file.fileno(), body, access=mmap.ACCESS_READ) as mapped:
            end = _make_end(mapped, stored, described)
        file.seek(body)
        file.write(end)


def compose(stored: StoredLayout) -> tuple[mmap.mmap, bytes]:
    """Return what a file would hold, in memory: the body, in whole blocks of :data:`BLOCK`, and what follows it."""
    described, body = _describe(stored.layout)
    mapped = mmap.mmap(-1, body)
    _write_arrays(mapped, stored.layout, described)
    return mapped, _make_end(mapped, stored, described)


def _describe(layout: Layout) -> tuple[dict[str, Any], int]:
    """Return where each array goes, as JSON, and how many bytes all take together."""
    described: dict[str, Any] = {}
    start = 0
    for name, array in layout.arrays.items():
        shape = list(array.shape)
        if name in layout.sizes:
            axis = int(name in COLUMNS)
            shape[axis] = reserve_for(shape[axis])  # what is not written stays a hole in the file
        fields = array.dtype.names
        kind = array.dtype.str if fields is None else [(field, array.dtype[field].str) for field in fields]
        described[name] = {"type": kind, "start": start, "shape": shape}
        start = _align(start + math.prod(shape) * array.itemsize, _ALIGNED)
    return described, _align(max(start, 1), BLOCK)


def _write_arrays(file: BinaryIO | mmap.mmap, layout: Layout, described: dict[str, Any]) -> None:
    for name, array in layout.arrays.items():
        start, width = described[name]["start"], described[name]["shape"][-1] * array.itemsize
        for place, row in enumerate(array if name in COLUMNS else [array]):
            file.seek(start + place * width)
            file.write(np.ascontiguousarray(row).data)


def _make_end(mapped: mmap.mmap, stored: StoredLayout, described: dict[str, Any]) -> bytes:
    about = {
        "format": FORMAT,
        "token": stored.token,
        "newest": stored.newest,
        "made_by": stored.made_by,
        "arrays": described,
        "sizes": dict(stored.layout.sizes),
        "authors": list(stored.layout.authors),
        "answers": stored.layout.answers,
        "sums": _sum_blocks(mapped, len(mapped)),
    }
    text = json.dumps(about).encode()
    return text + _END.pack(len(text), zlib.crc32(text), _MARK)


def publish_layout(connection: sqlite3.Connection, named: NamedLayout, path: Path) -> bool:
    """Put a draft in its place, unless something of the scope was removed since; inside a transaction that writes."""
    if not name_layout(connection, named):
        _get_draft_path(path).unlink(missing_ok=True)
        return False
    _get_draft_path(path).replace(path)
    return True


def name_layout(connection: sqlite3.Connection, named: NamedLayout) -> bool:
    """Let a layout be the one that counts; ``False`` where something of the scope was removed since."""
    if read_generation(connection, named.scope_no) != named.generation:
        return False
    connection.execute(
        "INSERT INTO recall_scopes VALUES (?, ?, ?) ON CONFLICT (scope_no) DO UPDATE SET layout = excluded.layout",
        (named.scope_no, named.generation, named.token),
    )
    return True


def read_generation(connection: sqlite3.Connection, scope_no: int) -> int:
    """Return how often something was removed from the scope."""
    row = connection.execute("SELECT generation FROM recall_scopes WHERE scope_no = ?", (scope_no,)).fetchone()
    return int(row[0]) if row else 0


def read_layout(path: Path, token: str, made_by: str) -> StoredLayout | None:
    """Map a layout; ``None`` where there is none, another one, or a damaged one, which is deleted."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        size, _, _ = _END.unpack_from(mapped, len(mapped) - _END.size)
        body = len(mapped) - _END.size - size
        found = parse(mapped, mapped[body:] if body >= BLOCK else b"", token, made_by)
        mapped.madvise(mmap.MADV_DONTNEED)
    except FileNotFoundError:
        return None
    except (OSError, *MALFORMED) as error:
        structlog.get_logger().warning(DAMAGED, cause=type(error).__name__)
        path.unlink(missing_ok=True)
        return None
    return found


def parse(mapped: mmap.mmap, end: bytes, token: str, made_by: str) -> StoredLayout | None:
    """Return the layout of a body and what follows it, ``None`` for another one; one of ``MALFORMED`` if damaged."""
    size, checksum, mark = _END.unpack_from(end, len(end) - _END.size)
    text = end[: -_END.size]
    if mark != _MARK or len(text) != size or zlib.crc32(text) != checksum:
        raise ValueError("the end of the file is not what was written")
    about = json.loads(text)
    if (about["format"], about["token"], about["made_by"]) != (FORMAT, token, made_by):
        return None
    if _sum_blocks(mapped, len(about["sums"]) * BLOCK) != about["sums"]:
        raise ValueError("a block is not what was written")
    arrays: Mapping[str, Array] = {name: _map(mapped, each) for name, each in about["arrays"].items()}
    authors = [(author, name) for author, name in about["authors"]]
    return StoredLayout(Layout(arrays, about["sizes"], authors, about["answers"]), about["newest"], token, made_by)


def _map(mapped: mmap.mmap, described: Mapping[str, Any]) -> Array:
    kind = described["type"]
    dtype = np.dtype(kind if isinstance(kind, str) else [(name, each) for name, each in kind])
    count = math.prod(described["shape"])
    found: Array = np.frombuffer(mapped, dtype, count, described["start"]).reshape(described["shape"])
    return found


def _sum_blocks(mapped: mmap.mmap, body: int) -> list[int]:
    """Return the sum of the 64-bit words of each block of a body."""
    words = np.frombuffer(mapped, dtype=np.uint64, count=body // 8).reshape(-1, BLOCK // 8)
    found: list[int] = np.add.reduce(words, axis=1).tolist()
    return found


def _align(size: int, to: int) -> int:
    return -(-size // to) * to


def _get_draft_path(path: Path) -> Path:
    return path.with_name(path.name + _DRAFT)
