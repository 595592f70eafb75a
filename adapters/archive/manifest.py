"""What an export says of itself and of each of its files, and the seal by which a Mneme knows its own exports.

The sums tell whether a file is whole.  The seal tells whether this installation wrote it: it is a code over the
manifest (HMAC, RFC 2104) made with a key that never leaves the database, so that nobody else can claim anything of it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

import orjson

from bot.errors import ImportRefused, ScopeMissing
from bot.memory.scope import Scope
from bot.ports.archive import FORMAT, VERSION, ArchiveHeader

MANIFEST: Final = "manifest.json"
SEAL: Final = "manifest.seal"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file: its size in bytes, its SHA-256, and how many lines it has."""

    bytes: int
    sha256: str
    lines: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The header of an export and its files by name."""

    header: ArchiveHeader
    files: Mapping[str, FileEntry]


def dump_manifest(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    header = manifest.header
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "scope": header.scope.tag,
        "installation": header.installation,
        "made_at": header.made_at,
        "made_by": header.made_by,
        "left_out": dict(header.left_out),
        "files": {name: asdict(entry) for name, entry in manifest.files.items()},
    }
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def load_manifest(written: bytes, name: str) -> Manifest:
    """Return the manifest of the export ``name``.  Raises :class:`~bot.errors.ImportRefused` for what is none."""
    try:
        fields: dict[str, Any] = orjson.loads(written)  # Any: JSON, checked by what is made of it
        _check_version(fields, name)
        header = ArchiveHeader(
            Scope(fields["scope"]),
            str(fields["installation"]),
            datetime.fromisoformat(fields["made_at"]),
            str(fields["made_by"]),
            {str(what): str(why) for what, why in fields["left_out"].items()},
        )
        files = {
            str(file): FileEntry(int(entry["bytes"]), str(entry["sha256"]), int(entry["lines"]))
            for file, entry in fields["files"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, ScopeMissing) as error:
        raise ImportRefused(f"{name}: its manifest.json is not one of a Mneme export") from error
    return Manifest(header, files)


def _check_version(fields: dict[str, Any], name: str) -> None:  # Any: JSON
    version = fields["version"]
    if fields["format"] != FORMAT or not isinstance(version, int):
        raise ValueError("it is of another format")
    if version > VERSION:
        raise ImportRefused(
            f"{name} is of version {version}, this Mneme reads up to {VERSION}: update Mneme, then import it"
        )


def make_seal(manifest: bytes, key: bytes) -> bytes:
    """Return the seal of a manifest's bytes."""
    return hmac.new(key, manifest, hashlib.sha256).hexdigest().encode("ascii")


def is_sealed(manifest: bytes, seal: bytes, key: bytes) -> bool:
    """Return whether a seal was made with our key."""
    return hmac.compare_digest(make_seal(manifest, key), seal.strip())
