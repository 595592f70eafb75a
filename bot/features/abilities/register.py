"""Answers what a message asks of the clock, the calendar, arithmetic or a table of units, and of nothing else.

Adds it to Mneme.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Final

from dateutil.relativedelta import relativedelta

from adapters.when.reader import LanguageWhenReader
from bot.commands.formatting import Voice, escape
from bot.features.abilities.arithmetic import Sum, convert, take_root, work_out
from bot.memory.concepts import mend_opening
from bot.memory.learning.speech_acts import list_telling_sentences, strip_greeting
from bot.memory.patterns import bound_repetitions, compile_bounded
from bot.messages import MessageKind
from bot.ports.when import Clock, WhenReader, find_day
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn
from language import Language, alternatives, languages
from language.patterns import compile_at_use
from language.texts import Texts

_TYPED: Final = frozenset({MessageKind.TEXT, MessageKind.EDITED})
_LONGEST: Final = 300
"""Characters of a message: who asks for the time says no more than that."""
_ENDS: Final = " ?!.…"


@dataclass(frozen=True, slots=True)
class SentenceAbilities:
    """Answers without memory or model; ``alone`` says that there is no language model, which answers better."""

    texts: Voice
    reader: WhenReader
    clock: Clock
    alone: Callable[[], bool]

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the answers if every sentence asks for something of the kind, ``None`` for any other message."""
        typed = turn.analysed.strip()
        own = not turn.parts and all(entry.message.kind in _TYPED or turn.files for entry in turn.accepted)
        if not own or not typed or len(typed) > _LONGEST or not self.alone():
            return None
        texts, now = self.texts(turn.message), self.clock.now()
        whole = mend_opening(typed)
        answers = [self._answer(whole, now, texts)]
        if not answers[0] and (asked := list(map(mend_opening, list_telling_sentences(typed)))) != [whole]:
            answers = [self._answer(sentence, now, texts) for sentence in asked]
        if not answers or not all(answers):
            return None
        return Reply("\n".join(map(escape, filter(None, answers))), ReplyKind.NOTICE)

    def _answer(self, sentence: str, now: datetime, texts: Texts) -> str | None:
        for language in sorted(languages(), key=lambda each: each.code != texts.language):
            whole, marked = _strip(sentence, language)
            for plain in dict.fromkeys((whole, _compile_fillers(language).sub("", f" {whole}").strip())):
                question = find_question(plain, language, now.date(), lambda words: self._read_day(words, now, texts))
                if question is not None and question.place:
                    return self._tell_time_in(question.place, language, now, texts)
                if question is not None:
                    return _tell(question, now, texts)
                told = _convert(plain, language, texts) or _work_out(plain, language, texts, marked=marked)
                if told is not None:
                    return told
        return None

    def _tell_time_in(self, place: str, language: Language, now: datetime, texts: Texts) -> str | None:
        zone = self.reader.find_zone(place, now, language.code)
        if zone is None:
            return None
        return f"{_tell(CalendarQuestion(Asked.TIME), now.astimezone(zone), texts)} ({zone})"

    def _read_day(self, words: str, now: datetime, texts: Texts) -> date | None:
        return find_day(self.reader.read_alone(words, now, (texts.language,)))


def _strip(sentence: str, language: Language) -> tuple[str, bool]:
    """Return a sentence without its mark and courtesies, and whether it had a mark that asks."""
    whole = strip_greeting(" ".join(sentence.split()))
    marked = whole.rstrip(" !.…").endswith(("?", "="))
    plain = whole.strip(_ENDS)
    begin, end = _compile_courtesies(language)
    plain = begin.sub("", plain, count=1)
    return end.sub("", plain, count=1).strip(_ENDS), marked


@cache
def _compile_courtesies(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    begins = rf"\A(?:{alternatives((language.abilities.polite,))}(?:[,:]? |[,:]|\Z)){{1,3}}"
    ends = rf"(?:,? {alternatives((language.abilities.ending,))}){{1,2}}\Z"
    return compile_bounded(begins, re.IGNORECASE), compile_bounded(ends, re.IGNORECASE)


@cache
def _compile_fillers(language: Language) -> re.Pattern[str]:
    return compile_bounded(rf",? {alternatives((language.abilities.fillers or '(?!)',))}(?=[ ,]|\Z)", re.IGNORECASE)


@cache
def _compile_sums(language: Language) -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    """Return the pattern that takes a sum out of the words that ask for it, and those of orders with their signs."""
    words = language.abilities
    asks = rf"(?P<asks>{alternatives((words.calculates,))} )?(?P<sum>\S.{{0,200}}?){alternatives((words.result,))}"
    orders = tuple((compile_bounded(each, re.IGNORECASE), sign) for each, sign in words.orders.items())
    return compile_bounded(asks, re.IGNORECASE), orders


def _work_out(plain: str, language: Language, texts: Texts, *, marked: bool) -> str | None:
    if not any(map(str.isalnum, plain)):
        return None
    asks, orders = _compile_sums(language)
    whole = asks.fullmatch(plain)
    said = plain if whole is None else whole["sum"]
    ordered = [(found, sign) for pattern, sign in orders if (found := pattern.fullmatch(said))]
    if ordered:
        found, sign = ordered[0]
        made = work_out(f"({found['a']}) {sign} ({found['b']})", language, asked=True)
    else:
        made = None if whole is None else work_out(said, language, asked=marked or bool(whole["asks"]))
        made = made or (None if whole is None else take_root(said, language))
    if made is None:
        return None
    if not made.result:
        return texts.abilities.by_zero.format(sum=made.text)
    return _show(made, texts)


def _convert(plain: str, language: Language, texts: Texts) -> str | None:
    made = convert(plain, language)
    return None if made is None else _show(made, texts)


def _show(made: Sum, texts: Texts) -> str:
    words = texts.abilities
    return (words.sum if made.exact else words.rounded).format(sum=made.text, result=made.result)


def _tell(question: CalendarQuestion, now: datetime, texts: Texts) -> str:
    words, named = texts.abilities, question.day or now.date()
    away = (named - now.date()).days
    weekday, day = texts.dates.weekdays[named.weekday()], texts.day(datetime.combine(named, now.timetz()))
    if question.asked is Asked.TIME:
        return words.time.format(time=f"{now:%H:%M}", weekday=weekday, day=day)
    if question.asked in (Asked.YEAR, Asked.WEEK):
        week = words.week.format(week=now.isocalendar().week, weekday=weekday, day=day)
        return week if question.asked is Asked.WEEK else words.year.format(year=now.year)
    if question.then is not None:
        then = texts.day(datetime.combine(question.then, now.timetz()))
        return words.between.format(count=(question.then - named).days, day=day, then=then)
    if question.asked is Asked.DAY_OF and away:
        return words.day.format(weekday=weekday, day=day)
    if not away:
        return words.today.format(weekday=weekday, day=day)
    return (words.until if away > 0 else words.since).format(count=abs(away), weekday=weekday, day=day)


_YEAR: Final = compile_at_use(r"(.*?)(?:,? ((?:19|20)\d\d))?", re.DOTALL)
_DATE: Final = r"(?P<date>\S.{0,40}?)"
_THEN: Final = r"(?P<then>\S.{0,40})"
_PLACE: Final = r"(?P<place>[^\W\d_][^,;?!]{1,39})"


class Asked(StrEnum):
    """What is asked of the calendar or the clock."""

    TIME = "time"
    TIME_IN = "time in"
    TODAY = "today"
    DAY_OF = "day of"
    YEAR = "year"
    WEEK = "week"
    DAYS_SINCE = "days since"
    DAYS_UNTIL = "days until"
    DAYS_BETWEEN = "days between"


@dataclass(frozen=True, slots=True)
class CalendarQuestion:
    """A question to the calendar; ``day`` is the date that it names, ``then`` a second one, ``place`` the city."""

    asked: Asked
    day: date | None = None
    then: date | None = None
    place: str = ""


def find_question(
    sentence: str, language: Language, today: date, read_day: Callable[[str], date | None]
) -> CalendarQuestion | None:
    """Return what a sentence without its mark and courtesies asks in a language, ``None`` for anything else.

    ``read_day`` reads words that say nothing but a day.
    """

    def read(words: str) -> date | None:
        first, _, rest = words.partition(" ")
        bare = rest if first.casefold() in language.learning.articles else words
        named = _find_named(bare, language, today) or read_day(words)
        return named or (read_day(bare) if bare != words else None) or _read_shifted(words, language, read)

    for asked, patterns in _compile(language):
        for pattern in patterns:
            found = pattern.fullmatch(sentence)
            if found is None:
                continue
            if "date" not in pattern.groupindex:
                return CalendarQuestion(asked, place=found.groupdict().get("place", ""))
            day = read(found["date"])
            if day is not None and asked is Asked.DAYS_BETWEEN:
                then = read(found["then"])
                return None if then is None else CalendarQuestion(asked, *_put_in_order(day, then, found["date"]))
            if day is not None:
                over = asked is Asked.DAYS_SINCE and day > today and not _names_year(found["date"])
                return CalendarQuestion(asked, day - relativedelta(years=1) if over else day)
    shifted = _read_shifted(sentence, language, read)
    return None if shifted is None else CalendarQuestion(Asked.DAY_OF, shifted)


def _names_year(words: str) -> bool:
    return re.search(r"\d{4}", words) is not None


def _put_in_order(first: date, last: date, named: str) -> tuple[date, date]:
    """Return two days, of which each is the next of its date, so that the first is before the last.

    The first is of the year before where it was ``named`` without a year.
    """
    over = first > last and not _names_year(named)
    first = first - relativedelta(years=1) if over else first
    return min(first, last), max(first, last)


def _read_shifted(words: str, language: Language, read: Callable[[str], date | None]) -> date | None:
    """Return the day that lies a span after or before another, which ``read`` tells: "3 weeks before Christmas"."""
    for pattern, sign in _compile_shifts(language):
        found = pattern.fullmatch(words) if any(map(str.isdecimal, words)) else None
        day = read(found["date"]) if found is not None else None
        if found is not None and day is not None:
            spans = language.abilities.spans.items()
            span = next(name for form, name in spans if re.fullmatch(form, found["span"], re.IGNORECASE))
            try:
                shifted: date = day + relativedelta(**{span: sign * int(found["count"])})
            except (OverflowError, ValueError):  # no calendar goes that far
                return None
            return shifted
    return None


@cache
def _compile_shifts(language: Language) -> tuple[tuple[re.Pattern[str], int], ...]:
    span = rf"(?P<count>\d{{1,4}}) (?P<span>{alternatives(language.abilities.spans)})"
    return tuple(
        (_compile_one(source.replace("{spans}", span)), sign) for source, sign in language.abilities.shifts.items()
    )


@cache
def _compile(language: Language) -> tuple[tuple[Asked, tuple[re.Pattern[str], ...]], ...]:
    words = language.abilities
    sources = (
        (Asked.TIME, (words.time,)),
        (Asked.TIME_IN, (words.time_in,)),
        (Asked.TODAY, (words.today,)),
        (Asked.YEAR, (words.year,)),
        (Asked.WEEK, (words.week,)),
        (Asked.DAYS_BETWEEN, words.days_between),
        (Asked.DAYS_SINCE, words.days_since),
        (Asked.DAYS_UNTIL, words.days_until),
        (Asked.DAY_OF, words.day_of),
    )
    return tuple((asked, tuple(_compile_one(source) for source in given if source)) for asked, given in sources)


def _compile_one(source: str) -> re.Pattern[str]:
    plain = bound_repetitions(source).replace("{then}", _THEN)
    return compile_at_use(plain.replace("{date}", _DATE).replace("{place}", _PLACE), re.IGNORECASE)


def _find_named(words: str, language: Language, today: date) -> date | None:
    """Return the day that "today" means, or the next one of a name, or that of a year: "Christmas 2027"."""
    for pattern, away in language.schedule.days.items():
        if re.fullmatch(alternatives((pattern,)), words, re.IGNORECASE):
            return today + timedelta(days=away)
    told = _YEAR.fullmatch(words.strip(" ,"))
    name, year = told.groups() if told else (words, "")
    for pattern, (month, day) in language.abilities.named_days.items():
        if re.fullmatch(alternatives((pattern,)), name, re.IGNORECASE):
            if year:
                return date(int(year), month, day)
            named = today.replace(month=month, day=day)
            return named if named >= today else named + relativedelta(years=1)
    return None


async def register(app: App) -> None:
    """Let the time, the date and sums be told where no language model tells them."""
    answers = SentenceAbilities(app.voice, LanguageWhenReader(), app.clock, lambda: app.model() is None)
    app.added.sentences.append(answers.answer)
