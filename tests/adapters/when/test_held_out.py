"""Sentences that no rule was made for by word: how many are understood, in each language alike."""

from __future__ import annotations

import pytest

from adapters.when.reader import LanguageWhenReader
from harness.reminders.sentences import LANGUAGES, judge, load_sentences

READER = LanguageWhenReader()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_time_is_right(language: str) -> None:
    """Of sixty sentences, at most two times are wrong and at most six texts; docs/reminders.md has the first tries."""
    sentences = (*load_sentences(language), *load_sentences(language, second=True))
    judged = [judge(READER, sentence) for sentence in sentences]

    assert len(judged) == 60
    assert [one.sentence.text for one in judged if not one.timed][2:] == []
    assert [one.sentence.text for one in judged if not one.right][6:] == []
