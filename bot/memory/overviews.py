"""Tells questions over time and over everything ("in what order did we …") from questions for one thing.

Such a question is not answered by the few passages that fit it best: what it asks for is spread over weeks.
A request to sum up a text that comes with the message is none, nor is a question about the order of planets: it has to
be about those who talk here or what they said.
What answers a question about time ("what did we do last week") is dated with the day of the week: it is read against a
calendar; "where does Vera live" is not, and its lines stay shorter.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.memory.learning.kinds import ASKING, LIKELY, SentenceKind, decide_kind, keep_until_read
from bot.memory.learning.speech_acts import (
    SpeechAct,
    classify_speech,
    find_listed,
    is_question,
    is_trivial,
    strip_opening,
    wants_reminder,
)
from bot.memory.patterns import compile_bounded, cut_for_rules
from language import alternatives, languages
from language.patterns import compile_at_use
from language.sentences import split_sentences
from language.words import split_words

_OVERVIEWS: Final = tuple(each.overviews for each in languages())
_ASKED: Final = 0.7
"""From this probability on what has the form of a question, and not for what was told, asks for all: of 648 that do not
three are as likely to."""
_TOLD: Final = compile_at_use(alternatives(each.persons.asks_what_was_told for each in languages()), re.IGNORECASE)


class OverviewKind(StrEnum):
    """The kind of what is asked for."""

    ORDER = "order"
    CHANGE = "change"
    SUMMARY = "summary"
    DECISIONS = "decisions"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Overview:
    """A question over time or over everything; ``subject`` holds its words without those that only ask."""

    kind: OverviewKind
    subject: str

    @property
    def chronological(self) -> bool:
        """Whether what answers it is to be read in order of time."""
        return self.kind in {OverviewKind.ORDER, OverviewKind.CHANGE}


def _compile(*sources: str) -> re.Pattern[str]:
    return compile_bounded(rf"\b{alternatives(sources)}(?!\w)", re.IGNORECASE)


_CUES: Final = {
    kind: _compile(*(getattr(each, kind.value) for each in _OVERVIEWS))
    for kind in (
        OverviewKind.DECISIONS,
        OverviewKind.ORDER,
        OverviewKind.CHANGE,
        OverviewKind.SUMMARY,
        OverviewKind.EVERYTHING,
    )
}
"""In the order in which they are tried."""
_SHARED: Final = _compile(*(each.shared for each in _OVERVIEWS))
_ADVICE: Final = _compile(*(each.advice for each in _OVERVIEWS))
_GIVEN: Final = _compile(*(each.given for each in _OVERVIEWS))
_ASKS: Final = _compile(*(each.asks for each in _OVERVIEWS))
_AMOUNT: Final = compile_bounded(
    rf"{alternatives(each.questions.number for each in languages())}|"
    rf"(?<!\w){alternatives(each.questions.sums for each in languages())}(?!\w)",
    re.IGNORECASE,
)
_TALK: Final = frozenset[str]().union(*(each.talk for each in _OVERVIEWS))
_QUESTIONS: Final = frozenset({OverviewKind.DECISIONS, OverviewKind.ORDER, OverviewKind.CHANGE})
"""Kinds whose cue makes a question of a sentence that begins with it, with or without its mark."""
_BRIEF: Final = 14
"""Words of a message up to which its kind is believed: a longer question is about one thing as often."""
_SHORT: Final = 40
"""Words of a message of which any sentence may say whom it is about; in a longer one the sentence itself has to."""
_LONGEST: Final = 2_000
"""Characters; a longer message brings what it is about."""
_PASTED: Final = 8
"""Words after a colon from which on they are a text that was given."""
_RECENT: Final = 64


@keep_until_read
def find_overview(message: str) -> Overview | None:
    """Return the question over time or everything that ``message`` asks, ``None`` if it asks none."""
    if (found := _find_by_rules(message)) is not None or len(message.split()) > _BRIEF or find_listed(message):
        return found
    for sentence in split_sentences(message):
        if is_trivial(sentence) or _ADVICE.search(sentence) or _AMOUNT.search(sentence):
            continue
        states = classify_speech(sentence) is SpeechAct.STATEMENT
        least = ASKING if states else LIKELY
        least = _ASKED if is_question(sentence) and not _TOLD.search(sentence) else least
        if decide_kind(sentence, least) is SentenceKind.OVERVIEW:
            cue = next((kind for kind, cue in _CUES.items() if cue.search(sentence)), OverviewKind.EVERYTHING)
            return Overview(cue, find_subject(sentence))
    return None


@lru_cache(maxsize=_RECENT)
def _find_by_rules(message: str) -> Overview | None:
    if len(message) > _LONGEST:
        return None
    short = len(message.split()) <= _SHORT
    for sentence in split_sentences(message):
        kind = _find_kind(sentence)
        if kind is None or not _SHARED.search(message if short else sentence):
            continue
        if kind is OverviewKind.SUMMARY and _is_given(message, sentence):
            return None
        return Overview(kind, find_subject(message if short else sentence))
    return None


def find_subject(question: str) -> str:
    """Return what is left of a question without words that only ask for an overview."""
    for cue in _CUES.values():
        question = cue.sub(" ", question)
    return " ".join(word for word in split_words(question) if word not in _TALK)


def _find_kind(sentence: str) -> OverviewKind | None:
    kind = next((kind for kind, cue in _CUES.items() if cue.search(sentence)), None)
    if kind is None or _ADVICE.search(sentence) or wants_reminder(sentence):
        return None
    plain = strip_opening(sentence)
    begins = _ASKS.match(plain) or (kind in _QUESTIONS and _CUES[kind].match(plain))
    return kind if begins or classify_speech(sentence) in {SpeechAct.QUESTION, SpeechAct.REQUEST} else None


def _is_given(message: str, sentence: str) -> bool:
    """Whether a message brings the text that a sentence of it wants to have summed up."""
    behind = message[message.find(sentence) :].partition(":")[2]
    return bool(_GIVEN.search(sentence)) or len(behind.split()) >= _PASTED or "\n\n" in message.strip()


_LANGUAGES: Final = languages()
_TIME_CUES: Final = compile_at_use(
    r"\b{}\b".format(
        alternatives(
            (
                r"(?:19|20)\d\d",
                *(each.calendar.exactly for each in _LANGUAGES),
                *(each.calendar.compares for each in _LANGUAGES),
                *(month for each in _LANGUAGES for month in each.calendar.months),
                *(each.interrogatives.when for each in _LANGUAGES),
                *(each.questions.time for each in _LANGUAGES),
            )
        )
    )
)


_TIMES: Final = compile_at_use(
    r"\b{}\b".format(
        alternatives(
            (
                r"(?:19|20)\d\d",
                *(each.calendar.exactly for each in _LANGUAGES),
                *(month for each in _LANGUAGES for month in each.calendar.months),
                *(rf"(?:{day})s?" for each in _LANGUAGES for day in each.schedule.weekdays),
            )
        )
    )
)


def names_time(text: str) -> bool:
    """Return whether words name a time: "last week", "in March"."""
    return _TIMES.search(text.lower()) is not None


@lru_cache(maxsize=_RECENT)
def asks_about_time(message: str) -> bool:
    """Return whether a message asks when, how long, in what order, or names a time ("last week", "in March")."""
    text = cut_for_rules(message)
    if _TIME_CUES.search(text.lower()):
        return True
    overview = find_overview(text)
    return overview is not None and overview.chronological
