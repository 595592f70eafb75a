"""Sentences that no rule was made for by word: how many are understood, in each language alike.

Those of ``tests/data/reminders`` are seen from Wednesday, 13 May 2026, 10:20 in Berlin, and were written before the
reader was tried on them; what is measured by them stays honest only while no rule is made for one of them by word.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.when.reader import LanguageWhenReader
from bot.features.reminders.requests import is_request
from bot.ports.when import Repetition, WhenProblem, WhenReading
from harness.reminders.lists import WRITTEN, count_verdicts, judge_list
from tests.cases import each_row

READER = LanguageWhenReader()
NOW = datetime(2026, 5, 13, 10, 20, tzinfo=ZoneInfo("Europe/Berlin"))
LANGUAGES = ("en", "de", "ru")
SENTENCES = Path(__file__).parents[2] / "data" / "reminders"
_OUTCOMES = {
    WhenProblem.AMBIGUOUS: "ask",
    WhenProblem.PAST: "past",
    WhenProblem.NEVER: "past",
    WhenProblem.NO_TIME: "none",
    WhenProblem.EVENT: "none",
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A request; ``when`` is its first time, or "ask", "past" or "none"; ``rule`` says how it repeats."""

    text: str
    when: str
    rule: str
    errand: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What was read of a sentence: whether it counts as a request, and what of it is right."""

    sentence: Sentence
    recognised: bool
    when: str
    rule: str
    errand: str

    @property
    def timed(self) -> bool:
        """Whether the time and the repetition are right."""
        return (self.when, self.rule) == (self.sentence.when, self.sentence.rule)

    @property
    def right(self) -> bool:
        """Whether everything is: recognised, time, repetition and text."""
        named = not self.sentence.errand or self.errand == self.sentence.errand
        return self.recognised and self.timed and named


def load_sentences(language: str, *, second: bool = False) -> tuple[Sentence, ...]:
    """Return the sentences of a language; the ``second`` ones were written once the first had been looked at."""
    name = f"{language}_second.txt" if second else f"{language}.txt"
    lines = (SENTENCES / name).read_text(encoding="utf-8").splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines if line and not line.startswith("#")]
    return tuple(Sentence(*row) for row in rows)


def judge(sentence: Sentence) -> Judged:
    """Read a sentence and compare."""
    reading = READER.read(sentence.text, NOW)
    return Judged(sentence, is_request(sentence.text, reading), _outcome(reading), _rule(reading), reading.text)


def _outcome(reading: WhenReading) -> str:
    if reading.plan is not None:
        return f"{reading.plan.local:%Y-%m-%d %H:%M}"
    return _OUTCOMES[reading.problem or WhenProblem.NO_TIME]


def _rule(reading: WhenReading) -> str:
    repetition = reading.plan.repetition if reading.plan is not None else None
    return "" if repetition is None else write_rule(repetition)


def write_rule(repetition: Repetition) -> str:
    """Return how one repeats, briefly: an interval of one is left out."""
    written = repetition.rule.replace(";INTERVAL=1", "")
    if repetition.month:
        return f"FREQ=YEARLY;{repetition.month}-{repetition.day}"
    if repetition.day > 28:
        return f"{written.split(';')[0]};BYDAY31"
    return f"{written.split(';')[0]};{repetition.day}" if repetition.day else written


@each_row("language", LANGUAGES)
def test_nearly_every_time_is_right(language: str) -> None:
    """Of sixty sentences, at most two times are wrong and at most six texts; docs/reminders.md has the first tries."""
    sentences = (*load_sentences(language), *load_sentences(language, second=True))
    judged = [judge(sentence) for sentence in sentences]

    assert len(judged) == 60
    assert [one.sentence.text for one in judged if not one.timed][2:] == []
    assert [one.sentence.text for one in judged if not one.right][6:] == []


def test_what_is_not_understood_is_asked_about() -> None:
    """Of 330 sentences by others none is set wrong without a word, and three of four are right in each language.

    Mutation check: without the look for words of time that no part has taken, 20 are wrong.
    """
    verdicts = judge_list(READER, WRITTEN)
    shares = count_verdicts(verdicts)

    assert len(verdicts) == 330
    assert [one.text for one in verdicts if one.outcome == "wrong"] == []
    assert {group: share["right"] for group, share in shares.items() if share["right"] < 75} == {}
