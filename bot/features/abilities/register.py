"""Answers what a message asks of the clock, the calendar, arithmetic or a table of units, and of nothing else.

Adds it to Mneme.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from adapters.when.reader import LanguageWhenReader
from bot.commands.formatting import escape
from bot.features.abilities.arithmetic import reckon
from bot.features.abilities.calendar import (
    Asked,
    CalendarQuestion,
    find_question,
    read_plainly,
    show_sum,
    tell_day,
)
from bot.features.abilities.told import ToldReckoning
from bot.memory.concepts import mend_opening
from bot.memory.learning.speech_acts import list_telling_sentences
from bot.messages import MessageKind
from bot.ports.when import WhenReader, find_day
from bot.runtime.app import App
from bot.turn import Reply, ReplyKind, Turn
from language import Language
from language.texts import Texts

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
