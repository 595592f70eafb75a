"""Answers what is known of a day that somebody asks about: "what have I got on Monday?".

The words of such a question name no more than a day, which sentences tell in words of their own: "next week", "on
Tuesdays", "the 30th", each meant from when it was said.  So every sentence that tells a time is read, and those are
the answer that fall on that day, in the order of their times, without what holds no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final

from dateutil.relativedelta import relativedelta

from bot.memory.answering.changes import Later, find_changes, list_changing_words
from bot.memory.answering.evidence import Evidence, find_aliases, is_of_the_rest
from bot.memory.answering.phrasing import tell_piece
from bot.memory.answering.recollection import match_with_time, normalise_question, read_span
from bot.memory.answering.utterances import list_statements, list_utterances
from bot.memory.concepts import STOP_WORDS, list_concepts
from bot.memory.items import Recalled
from bot.memory.learning.rewording import PREPOSITIONS, holds_value
from bot.memory.learning.speech_acts import strip_opening, wants_reminder
from bot.memory.patterns import compile_bounded
from bot.memory.speakers import Reader
from language import Language, alternatives, languages
from language.sentences import split_sentences
from language.texts import AnswerPhrases
from language.words import split_words

_MOST: Final = 12
"""Lines that a person reads in a chat."""
_FEW: Final = 2
"""Days that are named one by one."""
_CLAUSE: Final = re.compile(r"[,;]\s")
_COUNTED: Final = re.compile(r"\d[\d:.]{0,12}\s?[^\W\d_][\w'’]{0,40}")
"""A number with what it counts: "19 Uhr"."""
_COMING: Final = 367
"""Days, today and those behind it, of which is told what comes where no time is named: a year, and it is none."""
_NUMBERS: Final = re.compile(r"\d+")
_LEAST_HEAD: Final = 4
"""Letters of a word that ends a longer one: "Inspektion", "Autoinspektion"."""
_SOME: Final = {1: 7, 7: 8, 31: 6}
"""How many units of so many days "the next few" of them are at most."""


@dataclass(frozen=True, slots=True)
class ComingLine:
    """Something that comes at a time and is no memory: a reminder."""

    at: datetime
    text: str


def find_days_asked(message: str, now: datetime, read_days: Callable[[str], Sequence[date]]) -> tuple[date, ...]:
    """Return the days of which a message asks what they bring, () if it asks anything else.

    ``read_days`` reads words that say nothing but a day, or one of several.
    """
    today = now.date()
    for language, when in match_with_time(message, "plans"):
        if days := _list_days(when, language, today):
            return days
        if days := tuple(read_days(when)):
            return days
    return _find_coming(normalise_question(message), today)


def asks_what_comes(message: str) -> bool:
    """Return whether a message asks for nothing but what is to come, of whatever time."""
    return bool(_find_coming(normalise_question(message), date(1970, 1, 1)))


def _find_coming(plain: str, today: date) -> tuple[date, ...]:
    """Return the days of a question that says nothing but that it asks what comes, and until when; () for any other."""
    for language in languages():
        named, asks, over = _compile_coming(language)
        when = _compile_ahead(language).search(plain)
        rest = plain if when is None else " ".join(f"{plain[: when.start()]} {plain[when.end() :]}".split())
        if asks.match(rest) is None or named.search(rest) is None or over.search(rest) is not None:
            continue
        said = split_words(named.sub(" ", rest).replace("’", "'"))
        if (STOP_WORDS | language.told.coming_words).issuperset(said):
            days = () if when is None else _list_days(when[0], language, today)
            return days or tuple(today + timedelta(days=more) for more in range(_COMING))
    return ()


@cache
def _compile_coming(language: Language) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what names what is to come, of what such a question begins with, and of what has been."""
    named, over = (
        compile_bounded(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        for words in (language.told.coming, language.told.over)
    )
    return named, compile_bounded(language.told.asks_coming, re.IGNORECASE), over


def _list_days(when: str, language: Language, today: date) -> tuple[date, ...]:
    """Return the days from today on of a time that has a name of its own, of a month, or of the next few weeks."""
    span = read_span(when, language, today)
    found = _compile_ahead(language).fullmatch(when) if span is None else None
    if found is not None and found["unit"]:
        days = next(
            days for unit, days in language.told.units.items() if re.fullmatch(unit, found["unit"], re.IGNORECASE)
        )
        said = (found["count"] or "").lower()
        count = int(said) if said.isdecimal() else language.calendar.counts.get(said, _SOME[days])
        span = today, today + timedelta(days=min(count * days, _COMING - 1))
    elif found is not None and found["month"]:
        months = language.calendar.months
        month = next(
            place for place, each in enumerate(months, 1) if re.search(rf"\b(?:{each})\b", when, re.IGNORECASE)
        )
        start = today.replace(year=today.year + (month < today.month), month=month, day=1)
        span = start, start + relativedelta(months=1)
    if span is None:
        return ()
    days_of = (span[0] + timedelta(days=more) for more in range((span[1] - span[0]).days))
    return tuple(day for day in days_of if day >= today)


@cache
def _compile_ahead(language: Language) -> re.Pattern[str]:
    """Return the pattern of times to come; what is none of the next few units and no month is a span with a name."""
    told = language.told
    unit, month = (
        f"(?P<{name}>{alternatives(each)})"
        for name, each in (("unit", told.units), ("month", language.calendar.months))
    )
    ahead = told.ahead.replace("{count}", r"(?P<count>\w{1,12})(?: of)?").replace("{unit}", unit)
    return compile_bounded(
        rf"(?<!\w)(?:{alternatives(told.spans)}|{ahead}|{told.in_month}{month})(?!\w)", re.IGNORECASE
    )


def tell_days(
    days: Sequence[date],
    said: Sequence[Recalled],
    coming: Sequence[ComingLine],
    read_time: Callable[[str, datetime], datetime | None],
    names_no_day: Callable[[str, datetime], bool],
    reader: Reader,
    now: datetime,
    phrases: AnswerPhrases,
) -> tuple[str, tuple[Recalled, ...]]:
    """Return the answer and the memories that it quotes; ``said`` is all that was said, oldest first.

    ``read_time`` returns when what a sentence tells is on one of the days, from when it was said; ``names_no_day`` says
    whether that is a time of any day, by which a change leaves the day as it was: "it is at eight now".
    """
    named = _name_days(days, now, phrases)
    spoken = tuple(each for each in list_utterances(tuple(said), reader) if each.mine and each.said_at)
    told: list[tuple[datetime, Evidence]] = []
    for each in spoken:
        for text in list_statements(each) if each.said_at else ():
            if len(strip_opening(text).split()) == 1:  # "and Thursday" asked for more
                continue
            said_at = each.said_at or now

            def find_time(part: str, said_at: datetime = said_at) -> datetime | None:
                part = _leave_old(part)
                at = None if wants_reminder(part) or names_no_day(part, said_at) else read_time(part, said_at)
                return at if at is not None and (at.date() < now.date() or not tells_past(part)) else None

            told += [(at, Evidence(part, each)) for part, at in _split_by_time(text, find_time)]
    pieces = [piece for _, piece in told]
    found_changes = find_changes("", pieces, spoken, find_aliases(spoken)).items()
    changes = {place: later for place, later in found_changes if _is_meant(pieces[place], later.piece)}
    held = _list_held(told, changes, read_time, names_no_day, now, all_to_come=len(days) == _COMING)
    lines = sorted(coming, key=lambda line: line.at)
    if not held and not lines:
        return phrases.nothing_then.format(day=named), ()
    heading = phrases.coming if len(days) == _COMING else f"{named[:1].upper()}{named[1:]}:"

    def name_day(at: datetime | None, sign: str) -> str:
        return "" if len(days) == 1 or at is None else f"{_name_days((at.date(),), now, phrases)}{sign} "

    def tell(each: _Held) -> str:
        was = "" if each.before is None else phrases.earlier_undated.format(text=tell_piece(each.before, phrases))
        return f"{name_day(each.at, ':')}{tell_piece(each.piece, phrases)} {was}".rstrip()

    shown: list[tuple[datetime | None, str]] = [(each.at, tell(each)) for each in held]
    shown += [
        (line.at, phrases.reminds.format(time=f"{name_day(line.at, ',')}{line.at:%H:%M}", text=line.text))
        for line in lines[:_MOST]
    ]
    # What comes some time later stands behind the rest.
    shown.sort(key=lambda one: (one[0] is None, (one[0] or now).replace(tzinfo=None)))
    text = "\n• ".join((heading, *(told for _, told in shown)))
    return text, tuple({each.piece.source.memory.key: each.piece.source.memory for each in held}.values())


@dataclass(frozen=True, slots=True)
class _Held:
    """A sentence with when what it tells comes, ``None`` for some time later, and what told the day ``before`` it."""

    at: datetime | None
    piece: Evidence
    before: Evidence | None = None


def _list_held(
    told: Sequence[tuple[datetime, Evidence]],
    changes: Mapping[int, Later],
    read_time: Callable[[str, datetime], datetime | None],
    names_no_day: Callable[[str, datetime], bool],
    now: datetime,
    *,
    all_to_come: bool,
) -> tuple[_Held, ...]:
    """Return what holds of what was told with its time, by that; what is told again within another is left out."""
    dated, found = {piece.text for _, piece in told}, dict[tuple[float, str], _Held]()
    for place, (at, piece) in sorted(enumerate(told), key=lambda one: one[1][0]):
        if place not in changes or not changes[place].perhaps:
            found.setdefault((piece.age, piece.text), _Held(at, piece))
            continue
        later, ends = changes[place].piece, changes[place].ends
        key, said_at, text = (later.age, later.text), later.source.said_at or now, _leave_old(later.text)
        if _is_over(changes[place]) and later.text not in dated:
            continue
        perhaps = None if changes[place].sure else piece
        if names_no_day(text, said_at):
            found[key] = _Held(at, later, piece)
        elif (day := _find_day_of_month(text, at, said_at, read_time)) is not None:
            found[key] = _Held(day, later, perhaps)
        elif perhaps is not None and (own := read_time(text, said_at)) is not None:
            found[key] = _Held(own, later, piece)
        elif perhaps is not None:
            found[key] = _Held(at, later, piece)
        elif all_to_come and later.text not in dated and (holds_value(later.text) or not ends):
            found[key] = _Held(None, later)  # "put back a week, it's the 16th now"
    alone = {text for _, text in found}
    return tuple(each for key, each in found.items() if not any(text in key[1] for text in alone - {key[1]}))[:_MOST]


def _find_day_of_month(
    text: str, was: datetime, said_at: datetime, read_time: Callable[[str, datetime], datetime | None]
) -> datetime | None:
    """Return the day of the former month to which something is moved that a text names no month of: "to the 19th"."""
    named, then = (read_time(text, since) for since in (said_at, was.replace(day=1, hour=0, tzinfo=said_at.tzinfo)))
    if named is None or then is None or named.day != then.day:
        return None
    return then if str(then.day) in _NUMBERS.findall(text) else None


def _split_by_time(text: str, find_time: Callable[[str], datetime | None]) -> Iterator[tuple[str, datetime]]:
    """Yield a sentence with its time, or its clauses where several have one: "dentist on Friday, cinema on Sunday"."""
    parts = (part for sentence in split_sentences(text) for part in _CLAUSE.split(sentence))
    clauses = [each for part in parts if (each := part.strip())]
    timed = [(each, at) for each in clauses if _list_named(each) and (at := find_time(each)) is not None]
    whole = find_time(text)
    if len({at.date() for _, at in timed}) > 1 or whole is None:
        yield from timed
    else:
        yield text, whole


def _list_named(text: str) -> frozenset[str]:
    """Return the concepts of a text that are no value: none of "so 388"."""
    return frozenset(each for each in list_concepts(_COUNTED.sub(" ", text)) if not holds_value(each))


def _is_meant(piece: Evidence, later: Evidence) -> bool:
    """Return whether a change is of a sentence, and not of another one of its message or of something else that comes.

    What has a time of its own and shares no word is such a thing: "chess is always on Thursdays now".
    """
    said, own = _list_named(later.text), _list_named(piece.text)
    names = bool(said - list_changing_words(later.text)) and holds_value(later.text)
    alike = any(one.endswith(other) for one in own for other in said if len(other) >= _LEAST_HEAD)
    return not is_of_the_rest(later, piece) and not (names and said.isdisjoint(own) and not alike)


def _leave_old(text: str) -> str:
    """Return a text without the value that it says is none of it: "the 19th not the 12th"."""
    left = _compile_old().sub(" ", text)
    return left if any(map(str.isdigit, left)) else text


@cache
def _compile_old() -> re.Pattern[str]:
    words = {word for each in languages() for word in each.reminders.rather_than if not PREPOSITIONS.fullmatch(word)}
    return compile_bounded(
        rf"(?<!\w){alternatives(sorted(words))}\s+(?:\w{{1,12}}\s+)?\S{{0,9}}\d\S{{0,9}}", re.IGNORECASE
    )


def _is_over(later: Later) -> bool:
    """Return whether a change calls something off: "parents' evening is cancelled" names no time of day."""
    return later.ends and not any(map(str.isdigit, later.piece.text))


def tells_past(text: str) -> bool:
    """Return whether a sentence tells of what has been, so that its day is no day to come."""
    return _compile_over().search(text) is not None


@cache
def _compile_over() -> re.Pattern[str]:
    """Return the pattern of words by which a sentence tells of what has been."""
    return compile_bounded(rf"\b{alternatives(each.told.over for each in languages())}(?!\w)", re.IGNORECASE)


def _name_days(days: Sequence[date], now: datetime, phrases: AnswerPhrases) -> str:
    """Return days as people name them: "on Monday, 30 November", of a row its first and its last."""
    shown = days if len(days) <= _FEW else (days[0], days[-1])
    return (" – " if len(days) > _FEW else " / ").join(
        phrases.weekday_date.format(
            weekday=phrases.on_weekdays[day.weekday()],
            date=(phrases.day if day.year == now.year else phrases.date).format(
                day=day.day, month=phrases.months[day.month - 1], year=day.year
            ),
        )
        for day in shown
    )
