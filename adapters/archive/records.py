"""Records of an export as lines of JSON, and read back with every field checked.

A field that a later version added is passed over, one that an earlier version did not have takes its default; one that
is missing, or of another kind, makes the line no record.

The manifest says what an export is and what sums its files have, which tell whether a file is whole.  Its seal tells
whether this installation wrote it: it is a code over the manifest (HMAC, RFC 2104) made with a key that never leaves
the database, so that nobody else can claim anything of it.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, is_dataclass
from dataclasses import fields as dataclass_fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

import orjson

from bot.errors import ImportRefused, ScopeMissing
from bot.memory.items import ItemType, Layer, Origin, Trust
from bot.memory.scope import Scope, to_number
from bot.ports.lists import ItemState
from bot.ports.transfer import (
    FORMAT,
    VERSION,
    ArchivedDocument,
    ArchivedItem,
    ArchivedReminder,
    ArchivedRow,
    ArchivedSession,
    ArchivedSettings,
    ArchivedTurn,
    ArchiveHeader,
)

Json = dict[str, Any]  # Any: JSON, checked by the constructors it goes into
Record = ArchivedSession | ArchivedTurn | ArchivedItem | ArchivedDocument | ArchivedRow
T = TypeVar("T")

_YEARS: Final = range(1970, 9999)
_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)


def dump_line(record: Record) -> bytes:
    """Return a record as one line, with its end."""
    fields: Json = dict(record.fields) if isinstance(record, ArchivedRow) else _describe(record)
    if isinstance(record, ArchivedItem):
        item: Json = fields.pop("item")
        later = item["superseded_by"]
        fields |= item | item["provenance"] | {"id": to_number(item["id"])}
        fields["references"] = list(map(to_number, item["references"]))
        fields["superseded_by"] = None if later is None else to_number(later)
        del fields["provenance"]
    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


def load_record(kind: type[T], line: bytes) -> T:
    """Return the record of a line, a memory with the ids of its own export.

    Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``AttributeError`` for what is none.
    """
    fields = orjson.loads(line)
    given: Json = {}
    if kind is ArchivedItem:
        if fields["created_at"] is None or fields["updated_at"] is None:
            raise TypeError("a memory has no date")
        fields["item"] = fields | {"provenance": fields}
    elif kind is ArchivedReminder:
        given["start"] = datetime.fromisoformat(_text(fields["start"]))
        if given["start"].tzinfo is not None:
            raise ValueError("a time of the wall clock has no offset")
    elif kind is ArchivedSettings:
        for name in ("memory", "streaming"):
            given[name] = None if fields[name] is None else bool(_number(fields[name]))
        given |= {name: _text(fields[name] or "") for name in ("quiet_from", "quiet_to")}
    record: T = _build(kind, fields, given)
    return record


def _describe(value: Any) -> Any:  # Any: a record or a part of one, and JSON
    if is_dataclass(value):
        return {each.name: _describe(getattr(value, each.name)) for each in dataclass_fields(value)}
    if isinstance(value, tuple):
        return list(map(_describe, value))
    return value.name.lower() if isinstance(value, Trust) else value


def _build(kind: Any, fields: Json, given: Json) -> Any:  # Any: a record, and its type
    read = {
        name: _read(hint, fields[name])
        for name, (hint, needed) in _list_fields(kind).items()
        if name not in given and (needed or name in fields)
    }
    return kind(**read, **given)


@cache
def _list_fields(kind: Any) -> dict[str, tuple[Any, bool]]:  # Any: a record, and what annotates a field
    """Return the type of each field of a record, and whether it has no default."""
    hints = get_type_hints(kind)
    return {
        each.name: (hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in dataclass_fields(kind)
    }


def _read(hint: Any, value: Any) -> Any:  # Any: what annotates a field, JSON, and what it says
    """Return a value as its field is annotated.  Raises as :func:`load_record`."""
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise TypeError("a list is none")
        return tuple(_read(inner[0], each) for each in value)
    if inner:
        return None if value is None else _read(inner[0], value)
    return _build(hint, value, {}) if is_dataclass(hint) else _READERS[hint](value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is none")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 1 << 62:
        raise TypeError("a number is none")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("a flag is neither true nor false")
    return value


def _moment(value: object) -> datetime:
    """Return a moment; the beginning of 1970 for one that no zone or nobody can tell, as damaged stores have them."""
    at = datetime.fromisoformat(_text(value))
    if at.tzinfo is None:
        raise ValueError("a date has no offset")
    return at if at.year in _YEARS else _UNDATED


_READERS: Final[Mapping[Any, Callable[[Any], Any]]] = {  # Any: a type, JSON, a value of the type
    str: _text,
    int: _number,
    bool: _flag,
    float: float,
    datetime: _moment,
    Trust: lambda value: Trust[_text(value).upper()],
    Origin: Origin,
    Layer: Layer,
    ItemState: lambda value: ItemState[_text(value).upper()],
    ItemType: ItemType,
}


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
