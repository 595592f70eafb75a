"""Sentences that no rule was made for by word: how many are understood, in each language alike."""

from __future__ import annotations

from adapters.when.reader import LanguageWhenReader
from harness.reminders.lists import LANGUAGES, WRITTEN, count_verdicts, judge, judge_list, load_sentences
from tests.cases import each_row

READER = LanguageWhenReader()


@each_row("language", LANGUAGES)
def test_nearly_every_time_is_right(language: str) -> None:
    """Of sixty sentences, at most two times are wrong and at most six texts; docs/reminders.md has the first tries."""
    sentences = (*load_sentences(language), *load_sentences(language, second=True))
    judged = [judge(READER, sentence) for sentence in sentences]

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
