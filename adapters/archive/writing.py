"""Writes an export: one record after the other, so that memory is bounded however long the conversation was.

The file appears whole or not at all: it is written under another name, synced and then renamed.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from adapters.archive.lines import Record, dump_line
from adapters.archive.manifest import MANIFEST, SEAL, FileEntry, Manifest, dump_manifest, make_seal
from adapters.archive.markdown import (
    is_wish,
    render_document,
    render_items,
    render_months,
    render_readme,
    render_wishes,
)
from bot.errors import StorageUnavailable
from bot.memory.items import ItemType
from bot.ports.archive import ArchiveHeader, ScopeSnapshot

_LEVEL: Final = 6
_PIECE: Final = 1 << 16
"""Bytes gathered before they are compressed: a call per line would cost more than the lines."""


def write_archive(path: Path, header: ArchiveHeader, snapshot: ScopeSnapshot, key: bytes) -> Manifest:
    """Write all of a snapshot to ``path`` and return what stands in it.

    Raises :class:`~bot.errors.StorageUnavailable` when the file cannot be written; then nothing of it is left.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
                manifest = _fill(_Files(archive, header.made_at), header, snapshot, key)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(FileNotFoundError, NotADirectoryError):
            draft.unlink()
    return manifest


class _Files:
    """The files of an archive that is being written, with their sums."""

    def __init__(self, archive: zipfile.ZipFile, made_at: datetime) -> None:
        self._archive = archive
        self._made_at = made_at.timetuple()[:6]
        self.entries: dict[str, FileEntry] = {}

    def write(self, name: str, pieces: Iterable[bytes], *, always: bool = True) -> FileEntry | None:
        """Write a file of pieces; without any, only if ``always``."""
        total, lines, digest = 0, 0, hashlib.sha256()
        gathered: Iterator[bytes] = _gather(pieces)
        first = next(gathered, None)
        if first is None and not always:
            return None
        info = zipfile.ZipInfo(name, self._made_at)
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
        with self._archive.open(info, "w", force_zip64=True) as file:
            piece = first or b""
            while piece:
                file.write(piece)
                digest.update(piece)
                total += len(piece)
                lines += piece.count(b"\n")
                piece = next(gathered, b"")
        entry = self.entries[name] = FileEntry(total, digest.hexdigest(), lines)
        return entry


def _fill(files: _Files, header: ArchiveHeader, snapshot: ScopeSnapshot, key: bytes) -> Manifest:
    counts: dict[str, int] = {}

    def write_lines(kind: str, records: Iterable[Record]) -> None:
        entry = files.write(f"data/{kind}.jsonl", (dump_line(record) for record in records))
        counts[kind] = entry.lines if entry is not None else 0

    write_lines("sessions", snapshot.list_sessions())
    write_lines("turns", snapshot.list_turns())
    write_lines("items", snapshot.list_items())
    write_lines("documents", snapshot.list_documents())
    for kind, rows in groupby(snapshot.list_rows(), key=lambda row: row.kind):
        write_lines(kind, rows)
    for month, pieces in render_months(snapshot.list_turns_by_date()):
        files.write(f"conversation/{month}.md", _encode(pieces))
    for each in ItemType:
        of_kind = (record for record in snapshot.list_items() if record.item.type is each)
        files.write(f"memories/{each.value}.md", _encode(render_items(of_kind, each)), always=False)
    for number, document in enumerate(snapshot.list_documents(), start=1):
        files.write(f"documents/{number:03}.md", _encode(render_document(document)))
    wishes = (record for record in snapshot.list_items() if is_wish(record))
    files.write("memories/wishes.md", _encode(render_wishes(wishes)), always=False)
    readme = render_readme(header.scope.tag, header.made_at, counts, dict(header.left_out))
    files.write("README.md", [readme.encode()])
    manifest = Manifest(header, dict(files.entries))
    written = dump_manifest(manifest)
    files.write(MANIFEST, [written])
    files.write(SEAL, [make_seal(written, key)])
    return manifest


def _encode(pieces: Iterable[str]) -> Iterator[bytes]:
    return (piece.encode() for piece in pieces)


def _gather(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in larger pieces, none of them empty."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _PIECE:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)
