"""The document that long-term memory receives for one exchange, and the way back.

The name of a document is stable, so that a retry is recognised, and says whose it is, so that a foreign one is too.
Its text starts with a unique header because LightRAG drops a text that it has seen under another name.

Tells where in a document something stands: "report.pdf › 3 Results › p. 41".

Finds the addresses that a message wants to have read: those that stand alone, and those it asks to be read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from bot.errors import ScopeMissing
from bot.memory.items import DocumentPlace, Origin, Part, Trust
from bot.memory.sanitise import clean, flatten
from bot.memory.scope import Scope
from language import alternatives, languages
from language.catalogue import Message
from language.patterns import compile_at_use

_SOURCE: Final = re.compile(r"(conv|doc)_([0-9]{8}_[0-9]{6})_([a-z0-9_]+)_([a-z0-9]+)\.txt")
_UID: Final = re.compile(r"[a-z0-9]+")
_TOKEN: Final = re.compile(r"<\|[^\n|<>]{0,40}\|>|<\s*SEP\s*>", re.IGNORECASE)
_LABELLED: Final = r"(?= *[^\s:：][^\n:：]{0,79}[:：])"
_LABEL: Final = re.compile(f"^{_LABELLED}", re.MULTILINE)
_ESCAPED: Final = re.compile(f"^ {_LABELLED}", re.MULTILINE)
_REF: Final = re.compile(r"^Ref: (?P<tag>[a-z0-9_]+) (?P<uid>[a-z0-9]+)$", re.MULTILINE)
_DATE: Final = re.compile(
    r"^Date: (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} [+-][0-9]{2}:[0-9]{2})$", re.MULTILINE
)
_SKILL: Final = re.compile(r"^Skill: (?P<skill>.+)$", re.MULTILINE)
_SPEAKER: Final = re.compile(
    r"^(?P<who>User|Forwarded|Assistant)(?: (?P<id>-?[0-9]{1,20}))?(?: \((?P<name>[^()\n]*)\))?:(?: |$)", re.MULTILINE
)
_ORDER: Final = ("User", "Forwarded", "Assistant")
_PASSED_ON: Final = "forwarded the following"
"""What the author did who typed nothing."""
_NOBODY: Final = "unknown"
_OUTSIDE: Final = "after reading outside text"
"""Stands in the label of an answer that rests on what somebody outside wrote."""


@dataclass(frozen=True, slots=True)
class Source:
    """What the name of a document says: when (UTC, to the second), whose (scope tag), which exchange.

    ``file`` says that it is no exchange but a file or a page that somebody sent, or a part of one.
    """

    said_at: datetime
    tag: str
    uid: str
    file: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """An exchange read back from a document or the beginning of one; absent parts are "" or ``None``.

    ``user_text`` is what the author typed, ``forwarded`` what they passed on.
    """

    tag: str
    uid: str
    said_at: datetime | None
    skill: str
    author_name: str
    user_text: str
    assistant_text: str
    forwarded: Part | None = None
    answer_trust: Trust = Trust.BOT
    author_id: int = 0


def source_name(said_at: datetime, tag: str, uid: str, *, file: bool = False) -> str:
    """Return ``conv_YYYYMMDD_HHmmss_<tag>_<uid>.txt`` in UTC: readable, unique, stable over retries.

    That of a file or page that was sent begins with ``doc_``.

    ``said_at`` must be aware (else ``ValueError``), ``tag`` a scope's (else :class:`~bot.errors.ScopeMissing`), ``uid``
    match ``[a-z0-9]+``: it holds no underscore, so that no two exchanges of two scopes can share a name.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at must be aware: the name of a document is in UTC")
    if not _UID.fullmatch(uid):
        raise ValueError(f"not the uid of an exchange: {uid!r}")
    at = said_at.astimezone(UTC)
    return f"{'doc' if file else 'conv'}_{at.year:04d}{at:%m%d_%H%M%S}_{Scope(tag)}_{uid}.txt"


def source_pattern(tag: str) -> str:
    """Return the pattern (``GLOB``) that the names of a scope's exchanges and files fit, and hardly any other name."""
    return f"[c-d]o[c-n]*_{'[0-9]' * 8}_{'[0-9]' * 6}_{Scope(tag)}_*.txt"


def parse_source(source: str) -> Source | None:
    """Return what a document's name says, ``None`` for a name that :func:`source_name` never gives."""
    match = _SOURCE.fullmatch(source)
    if match is None:
        return None
    kind, date, tag, uid = match.groups()
    try:
        said_at = datetime.strptime(date, "%Y%m%d_%H%M%S").replace(tzinfo=UTC)
        return Source(said_at, Scope(tag).tag, uid, file=kind == "doc")
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
    forwarded: Part | None = None,
    answer_trust: Trust = Trust.BOT,
    author_id: int = 0,
) -> str:
    """Return the exchange as the text that is indexed; ``said_at`` keeps its local offset.

    ``author_id`` tells the author from others of that name: it stands before the brackets, where no name can.

    What was forwarded stands under the name of whoever wrote it.  A quotation is left out: what it quotes is
    remembered where it was said.
    LightRAG's control tokens are taken out, and a line of the texts that looks as if somebody began to speak there
    ("Name: …") is moved one space to the right (as mail boxes do with "From "), so that nobody can write into
    somebody else's mouth.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at must be aware: its offset stands in the document")
    name = _name(author_name)
    lines = [f"Ref: {Scope(tag)} {uid}", f"Date: {_date(said_at)}"]
    if skill := flatten(clean_for_lightrag(skill), 64):
        lines.append(f"Skill: {skill}")
    own = _PASSED_ON if forwarded is not None and not user_text.strip() else _spoken(user_text)
    user = f"User {author_id}" if author_id else "User"
    lines.append(f"{user} ({name}): {own}" if name else f"{user}: {own}")
    if forwarded is not None:
        source = _name(forwarded.author) or _NOBODY
        lines.append(f"Forwarded (from {source}): {_spoken(forwarded.text)}")
    doubt = f" ({_OUTSIDE})" if answer_trust < Trust.BOT and assistant_text.strip() else ""
    lines.append(f"Assistant{doubt}: {_spoken(assistant_text)}")
    return "\n".join(lines)


def parse_document(text: str) -> ParsedDocument | None:
    """Return the exchange that ``text`` renders, ``None`` if no speaker can be made out.

    Takes what a chunk may hold: text before the header, a missing header, an end that was cut off.
    """
    text = clean(text)
    speakers = _speakers(text)
    if not speakers:
        return None
    head = text[: min(label.start() for label, _ in speakers.values())]
    ref, date, skill = _REF.search(head), _DATE.search(head), _SKILL.search(head)
    user, user_text = speakers.get("User", (None, ""))
    forward, forwarded_text = speakers.get("Forwarded", (None, ""))
    answer, assistant_text = speakers.get("Assistant", (None, ""))
    outside = forward is not None or (answer is not None and answer["name"] == _OUTSIDE)
    return ParsedDocument(
        tag=ref["tag"] if ref else "",
        uid=ref["uid"] if ref else "",
        said_at=_moment(date["date"]) if date else None,
        skill=skill["skill"] if skill else "",
        author_name=(user["name"] or "") if user else "",
        user_text="" if forward is not None and user_text == _PASSED_ON else user_text,
        assistant_text=assistant_text,
        forwarded=_part(forward["name"] or "", forwarded_text) if forward is not None else None,
        answer_trust=Trust.FILE if outside else Trust.BOT,
        author_id=int(user["id"] or 0) if user else 0,
    )


def _speakers(text: str) -> dict[str, tuple[re.Match[str], str]]:
    """Return the label and the text of each speaker that ``text`` holds, in the only order there is."""
    labels: list[re.Match[str]] = []
    for label in _SPEAKER.finditer(text):
        if not labels or _ORDER.index(label["who"]) > _ORDER.index(labels[-1]["who"]):
            labels.append(label)
    ends = [label.start() for label in labels[1:]] + [len(text)] * bool(labels)
    return {
        label["who"]: (label, _ESCAPED.sub("", text[label.end() : end].strip("\n")).strip())
        for label, end in zip(labels, ends, strict=True)
    }


def _part(name: str, text: str) -> Part:
    source = name.removeprefix("from ")
    return Part(Origin.FORWARDED, text, "" if source == _NOBODY else source)


def _name(name: str) -> str:
    return flatten(clean_for_lightrag(name), 64).translate(str.maketrans("()", "[]"))


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


def clean_for_lightrag(text: str) -> str:
    """Return ``text`` without control characters, lone surrogates and LightRAG's control tokens.

    LightRAG answers 500 to a lone surrogate and passes control tokens through from the text to its prompts.
    """
    return _TOKEN.sub(" ", clean(text))


def _spoken(text: str) -> str:
    return _LABEL.sub(" ", clean_for_lightrag(text).strip())


BORDER: Final = " › "
_MOST_HEADINGS: Final = 3
_LONGEST: Final = 60


def render_place(place: DocumentPlace, page: Message | str, escape: Callable[[str], str]) -> str:
    """Return name, innermost headings and page; ``page`` has ``{page}``, ``escape`` makes foreign words safe.

    A heading that only repeats the document's name is left out.
    """
    name = place.name.rpartition(".")[0] or place.name
    headings = [
        heading for heading in place.headings if heading.casefold() not in {place.name.casefold(), name.casefold()}
    ]
    parts = [_cut(place.name), *map(_cut, headings[-_MOST_HEADINGS:])]
    written = [escape(part) for part in parts if part]
    return BORDER.join([*written, *([page.format(page=place.page)] if place.page else [])])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


MOST: Final = 3
"""Addresses of one message that are read."""
_ADDRESS: Final = compile_at_use(r"https?://[^\s<>\"“”«»]{1,2000}", re.IGNORECASE)
_BEHIND: Final = ".,;:!?'’)]}>…"
"""What ends a sentence or a bracket around an address, and is no part of it."""
_WORD: Final = compile_at_use(r"[^\W_]")
_READING: Final = compile_at_use(
    rf"\W*{alternatives(each.links.reading for each in languages() if each.links.reading)}"
)
_FEW_WORDS: Final = 3
_LONGEST_NAME: Final = 80
_CUT_NAME: Final = 70


def find_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses that a message wants to have read, each once, at most :data:`MOST`; () if it wants none.

    An address that is only mentioned in a sentence is none of them.
    """
    found = tuple(dict.fromkeys(filter(None, map(_trim, _ADDRESS.findall(text)))))
    if not found or not (_READING.match(text.lower()) or not _WORD.search(_ADDRESS.sub(" ", text))):
        return ()
    return found[:MOST]


def find_request(text: str) -> str:
    """Return what such a message says besides, "" for next to nothing: "read https://… and tell me who wrote it"."""
    rest = _ADDRESS.sub(" ", text)
    asked = _READING.match(rest.lower())
    rest = rest[asked.end() :] if asked is not None and len(rest.lower()) == len(rest) else rest
    rest = " ".join(rest.split())
    return rest if len(rest.split()) > _FEW_WORDS or "?" in rest else ""


def name_page(url: str) -> str:
    """Return what a page is called: its address without scheme, short, and different for different addresses."""
    parts = urlsplit(url)
    name = f"{parts.hostname or ''}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_CUT_NAME]}…{blake2b(url.encode(), digest_size=3).hexdigest()}"


def _trim(address: str) -> str:
    while address and address[-1] in _BEHIND:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address if "." in address or ":" in address.removeprefix("http") else ""
