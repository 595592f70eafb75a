"""Answers what a message asks of the clock, the calendar, arithmetic or a table of units, and of nothing else.

System 26: reckon with what was told: days until something, its weekday, its end, an amount in another unit.  What was
told stands above it, so that anybody can check it; where more than one day or amount may be meant nothing is reckoned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, partial
from itertools import pairwise
from typing import ClassVar, Final

from dateutil.relativedelta import relativedelta

from adapters.when.reader import LanguageWhenReader
from bot.commands.formatting import escape
from bot.features.abilities.arithmetic import Sum, convert_told, measures, reckon
from bot.features.abilities.calendar import (
    Asked,
    CalendarQuestion,
    find_question,
    read_plainly,
    show_sum,
    tell_day,
)
from bot.memory.answering.changes import find_changes
from bot.memory.answering.evidence import (
    Aliases,
    Evidence,
    RecalledUtterance,
    find_aliases,
    list_statements,
    list_utterances,
)
from bot.memory.answering.phrasing import format_lines
from bot.memory.answering.questions import FIRST_PERSON, analyse
from bot.memory.answering.recollection import recall_said
from bot.memory.concepts import is_alike, list_concepts, mend_opening
from bot.memory.learning.speech_acts import list_telling_sentences
from bot.memory.patterns import compile_bounded
from bot.messages import MessageKind
from bot.ports.system import OnError
from bot.ports.when import WhenReader, find_day
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn
from language import Language, alternatives
from language.texts import Texts
from language.words import split_words

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
        """Return when that ends of which the beginning was told, and right before or behind it how long it takes."""
        if _compile_end(language).fullmatch(plain) is None:
            return None
        told = [Evidence(text, said) for said in last() for text in list_statements(said)]
        *_, verb = plain.split()
        own = not FIRST_PERSON.isdisjoint(split_words(plain))  # "when do I get there" names nothing
        named = set[str]() if own else set(analyse(plain.removesuffix(verb)).terms)
        for one, other in reversed(list(pairwise(told))):
            if named and named.isdisjoint(list_concepts(f"{one.text} {other.text}")):
                continue
            for piece, lasting in ((one, other), (other, one)):
                minutes, start = _read_minutes(lasting.text, language), self._read_clock(piece, language, now)
                if minutes and start is not None:
                    end = start + timedelta(minutes=minutes)
                    line = texts.abilities.sum.format(
                        sum=f"{start:%H:%M} + {minutes // 60}:{minutes % 60:02}", result=f"{end:%H:%M}"
                    )
                    return (one, other), line
        return None

    def _read_clock(self, piece: Evidence, language: Language, now: datetime) -> datetime | None:
        """Return the time of day that a sentence tells, ``None`` where it tells none, or how long something takes."""
        if _read_minutes(piece.text, language) or not any(map(str.isdigit, piece.text)):
            return None
        reading = self.reader.read(piece.text, (piece.source.said_at or now).astimezone(now.tzinfo))
        plans = (reading.plan,) if reading.plan is not None else reading.options
        return next((plan.local for plan in plans if not plan.assumed and not plan.passes), reading.past)

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
    return any(later.sure for later in find_changes(asked, (piece,), spoken, known).values())


def _convert(
    plain: str,
    language: Language,
    spoken: _Listed,
    last: _Listed,
    texts: Texts,
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
