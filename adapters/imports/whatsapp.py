"""Reads the text that WhatsApp exports for one chat, line by line.

A message begins with a date, a time and a name; what follows on lines without such a beginning belongs to it.  What
WhatsApp itself says (somebody joined, a picture is left out, a message was edited) is in the phone's language, and is
known by its shape: it has no name before it, or stands in angle brackets, or begins with an invisible mark, above all
under the group's name or again and again.

A phone writes date and time as its region does, and the same in every line of a file.  So the shape of the first line
tells which lines begin a message, and which number is the day is told by the whole file: dates exist, lie between
WhatsApp's first year and tomorrow, and ascend.  How the world writes them is in the Unicode Common Locale Data
Repository (CLDR): "PM", "ÖS", "오후" say which half of the day is meant, "晚上" which part; "h" and "г." say nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Final
from zipfile import Path as ZippedPath

from adapters.imports.streaming import NEVER, ExportFile, put_in_zone
from bot.errors import ImportRefused
from bot.ports.transfer import ExportedMessage, LeftOut, Read, Speaks
from language.cldr import Span, read_cldr, split_words
from language.patterns import compile_at_use
from language.phone_notices import DELETED, EDITED, NOTICE

MARKS: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Invisible marks of writing direction, for a class of a regular expression."""
_LINES: Final = (
    compile_at_use(rf"(?P<mark>[{MARKS}]{{0,16}}+)\[(?P<stamp>[^\[\]\n]{{8,60}})\][ \u00a0]?(?P<rest>.*)", re.DOTALL),
    compile_at_use(
        rf"(?P<mark>[{MARKS}]{{0,16}}+)(?P<stamp>\d[^\[\]\n]{{7,60}}?)[\s{MARKS}][-–] (?P<rest>.*)", re.DOTALL
    ),
    compile_at_use(rf"(?P<mark>[{MARKS}]{{0,16}}+)(?P<stamp>\d[^\[\]\n]{{7,60}}?):[ \u00a0](?P<rest>.*)", re.DOTALL),
)
"""iPhones set brackets around it, others a dash behind it, iPhones of old a colon."""
_MARK: Final = compile_at_use(f"[{MARKS}]")
_NUMBER: Final = compile_at_use(r"\d+")
_SIGNS: Final = frozenset("/.-")
_CLOCK: Final = frozenset({":", "."})
_LONGEST_YEAR: Final = 4
_TWO: Final = 2
_HALF_DAY, _HOURS, _SIXTY = 12, 24, 60

ORDERS: Final = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2)}
"""Places of year, month and day among the three numbers of a date: those that CLDR knows."""
_FIRST_YEAR: Final = 2009
"""WhatsApp's first."""
_BUDDHIST: Final = 543
"""Years by which the calendar of Thailand is ahead."""
_YEARS: Final = {False: 5, True: 2}
"""Years that one day of the year may be written in, by whether the year would stand first with two digits."""
_CLEARLY: Final = 4
"""How many times as often must the dates of another order go back, where those of the best one do, too."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The beginning of a message: numbers of its date and time, the word for the part of the day, and what follows.

    ``shape`` is the same in all lines of a file.  ``marked`` says that the line begins with a mark of direction.
    """

    date: tuple[str, str, str]
    clock: tuple[int, int, int]
    part: str
    shape: tuple[object, ...]
    marked: bool
    rest: str


def parse_stamp(line: str) -> Stamp | None:
    """Return the beginning of a message, ``None`` for a line that is none."""
    for kind, pattern in enumerate(_LINES):
        found = pattern.match(line)
        stamp = _read_stamp(found, kind) if found is not None else None
        if stamp is not None:
            return stamp
    return None


def _read_stamp(found: re.Match[str], kind: int) -> Stamp | None:
    told = _MARK.sub("", found["stamp"])
    numbers = _NUMBER.findall(told)
    layout = _find_layout(_NUMBER.sub("0", told), kind)
    if layout is None or max(map(len, numbers)) > _LONGEST_YEAR:
        return None
    at, part, shape = layout
    day, clock = numbers[at : at + 3], numbers[:at] if at else numbers[3:]
    hour, minute, second = (*map(int, clock), 0)[:3]
    if hour >= _HOURS or minute >= _SIXTY or second >= _SIXTY:
        return None
    return Stamp((day[0], day[1], day[2]), (hour, minute, second), part, shape, bool(found["mark"]), found["rest"])


@lru_cache(maxsize=1024)
def _find_layout(told: str, kind: int) -> tuple[int, str, tuple[object, ...]] | None:
    """Return which number of a date and time begins the date, the word beside the time, and the shape of the line."""
    lead, *between = (piece.strip() for piece in told.split("0"))
    count = len(between)
    if lead or count not in {5, 6}:
        return None
    first = between[0] not in _SIGNS  # the time: Vietnamese
    at = count - 3 if first else 0
    signs, behind_date, behind_time = between[at : at + 2], between[at + 2], between[at - 1]
    hands = between[: at - 1] if first else between[3:-1]
    part = _read_part("" if first else behind_date, behind_time, hands)
    if part is None or signs[0] not in _SIGNS or signs[1] not in {*_SIGNS, ""}:
        return None
    return at, part, (kind, first, signs[0], behind_date.startswith(signs[0]), count)


def _read_part(before: str, behind: str, hands: list[str]) -> str | None:
    """Return the word for the part of the day beside a time, "" for none, ``None`` where this is no time."""
    if not all(hand in _CLOCK or (hand and not set(split_words(hand)) - load_vocabulary().fillers) for hand in hands):
        return None
    words = split_words(behind)
    if words:
        return load_vocabulary().find_span_word(words)
    words = split_words(before)
    return (load_vocabulary().find_span_word(words) or "") if words else ""


@dataclass(slots=True)
class _Tried:
    """How the dates of a file look in one order: those that cannot be, and those before the one above them."""

    wrong: int = 0
    back: int = 0
    last: date = date.min
    days: set[date] = field(default_factory=set)

    def is_yearly(self, years: int) -> bool:
        """Return whether all dates are one day of so many years: then the number of the day is taken for the year."""
        return len(self.days) >= years and len({(day.month, day.day) for day in self.days}) == 1


@dataclass(slots=True)
class Calendar:
    """What is found out about the dates of one file, stamp by stamp."""

    today: date
    stamps: int = 0
    sign: tuple[object, ...] = ()
    short: bool = True
    """Whether the first number has two digits at most."""
    latest: int = 0
    parts: dict[str, None] = field(default_factory=dict)
    tried: dict[str, _Tried] = field(default_factory=lambda: {order: _Tried() for order in ORDERS})

    def note(self, stamp: Stamp) -> None:
        self.stamps += 1
        self.sign = stamp.shape[2:4]
        self.short = self.short and len(stamp.date[0]) <= _TWO
        self.latest = max(self.latest, stamp.clock[0])
        if stamp.part:
            self.parts[stamp.part] = None
        for order, tried in self.tried.items():
            day = find_date(stamp, order, self.today)
            if day is None:
                tried.wrong += 1
            else:
                tried.back += day < tried.last
                tried.last = day
                tried.days.add(day)

    def list_orders(self) -> list[str]:
        """Return the orders that the dates may be in, one where it is sure; none where no date can be."""
        least = min(tried.wrong for tried in self.tried.values())
        if least == self.stamps:
            return []
        left = [order for order, tried in self.tried.items() if tried.wrong == least]
        left = [o for o in left if not self.tried[o].is_yearly(_YEARS[o == "ymd" and self.short])] or left
        back = min(self.tried[order].back for order in left)
        left = [order for order in left if self.tried[order].back <= back * _CLEARLY]
        if len(left) > 1:
            known = load_vocabulary().orders
            widths = {order: (self.short,) if order == "ymd" else (True, False) for order in left}
            usual = [o for o in left if any((*self.sign, o, width) in known for width in widths[o])]
            left = usual or left
        if len(left) > 1 and "ymd" in left and self.short:
            # Few regions set a year of two digits first: it is no question where that year would be long ago, too.
            latest = max(left, key=lambda order: self.tried[order].last)
            left = left if latest == "ymd" else [order for order in left if order != "ymd"]
        return left

    def find_spans(self) -> dict[str, Span]:
        """Return what the words beside the times mean: nothing where the clock goes to 24 ("a las 14:30")."""
        return load_vocabulary().choose_spans(self.parts) if self.parts and self.latest <= _HALF_DAY else {}


def find_date(stamp: Stamp, order: str, today: date) -> date | None:
    """Return the day of a stamp, ``None`` where there is none such between WhatsApp's first year and tomorrow."""
    year, month, day = (stamp.date[place] for place in ORDERS[order])
    for found in _list_years(year):
        try:
            told = date(found, int(month), int(day))
        except ValueError:
            continue
        if found >= _FIRST_YEAR and told <= today + timedelta(days=1):
            return told
    return None


def _list_years(told: str) -> Iterator[int]:
    """Yield the years that may be meant: without their century, and of the Buddhist calendar."""
    year = int(told)
    yield 2000 + year if len(told) <= _TWO else year
    yield (2500 + year if len(told) <= _TWO else year) - _BUDDHIST


def find_moment(stamp: Stamp, order: str, spans: dict[str, Span], today: date) -> datetime | None:
    """Return the moment as the clock on the wall showed it, without a zone; ``None`` where there is none such."""
    day = find_date(stamp, order, today)
    if day is None:
        return None
    hour, minute, second = stamp.clock
    hour = place_hour(hour, minute, spans[stamp.part]) if stamp.part in spans else hour
    return datetime(day.year, day.month, day.day, hour, minute, second)  # noqa: DTZ001 - see above


_HALF: Final = 43_200
_SPANS: Final = frozenset({(0, _HALF), (_HALF, 2 * _HALF)})
"""The halves of a day."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """``spans`` are the parts of the day by word and language, ``fillers`` words of patterns that say nothing.

    ``orders`` are the short dates that somebody writes: the sign between the numbers, whether it stands behind them,
    too, their order ("dmy"), and whether the year has two digits.
    """

    spans: Mapping[str, Mapping[str, Span]]
    fillers: frozenset[str]
    orders: frozenset[tuple[str, bool, str, bool]]

    def find_span_word(self, words: Iterable[str]) -> str | None:
        """Return what words beside a time say of its part of the day, "" for nothing, ``None`` for unknown ones."""
        told = list(words)
        if "".join(told) in self.spans or all(word in self.fillers for word in told):
            return "".join(told) if "".join(told) in self.spans else ""
        for begin in range(len(told)):
            for end in range(len(told), begin, -1):
                word, rest = "".join(told[begin:end]), told[:begin] + told[end:]
                if word in self.spans and all(filler in self.fillers for filler in rest):
                    return word
        return None

    def choose_spans(self, words: Iterable[str]) -> dict[str, Span]:
        """Return what words of one file mean: in the language that knows most of them, or what most languages mean."""
        seen = tuple(words)
        known = defaultdict[str, int](int)
        for word in seen:
            for language in self.spans[word]:
                known[language] += 1
        best = [language for language in sorted(known) if known[language] == max(known.values())]
        meanings = defaultdict[tuple[Span | None, ...], int](int)
        for language in best:
            meanings[tuple(self.spans[word].get(language) for word in seen)] += 1
        # A word for a part of the day may be another language's for a half: halves are what clocks show.
        chosen = max(
            meanings, key=lambda meaning: (sum(span in _SPANS for span in meaning), meanings[meaning]), default=()
        )
        return {word: span for word, span in zip(seen, chosen, strict=False) if span is not None}


def place_hour(hour: int, minute: int, span: Span) -> int:
    """Return the hour of the day that a clock of twelve hours shows in a part of the day."""
    begin, end = span
    for candidate in (hour % 12, hour % 12 + 12):
        second = candidate * 3600 + minute * 60
        if begin <= second < end or (begin > end and not end <= second < begin):
            return candidate
    return hour


@cache
def load_vocabulary() -> Vocabulary:
    """Return the words of every language."""
    cldr = read_cldr()
    spans = {
        word: {code: (begin, end) for code, (begin, end) in found.items()} for word, found in cldr["spans"].items()
    }
    orders = ((sign, last, order, short) for sign, last, order, short in cldr["orders"])
    return Vocabulary(spans, frozenset(cldr["fillers"]), frozenset(orders))


_NAMED: Final = compile_at_use(r"[\u200e\u200f]{0,8}(?P<name>[^:\n]{1,100}): (?P<text>.*)", re.DOTALL)
_QUOTES: Final = compile_at_use('[“”„«»"]')
"""In a name they are those of a notice: Anna changed the subject from “Trip: May” to “Trip: June”."""
_MARKED: Final = compile_at_use(rf"[{MARKS}]<[^<>\n]{{1,120}}>")
"""What WhatsApp adds to a message: a file that is attached to it, or that it was edited."""
_BRACKETED: Final = compile_at_use(r"<[^<>\n]{1,60}>")
_TAIL: Final = compile_at_use(r"\s<(?P<said>[^<>\n\d/@:=]{3,60})>\s{0,8}$")
_FILE: Final = compile_at_use(
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
_EDGES: Final = "".join(re.findall(rf"[\s{MARKS}]", "".join(map(chr, range(0x3001)))))
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
