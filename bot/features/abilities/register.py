"""Answers what a message asks of the clock, the calendar, arithmetic or a table of units, and of nothing else.

Adds it to Mneme.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Final

from adapters.when.reader import LanguageWhenReader
from bot.commands.formatting import escape
from bot.features.abilities.arithmetic import convert, take_root, work_out
from bot.features.abilities.calendar import (
    Asked,
    CalendarQuestion,
    drop_fillers,
    find_question,
    show_sum,
    strip_courtesies,
    tell_day,
)
from bot.features.abilities.told import ToldReckoning
from bot.memory.concepts import mend_opening
from bot.memory.learning.speech_acts import list_telling_sentences
from bot.memory.patterns import compile_bounded
from bot.messages import MessageKind
from bot.ports.when import Clock, WhenReader, find_day
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn
from language import Language, alternatives, languages
from language.texts import Texts

_TYPED: Final = frozenset({MessageKind.TEXT, MessageKind.EDITED})
_LONGEST: Final = 300
"""Characters of a message: who asks for the time says no more than that."""


@dataclass(frozen=True, slots=True)
class SentenceAbilities:
    """Answers without memory or model; ``alone`` says that there is no language model, which answers better."""

    reader: WhenReader
    clock: Clock
    alone: Callable[[], bool]

    async def answer(self, turn: Turn) -> Reply | None:
        """Return the answers if every sentence asks for something of the kind, ``None`` for any other message."""
        typed = turn.analysed.strip()
        own = not turn.parts and all(entry.message.kind in _TYPED or turn.files for entry in turn.accepted)
        if not own or not typed or len(typed) > _LONGEST or not self.alone():
            return None
        texts, now = turn.texts, self.clock.now()
        whole = mend_opening(typed)
        answers = [self._answer(whole, now, texts)]
        if not answers[0] and (asked := list(map(mend_opening, list_telling_sentences(typed)))) != [whole]:
            answers = [self._answer(sentence, now, texts) for sentence in asked]
        if not answers or not all(answers):
            return None
        return Reply("\n".join(map(escape, filter(None, answers))), ReplyKind.NOTICE)

    def _answer(self, sentence: str, now: datetime, texts: Texts) -> str | None:
        for language in sorted(languages(), key=lambda each: each.code != texts.language):
            whole, marked = strip_courtesies(sentence, language)
            for plain in dict.fromkeys((whole, drop_fillers(whole, language))):
                question = find_question(plain, language, now.date(), lambda words: self._read_day(words, now, texts))
                if question is not None and question.place:
                    return self._tell_time_in(question.place, language, now, texts)
                if question is not None:
                    return tell_day(question, now, texts)
                told = _convert(plain, language, texts) or _work_out(plain, language, texts, marked=marked)
                if told is not None:
                    return told
        return None

    def _tell_time_in(self, place: str, language: Language, now: datetime, texts: Texts) -> str | None:
        zone = self.reader.find_zone(place, now, language.code)
        if zone is None:
            return None
        return f"{tell_day(CalendarQuestion(Asked.TIME), now.astimezone(zone), texts)} ({zone})"

    def _read_day(self, words: str, now: datetime, texts: Texts) -> date | None:
        return find_day(self.reader.read_alone(words, now, (texts.language,)))


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
    return show_sum(made, texts)


def _convert(plain: str, language: Language, texts: Texts) -> str | None:
    made = convert(plain, language)
    return None if made is None else show_sum(made, texts)


async def register(app: App) -> None:
    """Let the time, the date and sums be told where no language model tells them."""
    answers = SentenceAbilities(LanguageWhenReader(), app.clock, lambda: app.model() is None)
    app.added.sentences.append(answers.answer)
    told = ToldReckoning(LanguageWhenReader(), app.clock, answers.alone)
    app.added.systems.append(lambda: told)
