"""Writes an export, and reads one back wherever it comes from: every sum is checked before a record of it counts.

It is written one record after the other, so that memory is bounded however long the conversation was, and appears whole
or not at all: under another name, synced and then renamed.  Part of it is for people: the conversation by month, what
is remembered by kind, wishes apart.  Nothing is read back from that; texts are set as quotations, so that no text can
pass for a heading of ours.

A zip is outside data.  What it says of its own sizes bounds what is read of it; what is no part of the format is never
looked at, and nothing is written to disk under a name of its choosing.
"""

import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar

from adapters.archive.records import (
    MANIFEST,
    SEAL,
    FileEntry,
    Manifest,
    Record,
    dump_line,
    dump_manifest,
    is_sealed,
    load_manifest,
    load_record,
    make_seal,
)
from bot.errors import ImportRefused, StorageUnavailable
from bot.memory.items import ItemType, Origin, Part
from bot.memory.learning.wishes import WISH
from bot.memory.scope import to_number
from bot.ports.transfer import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedListItem,
    ArchivedReminder,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
    ArchiveHeader,
    ScopeSnapshot,
)

T = TypeVar("T")

_LARGEST_MANIFEST: Final = 4_000_000
_LONGEST_LINE: Final = 16_000_000
"""Bytes: a turn holds at most the longest message with its answer."""
_READ: Final = {
    ArchivedSession: "data/sessions.jsonl",
    ArchivedTurn: "data/turns.jsonl",
    ArchivedItem: "data/items.jsonl",
    ArchivedDocument: "data/documents.jsonl",
    ArchivedReminder: "data/reminders.jsonl",
    ArchivedListItem: "data/lists.jsonl",
    ArchivedSettings: "data/settings.jsonl",
}
_OPTIONAL: Final = frozenset(_READ.values()) - {_READ[kind] for kind in (ArchivedSession, ArchivedTurn, ArchivedItem)}
"""Not in every export: the first ones had no documents, and who has no reminders has no file of them."""


class ArchiveFile:
    """An export at a path, checked by :meth:`check` before it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as archive:
            self._written = self._read_small(archive, MANIFEST)
            self._seal = self._read_small(archive, SEAL) if SEAL in archive.namelist() else b""
        self.manifest: Manifest = load_manifest(self._written, path.name)

    def is_sealed(self, key: bytes) -> bool:
        """Return whether the installation with this key wrote the manifest, and so every file with its sums."""
        return is_sealed(self._written, self._seal, key)

    def check(self) -> None:
        """Read every file that counts as a whole.  Raises :class:`~bot.errors.ImportRefused` where a sum is wrong."""
        with self._open() as archive:
            for name in _READ.values():
                wanted = self.manifest.files.get(name)
                if name in _OPTIONAL and wanted is None:
                    continue
                if wanted is None or name not in archive.namelist():
                    raise ImportRefused(f"{self._path.name} lacks {name}")
                if archive.getinfo(name).file_size != wanted.bytes:
                    raise ImportRefused(f"{self._path.name}: {name} is not as long as its manifest says")
                digest = hashlib.sha256()
                with archive.open(name) as file:
                    while piece := file.read(1 << 20):
                        digest.update(piece)
                if digest.hexdigest() != wanted.sha256:
                    raise ImportRefused(f"{self._path.name}: {name} was changed, or is damaged (its sum is wrong)")

    def list_records(self, kind: type[T]) -> Iterator[T]:
        """Yield the records of a kind (``ArchivedTurn`` …).  Raises :class:`~bot.errors.ImportRefused` at a line."""
        name = _READ[kind]
        if name in _OPTIONAL and name not in self.manifest.files:
            return
        with self._open() as archive, archive.open(name) as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                try:
                    record = load_record(kind, line)
                except (ValueError, TypeError, KeyError, AttributeError) as error:
                    where = f"{self._path.name}: {name}, line {number}"
                    raise ImportRefused(f"{where}, is no record of an export") from error
                yield record

    def _read_small(self, archive: zipfile.ZipFile, name: str) -> bytes:
        if name not in archive.namelist() or archive.getinfo(name).file_size > _LARGEST_MANIFEST:
            raise ImportRefused(f"{self._path.name} has no {name} of an export")
        return archive.read(name)

    @contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self._path) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
            raise ImportRefused(f"{self._path.name} is damaged, or no zip that can be read") from error


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


def render_months(turns: Iterable[ArchivedTurn]) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield each month of UTC ("2026-02") with the pieces of its page, of turns in the order of their dates."""
    for month, of_month in groupby(turns, key=lambda turn: f"{turn.said_at.astimezone(UTC):%Y-%m}"):
        yield month, _render_month(month, of_month)


def _render_month(month: str, turns: Iterable[ArchivedTurn]) -> Iterator[str]:
    yield f"# Conversation, {month}\n"
    for day, of_day in groupby(turns, key=lambda turn: turn.said_at.date()):
        yield f"\n## {day:%Y-%m-%d}\n"
        for turn in of_day:
            yield "".join(_render_turn(turn))


def _render_turn(turn: ArchivedTurn) -> Iterator[str]:
    at = f"{turn.said_at:%H:%M}"
    for part in turn.parts:
        if part.text.strip():
            yield f"\n{at} {_name(turn.author_name, turn.author_id)} {_describe(part)}:\n\n{_quote(part.text)}\n"
    if turn.text.strip():
        yield f"\n{at} {_name(turn.author_name, turn.author_id)}:\n\n{_quote(turn.text)}\n"
    if turn.answer.strip():
        yield f"\n{at} assistant:\n\n{_quote(turn.answer)}\n"


def _describe(part: Part) -> str:
    who = f" by {_inline(part.author)}" if part.author else ""
    how = {
        Origin.FORWARDED: "passed on, written",
        Origin.PASTED: "pasted, written",
        Origin.QUOTED: "answered what was written",
        Origin.FILE: "sent a file",
        Origin.TOOL: "had from a tool",
    }[part.origin]
    return f"{how}{who}"


def render_items(items: Iterable[ArchivedItem], kind: ItemType) -> Iterator[str]:
    """Yield the pieces of the page of one kind: what holds, and what was replaced as struck out."""
    for number, record in enumerate(items):
        if number == 0:
            yield f"# {kind.value.replace('_', ' ').capitalize()}\n\n"
        yield _render_item(record)


def _render_item(record: ArchivedItem) -> str:
    item, origin = record.item, record.item.provenance
    told = ", ".join(
        filter(
            None,
            (
                f"{_name(origin.author_name, origin.author_id)}, {origin.said_at:%Y-%m-%d}",
                origin.source,
                "pinned" if item.pinned else "",
                _describe_end(item.superseded_by),
            ),
        )
    )
    text = _inline(item.content)
    return f"- #{to_number(item.id)} {text if item.superseded_by is None else f'~~{text}~~'} ({told})\n"


def _describe_end(superseded_by: int | None) -> str:
    if superseded_by is None:
        return ""
    return f"replaced by #{to_number(superseded_by)}" if superseded_by else "withdrawn"


def is_wish(record: ArchivedItem) -> bool:
    """Return whether a memory is a standing wish that holds."""
    return WISH in record.item.tags and record.item.superseded_by is None


def render_wishes(items: Iterable[ArchivedItem]) -> Iterator[str]:
    """Yield the pieces of the page of wishes; nothing if there are none."""
    for number, record in enumerate(items):
        if number == 0:
            yield "# Wishes\n\n"
        yield _render_item(record)


def render_document(document: ArchivedDocument) -> Iterator[str]:
    """Yield the pieces of the page of a document: its name, then its sections as quotations."""
    brought = f"{_name(document.author_name, document.author_id)}, {document.added_at:%Y-%m-%d}"
    yield f"# {_inline(document.name)}\n\n{_inline(document.title)} ({brought})\n"
    before: tuple[str, ...] = ()
    for chunk in document.chunks:
        if chunk.headings and chunk.headings != before:
            yield f"\n## {_inline(' > '.join(chunk.headings))}\n"
        before = chunk.headings
        yield f"\n{_quote(chunk.text)}\n"


def render_readme(scope: str, made_at: datetime, counts: dict[str, int], left_out: dict[str, str]) -> str:
    """Return the page that says what stands where."""
    lines = [
        f"# A memory of Mneme: {scope}",
        "",
        f"Exported {made_at:%Y-%m-%d %H:%M %Z}.",
        "`data/*.jsonl` are for programs: one JSON object a line, docs/export.md of Mneme names every field.",
        "`conversation/` and `memories/` say the same for people.",
        "`mneme import` reads this file back.",
        "",
        *(f"- {name}: {count}" for name, count in counts.items()),
        "",
        "Not in it:",
        "",
        *(f"- {what}: {why}" for what, why in left_out.items()),
        "",
    ]
    return "\n".join(lines)


def _quote(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def _inline(text: str) -> str:
    return " ".join(text.split())


def _name(name: str, number: int) -> str:
    return f"**{_inline(name).replace('*', '') or number}**"
