"""Records of an export as lines of JSON, and read back with every field checked.

A field that a later version added is passed over; one that is missing or of another kind makes the line no record.

The manifest says what an export is and what sums its files have, which tell whether a file is whole.  Its seal tells
whether this installation wrote it: it is a code over the manifest (HMAC, RFC 2104) made with a key that never leaves
the database, so that nobody else can claim anything of it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from bot.errors import ImportRefused, ScopeMissing
from bot.memory.documents.chunking import DocumentChunk
from bot.memory.items import ItemType, Layer, MemoryItem, Origin, Part, Provenance, Trust
from bot.memory.scope import Scope
from bot.ports.archive import (
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

SEQUENCE: Final = 0xFFFFFFFF
"""Of an item's id, what people see: the rest is the number of its scope in one database."""
_SWITCHES: Final = ("memory", "streaming")
_YEARS: Final = range(1970, 9999)
_UNDATED: Final = datetime(1970, 1, 1, tzinfo=UTC)
WITHDRAWN: Final = 0
"""In ``superseded_by``: an edit withdrew the memory and put nothing in its place."""


def dump_line(record: Record) -> bytes:
    """Return a record as one line, with its end."""
    match record:
        case ArchivedTurn():
            fields: Json = dump_turn(record)
        case ArchivedItem():
            fields = dump_item(record)
        case ArchivedSession():
            fields = {
                "key": record.key,
                "place": record.place,
                "started_at": record.started_at,
                "ended_at": record.ended_at,
                "title": record.title,
                "skill": record.skill,
            }
        case ArchivedDocument():
            fields = dump_document(record)
        case ArchivedRow():
            fields = dict(record.fields)
    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)


def dump_turn(turn: ArchivedTurn) -> Json:
    """Return the fields of a turn in the order in which docs/export.md names them."""
    return {
        "uid": turn.uid,
        "session": turn.session,
        "said_at": turn.said_at,
        "author_id": turn.author_id,
        "author_name": turn.author_name,
        "trust": name_trust(turn.trust),
        "text": turn.text,
        "parts": [
            {
                "origin": part.origin.value,
                "author": part.author,
                "author_id": part.author_id,
                "trust": name_trust(part.trust),
                "text": part.text,
            }
            for part in turn.parts
        ],
        "answer": turn.answer,
        "answer_trust": name_trust(turn.answer_trust),
        "skill": turn.skill,
        "synthetic": turn.synthetic,
        "echo": turn.echo,
        "message_id": turn.message_id,
        "replaced_by": turn.replaced_by,
        "chronicle": list(turn.chronicle),
    }


def dump_item(record: ArchivedItem) -> Json:
    """Return the fields of a structured memory in the order in which docs/export.md names them."""
    item, origin = record.item, record.item.provenance
    later = item.superseded_by
    return {
        "id": item.id & SEQUENCE,
        "layer": item.layer.value,
        "type": item.type.value,
        "title": item.title,
        "content": item.content,
        "subject": item.subject,
        "tags": list(item.tags),
        "references": [each & SEQUENCE for each in item.references],
        "author_id": origin.author_id,
        "author_name": origin.author_name,
        "source": origin.source,
        "trust": name_trust(origin.trust),
        "said_at": origin.said_at,
        "exchange": origin.exchange,
        "sources": list(record.sources),
        "fingerprint": item.fingerprint,
        "confidence": item.confidence,
        "salience": item.salience,
        "ttl_s": item.ttl_s,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "accessed_at": item.accessed_at,
        "uses": record.uses,
        "restated": record.restated,
        "pinned": item.pinned,
        "superseded_by": None if later is None else later & SEQUENCE,
    }


def dump_document(record: ArchivedDocument) -> Json:
    """Return the fields of a document in the order in which docs/export.md names them."""
    return {
        "uid": record.uid,
        "name": record.name,
        "title": record.title,
        "kind": record.kind,
        "url": record.url,
        "author_id": record.author_id,
        "author_name": record.author_name,
        "trust": name_trust(record.trust),
        "added_at": record.added_at,
        "pages": record.pages,
        "cut": record.cut,
        "hash": record.hash,
        "exchange": record.exchange,
        "chunks": [{"headings": list(each.headings), "page": each.page, "text": each.text} for each in record.chunks],
    }


def load_document(line: bytes) -> ArchivedDocument:
    """Return the document of a line; raises as :func:`load_session`."""
    fields = _load(line)
    chunks = (
        DocumentChunk(tuple(_text(name) for name in each["headings"]), _text(each["text"]), _number(each["page"]))
        for each in fields["chunks"]
    )
    return ArchivedDocument(
        uid=_text(fields["uid"]),
        name=_text(fields["name"]),
        title=_text(fields["title"]),
        kind=_text(fields["kind"]),
        url=_text(fields["url"]),
        author_id=_number(fields["author_id"]),
        author_name=_text(fields["author_name"]),
        trust=_trust(fields["trust"]),
        added_at=_moment(fields["added_at"]),
        pages=_number(fields["pages"]),
        cut=_flag(fields["cut"]),
        hash=_text(fields["hash"]),
        exchange=_text(fields["exchange"]),
        chunks=tuple(chunks),
    )


def load_session(line: bytes) -> ArchivedSession:
    """Return the session of a line; raises ``ValueError``, ``KeyError`` or ``TypeError`` for what is none."""
    fields = _load(line)
    ended = fields["ended_at"]
    return ArchivedSession(
        _number(fields["key"]),
        _text(fields["place"]),
        _moment(fields["started_at"]),
        None if ended is None else _moment(ended),
        _text(fields["title"]),
        _text(fields["skill"]),
    )


def load_reminder(line: bytes) -> ArchivedReminder:
    """Return the reminder of a line, also of an export from before all fields were written; raises as above."""
    fields = {"passes": False, "language": "", "direct": True, "exchange": "", **_load(line)}
    due, start = fields["due"], datetime.fromisoformat(_text(fields["start"]))
    if start.tzinfo is not None:
        raise ValueError("a time of the wall clock has no offset")
    return ArchivedReminder(
        text=_text(fields["text"]),
        due=None if due is None else _moment(due),
        start=start,
        zone=_text(fields["zone"]),
        rule=_text(fields["rule"]),
        asker_id=_number(fields["asker_id"]),
        asker_name=_text(fields["asker_name"]),
        place=_text(fields["place"]),
        passes=_flag(fields["passes"]),
        language=_text(fields["language"]),
        direct=_flag(fields["direct"]),
        exchange=_text(fields["exchange"]),
    )


def load_settings(line: bytes) -> ArchivedSettings:
    """Return what a chat chose; raises as :func:`load_session`."""
    fields = _load(line)
    memory, streaming = (None if fields[name] is None else bool(_number(fields[name])) for name in _SWITCHES)
    return ArchivedSettings(
        _text(fields["platform"]),
        _number(fields["chat_id"]),
        _text(fields["language"]),
        memory,
        streaming,
        _text(fields["time_zone"]),
        _text(fields["quiet_from"] or ""),
        _text(fields["quiet_to"] or ""),
    )


def load_turn(line: bytes) -> ArchivedTurn:
    """Return the turn of a line; raises as :func:`load_session`."""
    fields = _load(line)
    return ArchivedTurn(
        uid=_text(fields["uid"]),
        session=_number(fields["session"]),
        said_at=_moment(fields["said_at"]),
        author_id=_number(fields["author_id"]),
        author_name=_text(fields["author_name"]),
        trust=_trust(fields["trust"]),
        text=_text(fields["text"]),
        parts=tuple(_load_part(each) for each in fields["parts"]),
        answer=_text(fields["answer"]),
        answer_trust=_trust(fields["answer_trust"]),
        skill=_text(fields["skill"]),
        synthetic=_flag(fields["synthetic"]),
        echo=_flag(fields["echo"]),
        message_id=_number(fields["message_id"]),
        replaced_by=_text(fields["replaced_by"]),
        chronicle=tuple(_text(each) for each in fields["chronicle"]),
    )


def load_item(line: bytes) -> ArchivedItem:
    """Return the structured memory of a line, with the ids of its own export; raises as :func:`load_session`."""
    fields = _load(line)
    used, later = fields["accessed_at"], fields["superseded_by"]
    item = MemoryItem(
        layer=Layer(fields["layer"]),
        type=ItemType(fields["type"]),
        title=_text(fields["title"]),
        content=_text(fields["content"]),
        provenance=Provenance(
            author_id=_number(fields["author_id"]),
            author_name=_text(fields["author_name"]),
            source=_text(fields["source"]),
            trust=_trust(fields["trust"]),
            said_at=_moment(fields["said_at"]),
            exchange=_text(fields["exchange"]),
        ),
        fingerprint=_text(fields["fingerprint"]),
        confidence=float(fields["confidence"]),
        salience=float(fields["salience"]),
        tags=tuple(_text(each) for each in fields["tags"]),
        ttl_s=None if fields["ttl_s"] is None else _number(fields["ttl_s"]),
        created_at=_moment(fields["created_at"]),
        updated_at=_moment(fields["updated_at"]),
        accessed_at=None if used is None else _moment(used),
        references=tuple(_number(each) for each in fields["references"]),
        superseded_by=None if later is None else _number(later),
        pinned=_flag(fields["pinned"]),
        subject=_text(fields["subject"]),
        id=_number(fields["id"]),
    )
    return ArchivedItem(
        item, _number(fields["uses"]), _number(fields["restated"]), tuple(_text(each) for each in fields["sources"])
    )


def name_trust(trust: Trust) -> str:
    """Return a level of trust as the format writes it."""
    return trust.name.lower()


def _load(line: bytes) -> Json:
    fields = orjson.loads(line)
    if not isinstance(fields, dict):
        raise TypeError("it is no object")
    return fields


def _load_part(fields: Json) -> Part:
    return Part(
        Origin(fields["origin"]),
        _text(fields["text"]),
        _text(fields["author"]),
        _number(fields["author_id"]),
        _trust(fields["trust"]),
    )


def _trust(value: object) -> Trust:
    found = next((trust for trust in Trust if name_trust(trust) == value), None)
    if found is None:
        raise ValueError(f"{value!r} is no level of trust")
    return found


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
