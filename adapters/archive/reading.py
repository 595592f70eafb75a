"""Reads an export back, wherever it comes from: every sum is checked before a record of it counts.

A zip is outside data.  What it says of its own sizes bounds what is read of it; what is no part of the format is never
looked at, and nothing is written to disk under a name of its choosing.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from adapters.archive.lines import load_document, load_item, load_reminder, load_session, load_settings, load_turn
from adapters.archive.manifest import MANIFEST, SEAL, Manifest, is_sealed, load_manifest
from bot.errors import ImportRefused
from bot.ports.archive import (
    ArchivedDocument,
    ArchivedItem,
    ArchivedReminder,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
)

T = TypeVar("T")

_LARGEST_MANIFEST: Final = 4_000_000
_LONGEST_LINE: Final = 16_000_000
"""Bytes: a turn holds at most the longest message with its answer."""
_DOCUMENTS: Final = "data/documents.jsonl"
_REMINDERS: Final = "data/reminders.jsonl"
_SETTINGS: Final = "data/settings.jsonl"
_OPTIONAL: Final = frozenset({_DOCUMENTS, _REMINDERS, _SETTINGS})
"""Not in every export: the first ones had no documents, and who has no reminders has no file of them."""
_READ: Final = ("data/sessions.jsonl", "data/turns.jsonl", "data/items.jsonl", _DOCUMENTS, _REMINDERS, _SETTINGS)


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
            for name in _READ:
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

    def list_sessions(self) -> Iterator[ArchivedSession]:
        """Yield the conversations."""
        return self._list("data/sessions.jsonl", load_session)

    def list_turns(self) -> Iterator[ArchivedTurn]:
        """Yield the turns."""
        return self._list("data/turns.jsonl", load_turn)

    def list_items(self) -> Iterator[ArchivedItem]:
        """Yield the structured memories."""
        return self._list("data/items.jsonl", load_item)

    def list_documents(self) -> Iterator[ArchivedDocument]:
        """Yield the documents."""
        return self._list(_DOCUMENTS, load_document)

    def list_reminders(self) -> Iterator[ArchivedReminder]:
        """Yield the reminders."""
        return self._list(_REMINDERS, load_reminder)

    def list_settings(self) -> Iterator[ArchivedSettings]:
        """Yield what chats chose for themselves."""
        return self._list(_SETTINGS, load_settings)

    def _list(self, name: str, load: Callable[[bytes], T]) -> Iterator[T]:
        if name in _OPTIONAL and name not in self.manifest.files:
            return
        with self._open() as archive, archive.open(name) as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                try:
                    record = load(line)
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
