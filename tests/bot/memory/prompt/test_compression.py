"""Compression: what is found fits into a budget and stays verbatim."""

from __future__ import annotations

from bot.memory.items import Channel, Recalled
from bot.memory.prompt.selection import compress, drop_near_duplicates
from language.tokens import count_tokens
from tests.cases import each_row


def _said(key: str, text: str, author: str = "Anna") -> Recalled:
    return Recalled(key, text, Channel.TURN, 1.0, author=author)


def _about_harbour(sentence: str) -> float:
    return float("harbour" in sentence)


def test_near_duplicates_go_but_not_of_another_author() -> None:
    """The better ranked of two that say the same stays; the same words of somebody else are another statement."""
    found = (
        _said("1", "We moved to the harbour in May, finally."),
        _said("2", "Finally we moved to the harbour in May."),
        _said("3", "We moved to the harbour in May, finally.", "Boris"),
        _said("4", "Yes."),
    )

    assert [memory.key for memory in drop_near_duplicates(found)] == ["1", "3", "4"]


@each_row(
    ("said", "one", "other"),
    [
        ("We pay the landlord {} on the first of every month.", "800 euros", "900 euros"),
        ("The deposit for the flat by the river was {}.", "80 €", "80 $"),
        ("The cellar had {} on the coldest night of January.", "-5 degrees", "5 degrees"),
        ("Wir treffen uns {} mit Vera im alten Hafen von Porto.", "am Montag", "am Freitag"),
        ("Мы решили всей семьёй этой весной {} в Порту.", "переехать", "не переехать"),
        ("I drink {} in the morning.", "tea and not coffee", "coffee and not tea"),
        ("We counted on {} boxes in the cellar.", "5 May 8", "8 May 5"),
    ],
)
def test_what_differs_in_an_amount_a_day_or_a_not_is_kept(said: str, one: str, other: str) -> None:
    """Nearly all words are the same, and the statement is not.  Red when four fifths of the words were enough."""
    first, second = said.format(one), said.format(other)
    found = (_said("1", first), _said("2", second), _said("3", first.upper()))

    assert [memory.key for memory in drop_near_duplicates(found)] == ["1", "2"]


def test_a_long_text_keeps_the_sentences_that_count() -> None:
    """The telling sentence stays verbatim, the gap is marked, the budget is kept."""
    filler = " ".join(f"Sentence {number} is about something else entirely." for number in range(40))
    found = (_said("1", f"{filler} The flat is near the harbour. {filler}"),)

    (memory,) = compress(found, 60, _about_harbour)

    assert memory.text == "[…] The flat is near the harbour. […]"
    assert count_tokens(memory.text) + 24 <= 60


def test_what_fits_is_untouched_and_what_cannot_is_left_out() -> None:
    """Short texts pass whole; a long one without a telling sentence goes."""
    short, long = _said("1", "Near the harbour."), _said("2", "Nothing of interest. " * 100, "Boris")

    assert compress((long, short), 60, _about_harbour) == (short,)
