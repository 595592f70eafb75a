"""Reads the text that WhatsApp exports for one chat, line by line.

A message begins with a date, a time and a name; what follows on lines without such a beginning belongs to it.  Phones
write dates as their region does ("[07.02.26, 14:30:05] Anna: …", "2/7/26, 2:30 PM - Anna: …"): which of the numbers is
the day is told by the whole file, and refused where nothing in it tells.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from adapters.imports.streaming import ExportPath
from bot.errors import ImportRefused
from bot.ports.conversation_import import ExportedMessage, LeftOut, Read, Speaks

_BEGIN: Final = re.compile(
    r"[\u200e\u200f\u202a-\u202e]*\[?(?P<a>\d{1,4})[./-] ?(?P<b>\d{1,2})[./-] ?(?P<c>\d{2,4})\.?,?"
    r"[ \u200f\u202f\u00a0]+"
    r"(?:[^\W\d]{1,2} )?(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?:[\s\u202f\u00a0]*(?P<half>[AaPp])\.?[\s\u202f\u00a0]?[Mm]\.?)?\]?(?: -|)? "
    r"(?P<rest>.*)",
    re.DOTALL,
)
_NAMED: Final = re.compile(r"[\u200e\u200f]*(?P<name>[^:\n]{1,100}): (?P<text>.*)", re.DOTALL)
_OMITTED: Final = re.compile(r"^[\u200e\u200f]+.{0,80}$|^<[^<>\n]{1,60}>$")
"""A picture or a notice in its place: WhatsApp sets an invisible mark before, or angle brackets around it."""
_LOOKED_AT: Final = 40
"""Lines at the beginning of a file that tell whether it is a chat."""
_LONGEST: Final = 1_000_000
"""Characters of one message."""
_ORDERS: Final = {"dmy": (2, 1, 0), "mdy": (2, 0, 1)}
_CENTURY: Final = 100
_HALF_DAY: Final = 12
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class _Line:
    """The beginning of a message: three numbers of the date, the time, and what follows."""

    date: tuple[int, int, int]
    time: tuple[int, int, int]
    rest: str


def read_whatsapp(path: ExportPath, zone: tzinfo | None, dates: str = "") -> Iterator[Read]:
    """Yield the messages of a chat in order, their times taken in ``zone`` (``None``: the machine's).

    ``dates`` is "dmy" or "mdy" where the file does not tell, "" otherwise.

    Raises :class:`~bot.errors.ImportRefused`.
    """
    order = _find_order(path, dates)
    seen: dict[str, int] = {}
    for begin, text in _join_lines(path):
        named = _NAMED.match(text)
        if named is None or _OMITTED.match(named["text"].strip()):
            yield LeftOut.SERVICE if named is None else LeftOut.NO_TEXT
            continue
        said_at = _build_moment(begin, order)
        digest = hashlib.sha256(f"{said_at.isoformat()}\n{named['name']}\n{named['text']}".encode()).hexdigest()[:24]
        seen[digest] = seen.get(digest, 0) + 1  # somebody may say the same twice in a minute
        yield ExportedMessage(
            source=f"whatsapp:{digest}:{seen[digest]}",
            chat=path.stem,
            chat_title=path.stem,
            author=named["name"].strip(),
            author_name=named["name"].strip(),
            speaks=Speaks.PERSON,
            text=named["text"].rstrip("\n"),
            said_at=said_at.astimezone() if zone is None else said_at.replace(tzinfo=zone),
        )


def _read_lines(path: ExportPath) -> Iterator[str]:
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


def begins_as_whatsapp(text: str) -> bool:
    """Return whether a text begins as an exported chat does: of its first lines two are messages with a name."""
    begun = (parsed for line in text.splitlines()[:_LOOKED_AT] if (parsed := _parse(line)) is not None)
    return sum(_NAMED.match(parsed.rest) is not None for parsed in begun) > 1


def _parse(line: str) -> _Line | None:
    match = _BEGIN.match(line)
    if match is None:
        return None
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % _HALF_DAY + (_HALF_DAY if match["half"] in "pP" else 0)
    date = int(match["a"]), int(match["b"]), int(match["c"])
    return _Line(date, (hour, int(match["minute"]), int(match["second"] or 0)), match["rest"])


def _join_lines(path: ExportPath) -> Iterator[tuple[_Line, str]]:
    """Yield each message's beginning with its whole text."""
    begin: _Line | None = None
    text: list[str] = []
    size = 0
    for line in _read_lines(path):
        parsed = _parse(line)
        if parsed is None and begin is None:
            raise ImportRefused(f"{path.name} does not begin as an exported WhatsApp chat does")
        if parsed is None:
            size += len(line)
            if size > _LONGEST:
                raise ImportRefused(f"{path.name} has a message of more than {_LONGEST} characters")
            text.append(line)
            continue
        if begin is not None:
            yield begin, "".join(text)
        begin, text, size = parsed, [parsed.rest], len(parsed.rest)
    if begin is not None:
        yield begin, "".join(text)


def _find_order(path: ExportPath, dates: str) -> tuple[int, int, int]:
    """Return the places of year, month and day among the three numbers of a date."""
    above = [0, 0, 0]
    any_line = False
    for line in _read_lines(path):
        if (parsed := _parse(line)) is not None:
            any_line = True
            above = [max(most, number) for most, number in zip(above, parsed.date, strict=True)]
    if not any_line:
        raise ImportRefused(f"{path.name} holds no message of WhatsApp")
    if above[0] > _CENTURY:
        return 0, 1, 2
    if above[0] > _MONTHS:
        return 2, 1, 0
    if above[1] > _MONTHS:
        return 2, 0, 1
    if dates in _ORDERS:
        return _ORDERS[dates]
    raise ImportRefused(
        f"{path.name}: nothing in it tells whether {above[0]}/{above[1]} is day/month or month/day; "
        "say it with --dates dmy or --dates mdy"
    )


def _build_moment(line: _Line, order: tuple[int, int, int]) -> datetime:
    """Return the moment as the clock on the wall showed it, without a zone."""
    year, month, day = (line.date[place] for place in order)
    try:
        return datetime(year + 2000 if year < _CENTURY else year, month, day, *line.time)  # noqa: DTZ001 - see above
    except ValueError as error:
        raise ImportRefused(f"there is no {'.'.join(map(str, line.date))} {line.time}") from error
