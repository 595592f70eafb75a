"""What kind of thing a question asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from bot.memory.ranking.asked_categories import AskedKinds
from bot.memory.ranking.category_words import LINES
from bot.memory.ranking.postings import Postings
from language.analyser import Analyser

WORDS: Final = Analyser()
KINDS: Final = AskedKinds(WORDS)


def _worth(question: str, word: str) -> float:
    return KINDS.instances(question).get(WORDS.fold(word), 0.0)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What pets does Anna have?", "puppies"),
        ("Do you remember which instruments she plays?", "cello"),
        ("What are Anna's hobbies?", "gardening"),
        ("Where did she go last summer?", "museum"),
        ("Who came to the party?", "grandmother"),
        ("Какие книги она читала?", "роман"),
        ("Сколько у неё питомцев?", "кошку"),
        ("Welche Haustiere hat Anna?", "Katze"),
        ("Was für ein Instrument spielt sie?", "Geige"),
    ],
)
def test_what_belongs_to_the_kind_asked_for_counts_in_full(question: str, word: str) -> None:
    """The kind stands after the interrogative, or after a copula; where and who ask for a kind of their own."""
    assert _worth(question, word) == 1


def test_the_last_word_before_the_verb_is_the_kind() -> None:
    """Art classes are classes."""
    question = "What art classes did she take?"

    assert _worth(question, "yoga") == 1
    assert _worth(question, "mural") == 0


def test_a_kind_behind_the_verb_counts_less() -> None:
    """It is often what the question is about."""
    assert 0 < _worth("What did she cook for dessert?", "cake") < 1


@pytest.mark.parametrize(
    "question", ["When did she buy the pets?", "Why does she like desserts?", "Anna has many pets.", "What is it?", ""]
)
def test_a_question_for_something_else_asks_for_no_kind(question: str) -> None:
    """A date, a reason, no question, no kind."""
    assert KINDS.instances(question) == {}


def test_words_of_the_question_are_not_its_answer() -> None:
    """What is asked about a cat is not answered by "cat" alone, which the other signals see already."""
    assert _worth("What pets besides the cat does she have?", "cat") == 0
    assert _worth("What pets besides the cat does she have?", "dog") == 1


def test_every_kind_has_names_and_instances() -> None:
    """Each line is names, a colon, instances; no word is too common to be indexed on both sides."""
    for line in LINES:
        names, colon, instances = line.partition(":")
        assert colon, line
        assert any(map(WORDS.fold, names.split())), line
        assert any(map(WORDS.fold, instances.split())), line


def test_a_row_gets_its_most_telling_term() -> None:
    """Idf times worth, the largest counts; terms that no row holds change nothing."""
    postings = Postings()
    for terms in (("dog", "walk"), ("dog", "cat"), ("rain",)):
        postings.add(terms)
    worth: Mapping[str, float] = {"dog": 1.0, "cat": 0.9, "fish": 1.0}

    found = postings.telling(worth)

    assert found.tolist() == pytest.approx([postings.idf("dog"), 0.9 * postings.idf("cat"), 0])
    assert Postings().telling(worth).tolist() == []
