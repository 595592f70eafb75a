"""Files with the layouts of long chats, mapped at the next start instead of made again from every exchange.

A file holds words of what was said, so that it stands and falls with its chat: what erases voids the chat's transcript,
and :func:`drop_layout` deletes the file inside that transaction.  A file counts only while the chat's row in
``recall_scopes`` names its token: both are written in one transaction, and whatever voids takes the token away.  After
a crash, a recovery or a restored back-up no token fits, and the layout is made again.

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
from typing import Any, Final

import numpy as np
import structlog

from adapters.sqlite.dialect import dialect_of
from adapters.sqlite.rows.codec import find_scope
from bot.memory.ranking.transcript import COLUMNS, Layout
from bot.memory.ranking.vectors import Array, reserve_for
from bot.memory.scope import Scope

FORMAT: Final = 1
"""Grows with every change of what stands in a layout; files of another format are made again."""

_MARK: Final = b"mnemelay"
_END: Final = struct.Struct("<QI8s")
_BLOCK: Final = 1 << 20
_ALIGNED: Final = 64
_DRAFT: Final = ".new"


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


@dataclass(frozen=True, slots=True)
class NamedLayout:
    """What the database says of the layout of a scope number."""

    scope_no: int
    generation: int
    token: str


def find_layout(connection: sqlite3.Connection, scope: Scope) -> NamedLayout | None:
    """Return which layout of a scope counts, ``None`` if none does."""
    row = connection.execute(
        "SELECT scope_no, generation, layout FROM recall_scopes WHERE scope_no = ? AND layout <> ''",
        (find_scope(connection, scope),),
    ).fetchone()
    return NamedLayout(*row) if row else None


def drop_layout(connection: sqlite3.Connection, scope_no: int) -> None:
    """Delete the layout of a scope, and one that is being written; inside the transaction that makes it void."""
    path = get_layout_path(dialect_of(connection).find_path(connection), scope_no)
    for each in (path, _get_draft_path(path)):
        each.unlink(missing_ok=True)


def sweep_layouts(connection: sqlite3.Connection) -> None:
    """Delete the layouts that no scope names: a crash, a recovery or a restored back-up leaves some."""
    known = {number for (number,) in connection.execute("SELECT scope_no FROM recall_scopes WHERE layout <> ''")}
    folder = get_layout_path(dialect_of(connection).find_path(connection), 0).parent
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.suffix == _DRAFT or not path.stem.isdecimal() or int(path.stem) not in known:
            path.unlink(missing_ok=True)


def write_draft(path: Path, stored: StoredLayout) -> None:
    """Write a layout beside the place where :func:`publish_layout` puts it; ``OSError`` where that cannot be."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = _get_draft_path(path)
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    described: dict[str, Any] = {}
    start = 0
    with draft.open("r+b") as file:
        for name, array in stored.layout.arrays.items():
            axis = int(name in COLUMNS)
            shape = list(array.shape)
            if name in stored.layout.sizes:
                shape[axis] = reserve_for(shape[axis])  # what is not written stays a hole in the file
            for place, row in enumerate(array if axis else [array]):
                file.seek(start + place * shape[-1] * array.itemsize)
                file.write(np.ascontiguousarray(row).data)
            described[name] = {"type": _describe_type(array.dtype), "start": start, "shape": shape}
            start = _align(start + math.prod(shape) * array.itemsize, _ALIGNED)
        body = _align(max(start, 1), _BLOCK)
        file.truncate(body)
        about = {
            "format": FORMAT,
            "token": stored.token,
            "newest": stored.newest,
            "made_by": stored.made_by,
            "arrays": described,
            "sizes": dict(stored.layout.sizes),
            "authors": list(stored.layout.authors),
            "answers": stored.layout.answers,
        }
        with mmap.mmap(file.fileno(), body, access=mmap.ACCESS_READ) as mapped:
            about["sums"] = _sum_blocks(mapped, body)
        text = json.dumps(about).encode()
        file.seek(body)
        file.write(text + _END.pack(len(text), zlib.crc32(text), _MARK))


def publish_layout(connection: sqlite3.Connection, scope_no: int, generation: int, token: str) -> bool:
    """Put a draft in its place, unless something of the scope was removed since; inside a transaction that writes."""
    path = get_layout_path(dialect_of(connection).find_path(connection), scope_no)
    row = connection.execute("SELECT generation FROM recall_scopes WHERE scope_no = ?", (scope_no,)).fetchone()
    if (row[0] if row else 0) != generation:
        _get_draft_path(path).unlink(missing_ok=True)
        return False
    connection.execute(
        "INSERT INTO recall_scopes VALUES (?, ?, ?) ON CONFLICT (scope_no) DO UPDATE SET layout = excluded.layout",
        (scope_no, generation, token),
    )
    _get_draft_path(path).replace(path)
    return True


def read_layout(path: Path, token: str, made_by: str) -> StoredLayout | None:
    """Map a layout; ``None`` where there is none, another one, or a damaged one, which is deleted."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return _parse(mapped, token, made_by)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        structlog.get_logger().warning("layout of a chat is damaged and made again", cause=type(error).__name__)
        path.unlink(missing_ok=True)
        return None


def _parse(mapped: mmap.mmap, token: str, made_by: str) -> StoredLayout | None:
    size, checksum, mark = _END.unpack_from(mapped, len(mapped) - _END.size)
    body = len(mapped) - _END.size - size
    text = mapped[body : body + size] if mark == _MARK and body >= _BLOCK else b""
    if not text or zlib.crc32(text) != checksum:
        raise ValueError("the end of the file is not what was written")
    about = json.loads(text)
    if (about["format"], about["token"], about["made_by"]) != (FORMAT, token, made_by):
        return None
    if _sum_blocks(mapped, body) != about["sums"]:
        raise ValueError("a block is not what was written")
    mapped.madvise(mmap.MADV_DONTNEED)
    arrays: Mapping[str, Array] = {name: _map(mapped, each) for name, each in about["arrays"].items()}
    authors = [(author, name) for author, name in about["authors"]]
    return StoredLayout(Layout(arrays, about["sizes"], authors, about["answers"]), about["newest"], token, made_by)


def _map(mapped: mmap.mmap, described: Mapping[str, Any]) -> Array:
    kind = described["type"]
    dtype = np.dtype(kind if isinstance(kind, str) else [(name, each) for name, each in kind])
    count = math.prod(described["shape"])
    found: Array = np.frombuffer(mapped, dtype, count, described["start"]).reshape(described["shape"])
    return found


def _describe_type(dtype: np.dtype[Any]) -> str | list[tuple[str, str]]:  # Any: of every kind
    return dtype.str if dtype.names is None else [(name, dtype[name].str) for name in dtype.names]


def _sum_blocks(mapped: mmap.mmap, body: int) -> list[int]:
    """Return the sum of the 64-bit words of each block of a body."""
    words = np.frombuffer(mapped, dtype=np.uint64, count=body // 8).reshape(-1, _BLOCK // 8)
    found: list[int] = np.add.reduce(words, axis=1).tolist()
    return found


def _align(size: int, to: int) -> int:
    return -(-size // to) * to


def _get_draft_path(path: Path) -> Path:
    return path.with_name(path.name + _DRAFT)
