"""Looks into exports: all that stands in one, whichever file of it."""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.archive.files import write_archive
from adapters.archive.records import FileEntry, Manifest, dump_manifest
from adapters.sqlite.archive import read_snapshot
from adapters.sqlite.database import Database
from bot.memory.scope import Scope
from bot.ports.transfer import ArchiveHeader

KEY = b"k" * 32


def export_to(database: Database, scope: Scope, path: Path, made_at: datetime) -> Manifest:
    header = ArchiveHeader(scope, "a" * 16, made_at, "tests", {"nothing": "for tests"})
    return read_snapshot(database, scope, lambda snapshot: write_archive(path, header, snapshot, KEY))


def read_texts(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def forge(file: Path, forged: Path, old: bytes, new: bytes) -> Path:
    """Write a copy of an export in which ``new`` stands for ``old``, with sums that agree; its seal no longer holds."""
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    data = {name: text.replace(old, new) for name, text in content.items() if name.startswith("data/")}
    assert new in data["data/turns.jsonl"]
    return _pack(forged, data, json.loads(content["manifest.json"]))


def pack_archive(path: Path, records: Mapping[str, Sequence[object]]) -> Path:
    """Write an export of somebody's, which nobody sealed, of records as JSON by the names of their files."""
    manifest = dump_manifest(Manifest(ArchiveHeader(Scope("tu1"), "b" * 16, datetime.now(UTC), "tests"), {}))
    lines = {name: (json.dumps(each) + "\n" for each in found) for name, found in records.items()}
    data = {f"data/{name}.jsonl": "".join(found).encode() for name, found in lines.items()}
    return _pack(path, data, json.loads(manifest))


def _pack(path: Path, data: Mapping[str, bytes], manifest: dict[str, Any]) -> Path:  # Any: JSON
    for name, content in data.items():
        entry = FileEntry(len(content), hashlib.sha256(content).hexdigest(), content.count(b"\n"))
        manifest["files"][name] = asdict(entry)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, content in data.items():
            archive.writestr(name, content)
    return path
