"""Passages of messages, the unit that is scored, and what a question asks of them: features, days, and whose they are.

A chat turn is one passage; a long answer is several, so that it competes with short turns on equal terms instead of
matching every question a little (LongMemEval, Wu et al. 2024, finds the same for session-sized keys).
A date in a question becomes a soft bonus for what was said near it, never a filter: people tell of things some days
after they happened, and misremember dates.
The patterns of time are of small letters and are given small letters: ignoring case takes ``re`` three times as long.
In a chat the speaker of a turn is metadata: "What did Anna paint?" is answered by a turn *of* Anna that says "I".
An embedding model matches names instead of content, so names of authors are taken out of what is embedded, and a
question about an author is asked in the first person: the way its answer was said.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from bot.memory.overviews import find_overview
from language import alternatives, languages
from language.analyser import list_possessives
from language.patterns import compile_at_use
from language.schedule import Calendar
from language.sentences import split_sentences
from language.words import CAPITALS

_Named = TypeVar("_Named")
_DAY_S: Final = 86400.0
_CALENDARS: Final = tuple(each.calendar for each in languages())
_MONTHS: Final = tuple(
    compile_at_use(rf"{alternatives(names)}\b")
    for names in zip(*(each.months for each in _CALENDARS if each.months), strict=True)
)
"""January first."""
_MONTH: Final = alternatives(month for each in _CALENDARS for month in each.months)
_DAY_ENDING: Final = alternatives(each.day_ending for each in _CALENDARS)
_DATE: Final = compile_at_use(
    rf"(?:\b(?P<before>\d{{1,2}}){_DAY_ENDING}?\s+(?:{alternatives(each.of for each in _CALENDARS)}\s+)?)?"
    rf"\b(?P<month>{_MONTH})\b(?:\s+(?P<after>\d{{1,2}}){_DAY_ENDING}?\b(?!\d))?"
)
_YEAR: Final = compile_at_use(r"\b((?:19|20)\d\d)\b")
_ISO: Final = compile_at_use(r"\b(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DOTTED: Final = compile_at_use(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>20\d\d)\b")
_DAYS_AGO: Final = {expression: days for each in _CALENDARS for expression, days in each.relative.items()}
_RELATIVE: Final = compile_at_use(rf"\b{alternatives(sorted(map(re.escape, _DAYS_AGO), key=len, reverse=True))}\b")


@dataclass(frozen=True, slots=True)
class _Ago:
    """The "three days ago" of one language."""

    pattern: re.Pattern[str]
    counts: Mapping[str, int]
    units: tuple[tuple[re.Pattern[str], int], ...]

    @classmethod
    def of(cls, calendar: Calendar) -> _Ago:
        count = rf"(?P<count>\d{{1,9}}|{alternatives(calendar.counts)})"
        pattern = calendar.ago.replace("{count}", count).replace("{unit}", f"(?P<unit>{alternatives(calendar.units)})")
        units = tuple((compile_at_use(unit), days) for unit, days in calendar.units.items())
        return cls(compile_at_use(rf"\b{pattern}\b"), calendar.counts, units)

    def days(self, question: str) -> Iterator[int]:
        """Yield how many days ago each expression of ``question`` is."""
        for match in self.pattern.finditer(question):
            count = match["count"] or ""
            number = min(int(count), _LONGEST_AGO) if count.isdecimal() else self.counts.get(count, 1)
            unit = next(days for pattern, days in self.units if pattern.fullmatch(match["unit"]))
            yield min(number * unit, _LONGEST_AGO)


_LONGEST_AGO: Final = 36_500
_AGO: Final = tuple(_Ago.of(each) for each in _CALENDARS if each.ago)
_SAYS_WHEN: Final = compile_at_use(
    rf"\b(?:{alternatives(each.exactly for each in _CALENDARS)}|{_MONTH}|(?:19|20)\d\d)\b"
)
_VAGUELY: Final = compile_at_use(rf"\b{alternatives(each.vaguely for each in _CALENDARS)}\b")

_EARLY_DAYS: Final = 4.0
_LATE_DAYS: Final = 10.0
_LATE_DAYS_OF_A_YEAR: Final = 100.0
_FADED: Final = 10.0
"""Times the days of fading, after which nothing (less than 0.0001) is left of the bonus."""
_MOST_NAMED: Final = 32
"""Days, and years, that count in a question: one that names more is a list, and every one costs a look at all that is
stored."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days that a question names, UTC, both ends included; ``fade`` is how slowly the bonus fades after them."""

    start: datetime
    end: datetime
    fade: float = _LATE_DAYS


def find_time_expressions(text: str) -> tuple[bool, bool]:
    """Return whether the text says when ("last week", a month, a year), and whether at least roughly ("recently")."""
    small = text.lower()
    exactly = bool(_SAYS_WHEN.search(small))
    return exactly, exactly or bool(_VAGUELY.search(small))


def find_days(question: str, now: datetime, first: datetime, last: datetime) -> tuple[Days, ...]:
    """Return the spans of days that a question names.

    A month without a year stands for that month of every year between ``first`` and ``last``, the times of the oldest
    and newest message; relative expressions count back from ``now``.
    """
    question = question.lower()
    exact = (_parse_day(match) for pattern in (_ISO, _DOTTED) for match in pattern.finditer(question))
    spans = _take_first(Days(day, day) for day in exact if day is not None)
    if not spans:
        years = _take_first(int(year) for year in _YEAR.findall(question))
        named = _take_first(
            (_find_month(match), match["before"] or match["after"]) for match in _DATE.finditer(question)
        )
        dated = (_build_days(*date, year) for date in named for year in years or _list_years(first, last))
        spans = _take_first(span for span in dated if span is not None)
        ends = (
            () if named else ((datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, tzinfo=UTC)) for year in years)
        )
        spans += tuple(Days(*each, _LATE_DAYS_OF_A_YEAR) for each in ends)
    return spans + _take_first(_find_relative_days(question, now))


def score_dates(said_at: npt.NDArray[np.float64], spans: tuple[Days, ...]) -> npt.NDArray[np.float32]:
    """Return 0..1 per time (seconds since 1970): 1 inside a span, fading over days before and after it."""
    bonus = np.zeros(len(said_at), dtype=np.float32)
    for span in spans:
        start, end = span.start.timestamp(), span.end.timestamp() + _DAY_S
        earliest, latest = start - _FADED * _EARLY_DAYS * _DAY_S, end + _FADED * span.fade * _DAY_S
        near = np.flatnonzero((said_at > earliest) & (said_at < latest))
        before = np.maximum(start - said_at[near], 0) / _DAY_S
        after = np.maximum(said_at[near] - end, 0) / _DAY_S
        bonus[near] = np.maximum(bonus[near], np.exp(-before / _EARLY_DAYS - after / span.fade))
    return bonus


def _take_first(named: Iterable[_Named]) -> tuple[_Named, ...]:
    """Return the first of what a question names, each once."""
    return tuple(itertools.islice(dict.fromkeys(named), _MOST_NAMED))


def _list_years(first: datetime, last: datetime) -> range:
    return range(max(first.year, last.year - 20), last.year + 1)


def _find_month(date: re.Match[str]) -> int:
    start = date.start("month")
    return next(number for number, month in enumerate(_MONTHS, 1) if month.match(date.string, start))


def _build_days(month: int, day: str | None, year: int) -> Days | None:
    start = datetime(year, month, 1, tzinfo=UTC)
    following = (start + timedelta(days=32)).replace(day=1)
    if day is None:
        return Days(start, following - timedelta(days=1))
    exact = start + timedelta(days=int(day) - 1)
    return Days(exact, exact) if int(day) > 0 and exact < following else None


def _parse_day(match: re.Match[str]) -> datetime | None:
    try:
        return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC)
    except ValueError:  # 31.02.2024: not a date, so it names no day
        return None


def _find_relative_days(question: str, now: datetime) -> Iterator[Days]:
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    spans = [_DAYS_AGO[match.group()] for match in _RELATIVE.finditer(question)]
    spans += [(days + days // 4, days - days // 4) for language in _AGO for days in language.days(question)]
    return (Days(today - timedelta(days=begin), today - timedelta(days=end)) for begin, end in spans)


PASSAGE_WORDS = 90
"""A passage closes before it grows beyond this many words; measured: 60 to 120 differ by less than noise."""

SHOWN_WORDS = 150
"""Messages up to this many words are shown whole."""

CUT = "[…]"


def split_passages(text: str) -> tuple[str, ...]:
    """Return ``text`` as passages of whole sentences, each verbatim apart from white space between sentences.

    A sentence longer than a passage is cut.  An empty text gives one empty passage.
    """
    if len(text.split()) <= PASSAGE_WORDS:
        return (text.strip(),)
    return tuple(" ".join(piece for piece, _ in passage) for passage in _gather_pieces(text))


def cut_excerpt(text: str, piece: int) -> str:
    """Return what of a found message is worth showing: all of a short one, else its ``piece``-th passage, marked.

    What was a line of its own stays one: a point of a list is no part of the sentence before it.
    """
    if len(text.split()) <= SHOWN_WORDS:
        return text
    passages = tuple(_gather_pieces(text))
    if piece >= len(passages):
        return text
    before, after = CUT if piece else "", CUT if piece + 1 < len(passages) else ""
    shown = "".join(("\n" if begins else " ") + part for part, begins in passages[piece]).strip()
    return f"{before} {shown} {after}".strip()


def _gather_pieces(text: str) -> Iterator[list[tuple[str, bool]]]:
    """Yield what makes a passage: at most ``PASSAGE_WORDS`` words, in pieces that say whether they begin a line."""
    held: list[tuple[str, bool]] = []
    count = 0
    for piece, begins in _split_pieces(text, PASSAGE_WORDS):
        size = len(piece.split())
        if held and count + size > PASSAGE_WORDS:
            yield held
            held, count = [], 0
        held.append((piece, begins))
        count += size
    if held:
        yield held


def _split_pieces(text: str, limit: int) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of ``text``, long ones in pieces of ``limit`` words, and whether each begins a line."""
    for line in text.split("\n"):
        begins = True
        for sentence in split_sentences(line):
            words = sentence.split()
            pieces = (" ".join(words[start : start + limit]) for start in range(0, len(words), limit))
            for piece in (sentence,) if len(words) <= limit else pieces:
                yield piece, begins
                begins = False


# Features of passages and of questions: cheap marks that say whether the one can answer the other.
#
# A question that starts with "when" is answered by a passage with a time expression, "how many" by one with a number,
# "where" and "who" by one with a name, "why" by one with a reason; a passage that is itself a question rarely answers.
# Patterns of small letters are given small letters: ignoring case takes ``re`` three times as long.
# The things that somebody has done so far ("how many", "which … has") is told piece by piece, each when it was news.
# Advice is guided by what its asker once said to want ("always …", "I prefer …"), whatever else it is about.

ASKS, ENDS_ASKING, TIME, VAGUE_TIME, NUMBER, NAME, REASON, FIRST_PERSON, NEWS, WISH = (1 << bit for bit in range(10))

_LANGUAGES: Final = languages()
_NUMBER: Final = compile_at_use(rf"\b(?:\d+|{alternatives(each.cues.number for each in _LANGUAGES)})\b")
_NAME: Final = compile_at_use(rf"(?<=[^\W\d_,][ ])[{CAPITALS}][^\W\d_]{{2,}}|[\"“«][^\"“”«»]{{1,80}}[\"”»]")
_REASON: Final = compile_at_use(rf"\b{alternatives(each.cues.reason for each in _LANGUAGES)}\b")
_FIRST: Final = compile_at_use(rf"\b{alternatives(each.persons.speakers for each in _LANGUAGES)}\b")
_NEWS: Final = compile_at_use(rf"\b{alternatives(each.cues.news for each in _LANGUAGES)}\b")
_WISH: Final = compile_at_use(
    rf"\b{alternatives(each.cues.wish for each in _LANGUAGES)}\b|"
    rf"(?:^|(?<=[.!?;:]\s))\W{{0,16}}+{alternatives(each.cues.wish_begin for each in _LANGUAGES)}\b"
)

_ASKED: Final = tuple(each.interrogatives for each in _LANGUAGES)
_WHEN: Final = compile_at_use(rf"^\W*{alternatives(each.when for each in _ASKED)}\b")
_HOW_MANY: Final = compile_at_use(rf"\b{alternatives(each.how_many for each in _ASKED)}\b")
_NAMED: Final = compile_at_use(rf"\b{alternatives(each.named for each in _ASKED)}\b")
_WHY: Final = compile_at_use(rf"\b{alternatives(each.why for each in _ASKED)}\b")
_SEVERAL: Final = compile_at_use(
    rf"\b{alternatives(each.several for each in _ASKED)}\b|^\W*{alternatives(each.several_begin for each in _ASKED)}\b"
)
_ADVICE: Final = compile_at_use(
    rf"\b{alternatives(each.advice for each in _ASKED)}\b|^\W*{alternatives(each.advice_begin for each in _ASKED)}\b"
)


def find_cues(text: str) -> int:
    """Return the marks of a passage as bits."""
    said = text.strip()
    small = said.lower()
    exactly, roughly = find_time_expressions(said)
    marks = (
        (ASKS, "?" in said),
        (ENDS_ASKING, said.endswith("?")),
        (TIME, exactly),
        (VAGUE_TIME, roughly),
        (NUMBER, bool(_NUMBER.search(small))),
        (NAME, bool(_NAME.search(said))),
        (REASON, bool(_REASON.search(small))),
        (FIRST_PERSON, bool(_FIRST.search(said))),
        (NEWS, bool(_NEWS.search(small))),
        (WISH, bool(_WISH.search(small))),
    )
    return sum(bit for bit, present in marks if present)


@dataclass(frozen=True, slots=True)
class WantedFeatures:
    """The features of passages that a question wants."""

    time: bool
    number: bool
    name: bool
    reason: bool
    several: bool
    advice: bool


@lru_cache(maxsize=4)
def find_wanted_features(question: str) -> WantedFeatures:
    """Return what a question asks for, by its interrogatives."""
    small = question.lower()
    return WantedFeatures(
        time=bool(_WHEN.search(small)),
        number=bool(_HOW_MANY.search(small)),
        name=bool(_NAMED.search(small)),
        reason=bool(_WHY.search(small)),
        several=bool(_SEVERAL.search(small)),
        advice=bool(_ADVICE.search(small)),
    )


ASSISTANT: Final = -1
"""The place of the assistant among the authors of a chat."""

_LEAST_NICKNAME: Final = 3
_INFLECTED: Final = 5
_PERSONS: Final = tuple(each.persons for each in languages())
_ASKER: Final = compile_at_use(rf"\b{alternatives(each.asker for each in _PERSONS)}\b")
_SECOND: Final = compile_at_use(rf"\b{alternatives(each.listener for each in _PERSONS)}\b", re.IGNORECASE)
_ANSWERED: Final = compile_at_use(alternatives(each.asks_what_was_answered for each in _PERSONS), re.IGNORECASE)
_TOLD: Final = compile_at_use(alternatives(each.asks_what_was_told for each in _PERSONS))
_YOU_DID: Final = compile_at_use(rf"^\W*{alternatives(each.asks_what_was_done for each in _PERSONS)}", re.IGNORECASE)
"""Who does it is asked for, though "my" stands in the question, too: "Which hotel did you find for my trip?"."""
_CONJOINED: Final = compile_at_use(rf"\b{alternatives(each.together for each in _PERSONS)}\b", re.IGNORECASE)
_DECLINED: Final = tuple(
    (compile_at_use(f"[{each.letters}]", re.IGNORECASE), each.letters, each.persons.name_vowels)
    for each in languages()
    if each.letters and each.persons.name_vowels
)
"""Languages that decline names: their letters as a pattern and as a class, and the letters that a name loses."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a question is about.

    ``only`` is the one author it names or means; ``first`` the first of several.  Both are places in the list of names
    that was given, or :data:`ASSISTANT`; ``None`` when nobody is meant.  ``named`` are all places mentioned, in order.
    """

    only: int | None = None
    first: int | None = None
    named: tuple[int, ...] = ()


def find_subject(question: str, names: tuple[str, ...], asker: int | None) -> Subject:
    """Return whom ``question`` is about.

    ``names`` are the names of the chat's authors, ``asker`` the place of who asks, ``None`` for somebody who never
    spoke here: then "I" means nobody.
    """
    found = sorted((match.start(), place) for place, name in enumerate(names) if (match := _search(name, question)))
    named = tuple(place for _, place in found)
    if len(named) > 1:
        return Subject(first=None if _CONJOINED.search(question) else named[0], named=named)
    if named:
        return Subject(only=named[0], named=named)
    if asker is None:
        return Subject()
    return Subject(only=_find_person(question, asker))


def _find_person(question: str, asker: int) -> int | None:
    """Return who "I" and "you" mean: a question for what the assistant said may well hold "me"."""
    if _ANSWERED.search(question) and not _TOLD.search(question):
        return ASSISTANT
    if _YOU_DID.search(question):
        return ASSISTANT
    if _ASKER.search(question):
        return asker
    return ASSISTANT if _SECOND.search(question) else None


def find_focus(question: str, fold: Callable[[str], str]) -> str | None:
    """Return what a question over time or over everything is about; ``None`` for another, and where nothing is left.

    The words that only ask ("in what order", "throughout our conversations") outweigh its subject, and are themselves
    found wherever somebody talks about talking.  ``fold`` gives "" for words without a subject.
    """
    overview = find_overview(question)
    if overview is None:
        return None
    return " ".join(word for word in overview.subject.split() if fold(word)) or None


def remove_names(text: str, names: Iterable[str]) -> str:
    """Return a passage without the names of the chat's authors, for embedding."""
    for pattern in filter(None, map(_compile_name, names)):
        text = pattern.sub("", text)
    return re.sub(r"\s{2,}", " ", text).strip()


def rewrite_in_first_person(question: str, names: Iterable[str]) -> str:
    """Return a question with the names of the chat's authors as "I" and "my": as the answer was said."""
    for pattern in filter(None, map(_compile_name, names)):
        question = pattern.sub(lambda match: "my" if match.group().endswith(list_possessives()) else "I", question)
    return question.strip()


def _search(name: str, text: str) -> re.Match[str] | None:
    pattern = _compile_name(name)
    return pattern.search(text) if pattern else None


@lru_cache(maxsize=4096)
def _compile_name(name: str) -> re.Pattern[str] | None:
    """Return what finds a name: its first word, its nicknames that are a prefix ("Mel"), its cases."""
    words = re.findall(r"[^\W\d_]{2,}", name)
    if not words or not words[0][0].isupper():
        return None
    first = words[0]
    owner = f"{alternatives(list_possessives())}?"
    forms = [re.escape(first) + owner]
    declined = next(((letters, vowels) for own, letters, vowels in _DECLINED if own.match(first)), None)
    if declined and len(first) >= _LEAST_NICKNAME:
        letters, vowels = declined
        forms = [rf"{re.escape(first.rstrip(vowels))}[{letters}]{{0,3}}"]
    elif len(first) >= _INFLECTED:
        forms += [re.escape(first[:size]) + owner for size in range(len(first) - 1, _LEAST_NICKNAME - 1, -1)]
    return compile_at_use(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
