"""Names that the network tells, from the states of the real model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.e5 import E5Embedder
from bot.memory.names import TAGS, WEIGHTS, decode, find_words, join, may_name, tell_names
from bot.ports.embedder import StateReader


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("My sister Grace moved to Toronto last autumn.", {"Grace": "person", "Toronto": "location"}),
        ("Ich habe vier Eier gekauft und den Blumentopf vor die Haustür gestellt.", {}),
        ("Meine Schwester Annegret wohnt jetzt in Toronto.", {"Annegret": "person", "Toronto": "location"}),
        ("Мы с Верой переезжаем в Тверь.", {"Верой": "person", "Тверь": "location"}),
        ("Remind me to water the tomatoes on Friday.", {}),
    ],
)
async def test_names_are_told_in_each_language(model_dir: Path, sentence: str, names: dict[str, str]) -> None:
    """With their kind; no noun is one."""
    embedder = E5Embedder(model_dir, niceness=0)
    states = await embedder.read_states(sentence)
    told = tell_names(sentence, states.pieces, states.spans)
    embedder.close()

    assert isinstance(embedder, StateReader)
    assert {sentence[name.start : name.end]: name.kind for name in told} == names


def test_only_a_sentence_that_could_name_is_read() -> None:
    """The others cost nothing."""
    assert may_name("where does vera live, I mean Vera?")
    assert not may_name("I had soup. And you?")
    assert not may_name("")


def test_a_later_word_of_a_name_follows_one_of_its_kind() -> None:
    """However likely it is by itself; and a word written small begins no name."""
    sentence = "the Lee Bank"
    words = find_words(sentence)
    scores = np.full((len(words), len(TAGS)), -9.0, dtype=np.float32)
    scores[0, TAGS.index("Bperson")] = scores[1, TAGS.index("Iperson")] = 0
    scores[1, TAGS.index("Bperson")] = scores[2, TAGS.index("Iperson")] = -1

    assert [(name.start, name.end) for name in join(words, decode(sentence, words, scores, doubt=0))] == [(4, 12)]


def test_the_weights_are_small() -> None:
    """They are carried by everybody."""
    assert WEIGHTS.stat().st_size <= 250_000


def test_nothing_is_told_of_what_was_not_read() -> None:
    """A text beyond the model's window has no states."""
    assert tell_names("Vera", np.zeros((0, 384), np.float32), np.zeros((0, 2), np.int64)) == ()
