"""The document that long-term memory receives for one exchange, and the way back.

The name of a document is stable, so that a retry is recognised, and says whose it is, so that a foreign one is too.
Its text starts with a unique header because LightRAG drops a text that it has seen under another name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.errors import ScopeMissing
from bot.memory.sanitise import clean, one_line
from bot.memory.scope import Scope

_SOURCE: Final = re.compile(r"conv_([0-9]{8}_[0-9]{6})_([a-z0-9_]+)_([a-z0-9]+)\.txt")
_UID: Final = re.compile(r"[a-z0-9]+")
_TOKEN: Final = re.compile(r"<\|[^\n|<>]{0,40}\|>|<\s*SEP\s*>", re.IGNORECASE)
_LABEL: Final = re.compile(r"^(?= *(?:Ref|Date|Skill|Assistant|User(?: \([^()\n]*\))?):)", re.MULTILINE)
_ESCAPED: Final = re.compile(r"^ (?= *(?:Ref|Date|Skill|Assistant|User(?: \([^()\n]*\))?):)", re.MULTILINE)
_REF: Final = re.compile(r"^Ref: (?P<tag>[a-z0-9_]+) (?P<uid>[a-z0-9]+)$", re.MULTILINE)
_DATE: Final = re.compile(
    r"^Date: (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} [+-][0-9]{2}:[0-9]{2})$", re.MULTILINE
)
_SKILL: Final = re.compile(r"^Skill: (?P<skill>.+)$", re.MULTILINE)
_USER: Final = re.compile(r"^User(?: \((?P<name>[^()\n]*)\))?:(?: |$)", re.MULTILINE)
_ASSISTANT: Final = re.compile(r"^Assistant:(?: |$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """What the name of a document says: when (UTC, to the second), whose (scope tag), which exchange."""

    said_at: datetime
    tag: str
    uid: str


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """An exchange read back from a document or the beginning of one; absent parts are "" or ``None``."""

    tag: str
    uid: str
    said_at: datetime | None
    skill: str
    author_name: str
    user_text: str
    assistant_text: str


def source_name(said_at: datetime, tag: str, uid: str) -> str:
    """Return ``conv_YYYYMMDD_HHmmss_<tag>_<uid>.txt`` in UTC: readable, unique, stable over retries.

    ``said_at`` must be aware (else ``ValueError``), ``tag`` a scope's (else :class:`~bot.errors.ScopeMissing`), ``uid``
    match ``[a-z0-9]+``: it holds no underscore, so that no two exchanges of two scopes can share a name.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at must be aware: the name of a document is in UTC")
    if not _UID.fullmatch(uid):
        raise ValueError(f"not the uid of an exchange: {uid!r}")
    at = said_at.astimezone(UTC)
    return f"conv_{at.year:04d}{at:%m%d_%H%M%S}_{Scope(tag)}_{uid}.txt"


def parse_source(source: str) -> Source | None:
    """Return what a document's name says, ``None`` for a name that :func:`source_name` never gives."""
    match = _SOURCE.fullmatch(source)
    if match is None:
        return None
    date, tag, uid = match.groups()
    try:
        return Source(datetime.strptime(date, "%Y%m%d_%H%M%S").replace(tzinfo=UTC), Scope(tag).tag, uid)
    except (ValueError, ScopeMissing):
        return None


def render_document(
    *,
    tag: str,
    uid: str,
    said_at: datetime,
    skill: str,
    author_name: str,
    user_text: str,
    assistant_text: str,
) -> str:
    """Return the exchange as the text that is indexed; ``said_at`` keeps its local offset.

    LightRAG's control tokens are taken out, and a line of the texts that looks like one of our labels is moved one
    space to the right (as mail boxes do with "From "), so that nobody can write into somebody else's mouth.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at must be aware: its offset stands in the document")
    name = one_line(_harmless(author_name), 64).translate(str.maketrans("()", "[]"))
    lines = [f"Ref: {Scope(tag)} {uid}", f"Date: {_date(said_at)}"]
    if skill := one_line(_harmless(skill), 64):
        lines.append(f"Skill: {skill}")
    lines.append(f"User ({name}): {_spoken(user_text)}" if name else f"User: {_spoken(user_text)}")
    lines.append(f"Assistant: {_spoken(assistant_text)}")
    return "\n".join(lines)


def parse_document(text: str) -> ParsedDocument | None:
    """Return the exchange that ``text`` renders, ``None`` if no speaker can be made out.

    Takes what a chunk may hold: text before the header, a missing header, an end that was cut off.
    """
    text = clean(text)
    user = _USER.search(text)
    assistant = _ASSISTANT.search(text, user.end() if user else 0)
    if user is None and assistant is None:
        return None
    head = text[: user.start() if user else assistant.start() if assistant else 0]
    ref, date, skill = _REF.search(head), _DATE.search(head), _SKILL.search(head)
    said = text[user.end() : assistant.start() if assistant else None] if user else ""
    return ParsedDocument(
        tag=ref["tag"] if ref else "",
        uid=ref["uid"] if ref else "",
        said_at=_moment(date["date"]) if date else None,
        skill=skill["skill"] if skill else "",
        author_name=(user["name"] or "") if user else "",
        user_text=_ESCAPED.sub("", said.strip("\n")).strip(),
        assistant_text=_ESCAPED.sub("", text[assistant.end() :]).strip() if assistant else "",
    )


def _date(said_at: datetime) -> str:
    offset = said_at.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset is not None else 0
    sign = "-" if minutes < 0 else "+"
    return f"{said_at.year:04d}{said_at:-%m-%d %H:%M} {sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _moment(date: str) -> datetime | None:
    try:
        return datetime.strptime(date, "%Y-%m-%d %H:%M %z")
    except ValueError:
        return None


def _harmless(text: str) -> str:
    return _TOKEN.sub(" ", clean(text))


def _spoken(text: str) -> str:
    return _LABEL.sub(" ", _harmless(text).strip())
