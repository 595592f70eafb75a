"""Looks into exports: all that stands in one, whichever file of it."""

from __future__ import annotations

import hashlib
import json
import zipfile
from datetime import datetime
from pathlib import Path

from adapters.archive.manifest import Manifest
from adapters.archive.writing import write_archive
from adapters.sqlite.archive.reading import read_snapshot
from adapters.sqlite.database import Database
from bot.memory.scope import Scope
from bot.ports.archive import ArchiveHeader

KEY = b"k" * 32


def export_to(database: Database, scope: Scope, path: Path, made_at: datetime, *, key: bytes = KEY) -> Manifest:
    """Write a scope's export and return its manifest."""
    header = ArchiveHeader(scope, "a" * 16, made_at, "tests", {"nothing": "for tests"})
    return read_snapshot(database.path, scope, lambda snapshot: write_archive(path, header, snapshot, key))


def read_texts(path: Path) -> str:
    """Return the texts of all files of an export."""
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def forge(file: Path, forged: Path, old: bytes, new: bytes) -> Path:
    """Write a copy of an export in which ``new`` stands for ``old``, with sums that agree; its seal no longer holds."""
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(content["manifest.json"])
    for name in [name for name in content if name.startswith("data/")]:
        content[name] = content[name].replace(old, new)
        told = {"bytes": len(content[name]), "sha256": hashlib.sha256(content[name]).hexdigest()}
        manifest["files"][name] |= told
    assert new in content["data/turns.jsonl"]
    content["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(forged, "w") as copy:
        for name, data in content.items():
            copy.writestr(name, data)
    return forged
