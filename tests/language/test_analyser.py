"""Terms and stems: what a text is indexed by."""

from __future__ import annotations

from language.analyser import Analyser

WORDS = Analyser(lambda word: word.removesuffix("s"))


def test_terms_are_folded_content_words() -> None:
    """Function words go, irregular forms meet their base, clitics fall off."""
    assert WORDS.keys("She's bought the children two books") == ("buy", "child", "two", "book")


def test_codes_are_found_whole_and_in_pieces() -> None:
    """Both spellings of a code share a key."""
    assert set(WORDS.keys("code 567-G0")) & set(WORDS.keys("567G0")) == {"567g0"}
    assert "567" in WORDS.keys("code 567-G0")


def test_offsets_point_at_the_words() -> None:
    """A term knows where it stands."""
    (term,) = WORDS.terms("the harpsichords")

    assert "the harpsichords"[term.start : term.end] == "harpsichords"


def test_a_stop_word_that_another_language_needs_is_a_term() -> None:
    """The German article and the English verb are written alike, so it stays."""
    assert WORDS.keys("Roses die in der Nacht") == ("rose", "die", "nacht")


def test_the_stems_of_items_stay_as_databases_hold_them() -> None:
    """The full-text index over items is not made anew, so every word is stemmed as it was when it was written."""
    text = "Ёлки стоят у моей сестры; Bücher went to the 567-G0 gates, Anna's"

    stems = Analyser().stems(text)

    assert " ".join(stems) == "елк сто у мо сестр buch went to the 567 g0 gate anna s"


def test_a_question_of_stop_words_alone_is_asked_as_it_is() -> None:
    """Searching for nothing would find nothing."""
    words = Analyser()

    assert words.stem_question("What are the gates of the garden, the gates?") == ("gate", "garden")
    assert words.stem_question("Who is it?") == ("who", "is", "it")
