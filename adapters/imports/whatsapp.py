"""Reads the text that WhatsApp exports for one chat, line by line.

A message begins with a date, a time and a name; what follows on lines without such a beginning belongs to it.  What
WhatsApp itself says (somebody joined, a picture is left out, a message was edited) is in the phone's language, and is
known by its shape: it has no name before it, or stands in angle brackets, or begins with an invisible mark, above all
under the group's name or again and again.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Final
from zipfile import Path as ZippedPath

from adapters.imports.streaming import NEVER, ExportFile, put_in_zone
from adapters.imports.whatsapp_dates import MARKS, Calendar, Span, Stamp, find_moment, parse_stamp
from bot.errors import ImportRefused
from bot.ports.transfer import ExportedMessage, LeftOut, Read, Speaks
from language.phone_notices import DELETED, EDITED, NOTICE

_NAMED: Final = re.compile(r"[\u200e\u200f]{0,8}(?P<name>[^:\n]{1,100}): (?P<text>.*)", re.DOTALL)
_QUOTES: Final = re.compile('[“”„«»"]')
"""In a name they are those of a notice: Anna changed the subject from “Trip: May” to “Trip: June”."""
_MARKED: Final = re.compile(rf"[{MARKS}]<[^<>\n]{{1,120}}>")
"""What WhatsApp adds to a message: a file that is attached to it, or that it was edited."""
_BRACKETED: Final = re.compile(r"<[^<>\n]{1,60}>")
_TAIL: Final = re.compile(r"\s<(?P<said>[^<>\n\d/@:=]{3,60})>\s{0,8}$")
_FILE: Final = re.compile(
    rf"(?:[{MARKS}]{{1,8}}[^\n]{{0,200}}?|[A-Z]{{2,5}}-\d{{8}}-WA\d{{4}})\.\w{{2,5}} \([^()\n]{{3,60}}\)(?:\n|$)"
)
"""A file by its name, with "(file attached)" in any language."""
_ENCRYPTED: Final = 25
"""Characters: the notice on encryption that begins a chat is longer in every language."""
_SHORT: Final = 120
_OFTEN: Final = 3
_COUNTED: Final = 10_000
"""Different short texts that are counted."""
_LOOKED_AT: Final = 40
"""Lines at the beginning of a file that tell whether it is a chat."""
_LONGEST: Final = 1_000_000
"""Characters of one message."""
_EDGES: Final = "".join(
    letter for letter in map(chr, range(0x3001)) if letter.isspace() or re.match(f"[{MARKS}]", letter)
)
"""White space and marks, which are no words at the ends of a text."""


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the whole file tells: the order of its dates, what words for parts of the day mean, and whose notices.

    ``groups`` are the names that only WhatsApp speaks under, ``notices`` and ``tails`` what it says again and again.
    """

    order: str
    spans: dict[str, Span]
    groups: frozenset[str]
    notices: frozenset[str]
    tails: frozenset[str]
    today: date


def read_whatsapp(path: ExportFile, zone: tzinfo | None, dates: str = "") -> Iterator[Read]:
    """Yield the messages of a chat in order, their times taken in ``zone`` (``None``: the machine's).

    ``dates`` is "dmy", "mdy" or "ymd" where the file does not tell, "" otherwise.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    facts = _survey(path, dates)
    chat = _name_chat(path)
    seen = Counter[str]()
    for number, (stamp, text) in enumerate(_join_lines(path)):
        named = _match_name(text)
        if named is None or named["name"] in facts.groups:
            yield LeftOut.SERVICE
            continue
        said = _read_text(named["text"], stamp, facts, first=number == 0)
        if not said:
            yield LeftOut.NO_TEXT
            continue
        clock = find_moment(stamp, facts.order, facts.spans, facts.today)
        # The key is made of what stands in the file: it stays the same when more of it is understood.
        key = f"{clock.isoformat() if clock else ''}\n{named['name']}\n{named['text']}"
        digest = hashlib.sha256(key.encode()).hexdigest()[:24]
        seen[digest] += 1  # somebody may say the same twice in a minute
        name = named["name"].strip(_EDGES).removeprefix("~").strip(_EDGES)
        yield ExportedMessage(
            source=f"whatsapp:{digest}:{seen[digest]}",
            chat=chat,
            author=name,
            author_name=name,
            speaks=Speaks.PERSON,
            text=said,
            said_at=put_in_zone(clock, zone) if clock else NEVER,
        )


def begins_as_whatsapp(text: str) -> bool:
    """Return whether a text begins as an exported chat does: of its first lines two are messages with a name."""
    begun = (stamp for line in text.splitlines()[:_LOOKED_AT] if (stamp := parse_stamp(line)) is not None)
    return sum(_match_name(stamp.rest) is not None for stamp in begun) > 1


def _match_name(text: str) -> re.Match[str] | None:
    """Return the name and the text of a message, ``None`` for a notice without a name."""
    named = _NAMED.match(text)
    return None if named is None or _QUOTES.search(named["name"]) else named


def _read_text(text: str, stamp: Stamp, facts: _Facts, *, first: bool) -> str:
    """Return a person's words of a message, "" where there are none."""
    said = _MARKED.sub("", text)
    tail = _TAIL.search(said)
    if tail is not None and tail["said"] in facts.tails:
        said = said[: tail.start()]
    attached = _FILE.match(said)
    said = (said[attached.end() :] if attached is not None else said).strip(_EDGES)
    bracketed = bool(stamp.shape[0] == 0)
    if not said or _BRACKETED.fullmatch(said) or said.casefold().rstrip(".") in DELETED:
        return ""
    if not (bracketed and _is_marked(text)) or "\n" in said or "://" in said or len(said) > _SHORT:
        begins = first and bracketed and _is_marked(text) and "\n" not in said
        return "" if begins else said
    surely = stamp.marked or said in facts.notices or bool(NOTICE.search(said) or re.search(f"[{MARKS}]", said))
    return "" if surely or (first and len(said) > _ENCRYPTED) else said


def _is_marked(text: str) -> bool:
    return text[:1] in {"\u200e", "\u200f"}


def _survey(path: ExportFile, dates: str) -> _Facts:
    """Read the whole file for what its single lines do not tell.  Raises :class:`~bot.errors.ImportRefused`."""
    today = datetime.now(UTC).date()
    calendar, notices, tails = Calendar(today), Counter[str](), Counter[str]()
    said, marked = Counter[str](), Counter[str]()
    group = ""
    for stamp, text in _join_lines(path):
        calendar.note(stamp)
        if (named := _match_name(text)) is None:
            continue
        words = named["text"].strip(_EDGES)
        said[named["name"]] += 1
        if _is_marked(named["text"]):
            marked[named["name"]] += not stamp.marked  # a group sends no pictures
            _count(notices, words)
            group = named["name"] if calendar.stamps == 1 and len(words) > _ENCRYPTED else group
        if tail := _TAIL.search(named["text"]):
            _count(tails, tail["said"])
    if not calendar.stamps:
        raise ImportRefused(f"{path.name} holds no message of WhatsApp")
    silent = {name for name, count in marked.items() if count == said[name] and (count >= _OFTEN or name == group)}
    spoken = (tail for tail, count in tails.items() if tail.casefold().rstrip(".") in EDITED or _recurs(tail, count))
    return _Facts(
        _choose_order(path, calendar, dates),
        calendar.find_spans(),
        frozenset(silent),
        frozenset(text for text, count in notices.items() if count > 1),
        frozenset(spoken),
        today,
    )


def _count(texts: Counter[str], text: str) -> None:
    if len(text) <= _SHORT and (len(texts) < _COUNTED or text in texts):
        texts[text] += 1


def _recurs(tail: str, count: int) -> bool:
    """Return whether words in angle brackets behind messages are WhatsApp's: a sentence, and not there once."""
    return count > 1 and (len(tail.split()) > 1 or not tail.isascii())


def _choose_order(path: ExportFile, calendar: Calendar, dates: str) -> str:
    left = calendar.list_orders()
    if not left:
        raise ImportRefused(
            f"{path.name} has no date of the Gregorian calendar from 2009 to tomorrow; "
            "set the phone's region to one with that calendar and export the chat again"
        )
    if len(left) > 1 and dates not in left:
        forms = " or ".join("/".join(_NUMBERS[letter] for letter in order) for order in left)
        raise ImportRefused(
            f"{path.name}: nothing in it tells whether its dates are {forms}; say it with --dates {' or '.join(left)}"
        )
    return left[0] if len(left) == 1 else dates


_NUMBERS: Final = {"d": "day", "m": "month", "y": "year"}


def _name_chat(path: ExportFile) -> str:
    """Return the chat's name: an iPhone names the zip after it and not the file."""
    if isinstance(path, ZippedPath) and path.stem == "_chat":
        return str(path.root.filename).rpartition("/")[2].removesuffix(".zip")
    return path.stem


def _read_lines(path: ExportFile) -> Iterator[str]:
    number = 0
    try:
        with path.open(encoding="utf-8-sig", errors="strict", newline=None) as file:
            while line := file.readline(_LONGEST):
                number += 1
                yield line
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{path.name} is not UTF-8, behind line {number}: save it as UTF-8") from error
    except OSError as error:
        raise ImportRefused(f"{path.name} cannot be read: {error.strerror}") from error


def _join_lines(path: ExportFile) -> Iterator[tuple[Stamp, str]]:
    """Yield each message's beginning with its whole text; a beginning of another shape is a message's words."""
    begin: Stamp | None = None
    text: list[str] = []
    size = 0
    for line in _read_lines(path):
        stamp = parse_stamp(line)
        if begin is None and stamp is None and not line.strip():
            continue
        if begin is None and stamp is None:
            raise ImportRefused(f"{path.name} does not begin as an exported WhatsApp chat does")
        if stamp is None or (begin is not None and stamp.shape != begin.shape):
            size += len(line)
            if size > _LONGEST:
                raise ImportRefused(f"{path.name} has a message of more than {_LONGEST} characters")
            text.append(line)
            continue
        if begin is not None:
            yield begin, "".join(text)
        begin, text, size = stamp, [stamp.rest], len(stamp.rest)
    if begin is not None:
        yield begin, "".join(text)
