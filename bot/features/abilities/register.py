"""Answers what a message asks of the clock, the calendar, arithmetic or a table of units, and of nothing else.

System 26: reckon with what was told: days until something, its weekday, its end, an amount in another unit.  What was
told stands above it, so that anybody can check it; where more than one day or amount may be meant nothing is reckoned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache, partial
from typing import ClassVar, Final

from dateutil.relativedelta import relativedelta

from adapters.when.reader import LanguageWhenReader
from bot.commands.formatting import escape
from bot.features.abilities.arithmetic import Sum, convert_told, measures, reckon
from bot.memory.answering.changes import find_changes
from bot.memory.answering.evidence import Aliases, Evidence, find_aliases
from bot.memory.answering.phrasing import format_lines
from bot.memory.answering.questions import FIRST_PERSON, analyse
from bot.memory.answering.reckoning import write_figures
from bot.memory.answering.recollection import recall_said
from bot.memory.answering.utterances import RecalledUtterance, list_statements, list_utterances
from bot.memory.concepts import is_alike, list_concepts, mend_opening
from bot.memory.learning.speech_acts import list_telling_sentences, strip_greeting
from bot.memory.patterns import bound_repetitions, compile_bounded
from bot.messages import MessageKind
from bot.ports.system import OnError
from bot.ports.when import WhenReader, find_day
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn
from language import Language, alternatives, languages
from language.patterns import compile_at_use
from language.texts import Texts
from language.words import split_words

_ENDS: Final = " ?!.…"
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


def read_plainly(sentence: str, first: str) -> tuple[list[tuple[Language, str, str]], bool]:
    """Return a sentence as each language reads it, the ``first`` before others, and whether it had a mark that asks.

    Each has it without its mark and courtesies, and without the words that say nothing in it: "then".
    """
    whole = strip_greeting(" ".join(sentence.split()))
    marked, plain = whole.rstrip(" !.…").endswith(("?", "=")), whole.strip(_ENDS)
    read = []
    for language in sorted(languages(), key=lambda each: each.code != first):
        begin, end = _compile_courtesies(language)
        said = end.sub("", begin.sub("", plain, count=1), count=1).strip(_ENDS)
        read.append((language, said, _compile_fillers(language).sub("", f" {said}").strip()))
    return read, marked


@cache
def _compile_courtesies(language: Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    begins = rf"\A(?:{alternatives((language.abilities.polite,))}(?:[,:]? |[,:]|\Z)){{1,3}}"
    ends = rf"(?:,? {alternatives((language.abilities.ending,))}){{1,2}}\Z"
    return compile_bounded(begins, re.IGNORECASE), compile_bounded(ends, re.IGNORECASE)


@cache
def _compile_fillers(language: Language) -> re.Pattern[str]:
    return compile_bounded(rf",? {alternatives((language.abilities.fillers or '(?!)',))}(?=[ ,]|\Z)", re.IGNORECASE)


def tell_day(question: CalendarQuestion, now: datetime, texts: Texts) -> str:
    """Return the answer to a question to the calendar, in words."""
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


def show_sum(made: Sum, texts: Texts) -> str:
    """Return a sum with what it makes."""
    words = texts.abilities
    return (words.sum if made.exact else words.rounded).format(sum=made.text, result=made.result)


_LONGEST_ASKED: Final = 120
"""Characters of a question that asks for nothing else."""
_BIRTH: Final = "birth"
_LAST_SAID: Final = 6
"""Exchanges among which is what "that" means."""

_Listed = Callable[[], tuple[RecalledUtterance, ...]]
"""Lists them once, when they are first needed."""


@dataclass(frozen=True, slots=True)
class ToldReckoning:
    """Answers where there is no language model and what was found tells what is to be reckoned with."""

    reader: WhenReader

    order: ClassVar[int] = 26
    on_error: ClassVar[OnError] = OnError.SKIP

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn, answered if it asks for such a thing of what was told."""
        asked = (turn.meant or turn.analysed).strip()
        if turn.reply is not None or turn.focus or not asked or len(asked) > _LONGEST_ASKED or not turn.without_model:
            return turn
        texts, now = turn.texts, turn.started_at
        spoken, last = cache(partial(_list_found, turn)), cache(partial(_list_last, turn))  # most turns need neither
        for language, _, plain in read_plainly(asked, texts.language)[0]:
            told = (
                self._count_days(plain, language, spoken, now, texts)
                or _convert(plain, language, spoken, last, texts)
                or self._find_end(plain, language, last, now, texts)
            )
            if told is not None:
                pieces, line = told
                text = f"{format_lines(pieces, now, texts.answers)}\n{line}"
                used = tuple({each.source.memory.key: each.source.memory for each in pieces}.values())
                return replace(turn, reply=Reply(text, ReplyKind.RECALLED), trace=turn.trace.using(used))
        return turn

    def _count_days(
        self, plain: str, language: Language, spoken: _Listed, now: datetime, texts: Texts
    ) -> tuple[tuple[Evidence, ...], str] | None:
        found: list[Evidence] = []

        def read_told(words: str) -> date | None:
            day = self._find_day(words, language, spoken(), now)
            found.extend([] if day is None else day[:1])
            return None if day is None else day[1]

        question = find_question(plain, language, now.date(), read_told)
        if question is None or not found or question.then is not None:
            return None
        if question.asked is Asked.DAY_OF and _compile_span(language, "days").search(plain) is None:
            return None  # "when is the wedding" is answered by what was told
        today, day = now.date(), question.day or now.date()
        if _BIRTH in list_concepts(found[-1].text) and question.asked is Asked.DAYS_UNTIL and day < today:
            day += relativedelta(years=today.year - day.year)
            day += relativedelta(years=day < today)
        elif _BIRTH in list_concepts(found[-1].text) and question.asked is Asked.DAY_OF and day > today:
            return None  # of which year it is nobody told
        line = tell_day(replace(question, day=day), now, texts)
        days = abs((day - today).days)
        if question.asked is Asked.DAYS_UNTIL and _compile_span(language, "weeks").search(plain) and days:
            line = f"{line} {texts.abilities.weeks.format(weeks=days // 7, days=days % 7)}"
        return tuple(found[-1:]), line

    def _find_end(
        self, plain: str, language: Language, last: _Listed, now: datetime, texts: Texts
    ) -> tuple[tuple[Evidence, ...], str] | None:
        """Return when that ends of which the beginning was told, and with it, or next to it, how long it takes."""
        if _compile_end(language).fullmatch(plain) is None:
            return None
        told = [Evidence(text, said) for said in last() for text in list_statements(said)]
        *_, verb = plain.split()
        named = set(analyse(plain.removesuffix(verb)).terms)
        if not FIRST_PERSON.isdisjoint(split_words(plain)) and not any(
            named & set(list_concepts(x.text)) for x in told
        ):
            named = set()  # "when do I get there" names nothing
        pairs = [(one, other) for place, one in enumerate(told) for other in told[max(place - 1, 0) : place + 2]]
        newest = sorted(pairs, key=lambda pair: (max(map(told.index, pair)), pair[0] is pair[1]), reverse=True)
        for piece, lasting in newest:
            words, minutes = write_figures(piece.text), _read_minutes(write_figures(lasting.text), language)
            begins = _cut_lasting(words, language)
            mixed = piece is not lasting and begins != words
            if not minutes or mixed or (named and named.isdisjoint(list_concepts(piece.text))):
                continue
            start = self._read_clock(begins, (piece.source.said_at or now).astimezone(now.tzinfo))
            if start is not None:
                end = start + timedelta(minutes=minutes)
                line = texts.abilities.sum.format(
                    sum=f"{start:%H:%M} + {minutes // 60}:{minutes % 60:02}", result=f"{end:%H:%M}"
                )
                return tuple(each for each in told if each in (piece, lasting)), line
        return None

    def _read_clock(self, words: str, said_at: datetime) -> datetime | None:
        """Return the time of day that words tell, as they tell it of either half of a day; ``None`` for none."""
        reading = self.reader.read(words, said_at) if any(map(str.isdigit, words)) else None
        if reading is None:
            return None
        plans = (reading.plan,) if reading.plan is not None else reading.options
        clocks = (plan.local for plan in plans if not plan.assumed and not plan.passes)
        return min(clocks, key=lambda at: at.time(), default=reading.past)

    def _find_day(
        self, words: str, language: Language, spoken: tuple[RecalledUtterance, ...], now: datetime
    ) -> tuple[Evidence, date] | None:
        """Return the newest that was told of something with one day and no other, and that day."""
        known, words = find_aliases(spoken), _compile_happening(language).sub("", words)
        for piece in _list_about(set(analyse(words).terms), spoken, known):
            said_at = (piece.source.said_at or now).astimezone(now.tzinfo)
            reading = self.reader.read(piece.text, said_at)
            if reading.plan is not None and (reading.plan.repetition is not None or reading.plan.passes):
                continue
            read = reading.plan.local if reading.plan is not None else reading.past
            if read is None or _ends(words, piece, spoken, known):
                continue
            return piece, read.date()
        return None


def _list_found(turn: Turn) -> tuple[RecalledUtterance, ...]:
    """Return what people said of what was found."""
    reader = turn.message.find_reader(turn.scope)
    return tuple(each for each in list_utterances(turn.relevant, reader) if each.role == "user")


def _list_last(turn: Turn) -> tuple[RecalledUtterance, ...]:
    """Return what the asker said last in the session, oldest first."""
    own = [each for each in turn.history if each.author.id == turn.message.author.id][-_LAST_SAID:]
    said = [
        recall_said(each.uid, each.user_text, each.author.id, each.author.name, each.said_at)
        for each in own
        if each.user_text and not each.synthetic
    ]
    return tuple(list_utterances(tuple(said), turn.message.find_reader(turn.scope)))


def _list_about(terms: set[str], spoken: Sequence[RecalledUtterance], known: Aliases) -> Iterator[Evidence]:
    """Yield what speaks of all of these, the newest first."""
    told = [Evidence(text, said) for said in spoken for text in list_statements(said)] if terms else []
    for piece in sorted(told, key=lambda one: -one.age):
        said = list_concepts(piece.text)
        if all(any(is_alike(name, each) for each in said for name in (term, *known.get(term, ()))) for term in terms):
            yield piece


def _ends(asked: str, piece: Evidence, spoken: tuple[RecalledUtterance, ...], known: Aliases) -> bool:
    return any(later.perhaps for later in find_changes(asked, (piece,), spoken, known).values())


def _convert(
    plain: str, language: Language, spoken: _Listed, last: _Listed, texts: Texts
) -> tuple[tuple[Evidence, ...], str] | None:
    """Return what tells the amount that a question asks for in a unit, and that; ``None`` where it asks no such thing.

    "What is that in kilos" means what was said last; of several amounts that are told the one is meant that shares most
    with the question.
    """
    asked = None if any(map(str.isdigit, plain)) else _compile_asked(language).search(plain)
    if asked is None or not measures(asked["unit"], language):
        return None
    terms = set(analyse(f"{plain[: asked.start()]} {plain[asked.end() :]}").terms)
    known, found = find_aliases(spoken()), dict[str, tuple[int, Evidence, Sum]]()
    for said in spoken() if terms else reversed(last()):
        for text in list_statements(said):
            shared = len(terms & set(list_concepts(text)))
            made = convert_told(text, asked["unit"], language) if shared or not terms else None
            piece = Evidence(text, said)
            if made is not None and not _ends(plain, piece, spoken(), known):
                found[text] = (shared, piece, made)
        if found and not terms:
            break
    most = max((shared for shared, _, _ in found.values()), default=0)
    best = [(piece, made) for shared, piece, made in found.values() if shared == most]
    return ((best[0][0],), show_sum(best[0][1], texts)) if len(best) == 1 else None


@cache
def _compile_asked(language: Language) -> re.Pattern[str]:
    """Return the pattern of the unit in which something is asked for: "in kilos", "how many kilos"."""
    words = language.abilities
    return compile_bounded(
        rf"(?<!\w){alternatives((words.into or '(?!)',))}\s(?P<unit>{alternatives(words.units)})(?!\w)", re.IGNORECASE
    )


def _read_minutes(text: str, language: Language) -> int:
    """Return the only span of hours and minutes that a sentence tells, in minutes, 0 for none or several."""
    hour, minute, fraction = _compile_lasting(language)
    spans = [float(found[1].replace(",", ".")) * 60 + int(found[2] or 0) for found in hour.finditer(text)]
    spans += [float(found[1]) for found in minute.finditer(hour.sub(" ", text))]
    for found in fraction.finditer(text):
        fractions = language.schedule.fractions.items()
        spans.append(next(count for each, count in fractions if re.fullmatch(each, found[0], re.IGNORECASE)))
    return round(spans[0]) if len(spans) == 1 else 0


def _cut_lasting(text: str, language: Language) -> str:
    for pattern in _compile_lasting(language):
        text = pattern.sub(" ", text)
    return text


@cache
def _compile_lasting(language: Language) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of hours with their minutes, of minutes, and of a fraction of an hour in words."""
    hour, minute = (
        alternatives(pattern for pattern, name in language.abilities.units.items() if name == unit)
        for unit in ("h", "min")
    )
    more = rf"\s(?:{alternatives((language.schedule.joins,))}\s)?(\d{{1,2}})(?![\w:])(?:\s{minute}(?!\w))?"
    return (
        compile_bounded(rf"(?<![\w.,:])(\d{{1,2}}(?:[.,]5)?)\s?{hour}(?!\w)(?:{more})?", re.IGNORECASE),
        compile_bounded(rf"(?<![\w.,:])(\d{{1,3}})\s?{minute}(?!\w)", re.IGNORECASE),
        compile_bounded(rf"(?<!\w){alternatives(language.schedule.fractions)}(?!\w)", re.IGNORECASE),
    )


@cache
def _compile_end(language: Language) -> re.Pattern[str]:
    return compile_bounded(language.abilities.ends_at or "(?!)", re.IGNORECASE)


@cache
def _compile_happening(language: Language) -> re.Pattern[str]:
    return compile_bounded(rf"\s{alternatives((language.abilities.happens or '(?!)',))}$", re.IGNORECASE)


@cache
def _compile_span(language: Language, span: str) -> re.Pattern[str]:
    """Return the pattern of a word that ends with one for a span of time: "weekday", "weeks"."""
    words = (pattern for pattern, name in language.abilities.spans.items() if name == span)
    return compile_bounded(rf"{alternatives(words)}(?!\w)", re.IGNORECASE)


_TYPED: Final = frozenset({MessageKind.TEXT, MessageKind.EDITED})
_LONGEST: Final = 300
"""Characters of a message: who asks for the time says no more than that."""


@dataclass(frozen=True, slots=True)
class SentenceAbilities:
    """Answers without memory, where there is no language model, which answers better."""

    reader: WhenReader

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the answers if every sentence asks for something of the kind, ``None`` for any other message."""
        typed = turn.analysed.strip()
        own = not turn.parts and all(entry.message.kind in _TYPED or turn.files for entry in turn.accepted)
        if not own or not typed or len(typed) > _LONGEST or not turn.without_model:
            return None
        texts, now = turn.texts, turn.started_at
        whole = mend_opening(typed)
        answers = [self._answer(whole, now, texts)]
        if not answers[0] and (asked := list(map(mend_opening, list_telling_sentences(typed)))) != [whole]:
            answers = [self._answer(sentence, now, texts) for sentence in asked]
        if not answers or not all(answers):
            return None
        return Reply("\n".join(map(escape, filter(None, answers))), ReplyKind.NOTICE)

    def _answer(self, sentence: str, now: datetime, texts: Texts) -> str | None:
        read, marked = read_plainly(sentence, texts.language)
        for language, *forms in read:
            for plain in dict.fromkeys(forms):
                question = find_question(plain, language, now.date(), lambda words: self._read_day(words, now, texts))
                if question is not None and question.place:
                    return self._tell_time_in(question.place, language, now, texts)
                if question is not None:
                    return tell_day(question, now, texts)
                made = reckon(plain, language, asked=marked)
                if made is not None:
                    return show_sum(made, texts) if made.result else texts.abilities.by_zero.format(sum=made.text)
        return None

    def _tell_time_in(self, place: str, language: Language, now: datetime, texts: Texts) -> str | None:
        zone = self.reader.find_zone(place, now, language.code)
        if zone is None:
            return None
        return f"{tell_day(CalendarQuestion(Asked.TIME), now.astimezone(zone), texts)} ({zone})"

    def _read_day(self, words: str, now: datetime, texts: Texts) -> date | None:
        return find_day(self.reader.read_alone(words, now, (texts.language,)))


async def register(app: App) -> None:
    """Let the time, the date and sums be told where no language model tells them."""
    app.added.sentences.append(SentenceAbilities(LanguageWhenReader()).answer)
    app.added.systems.append(lambda: ToldReckoning(LanguageWhenReader()))
