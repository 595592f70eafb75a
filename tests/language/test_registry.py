"""Telling languages apart, and the words of all of them together."""

from __future__ import annotations

from language import detect_language, detect_languages, languages, stop_words
from tests.cases import each_row


@each_row(
    ("text", "code"),
    [
        ("Meine Schwester wohnt in Porto", "de"),
        ("Wo wohnt Anna?", "de"),
        ("moin", "de"),
        ("Danke", "de"),
        ("Где Анна?", "ru"),
        ("Anna живёт в Порту", "ru"),
        ("My hat is red", "en"),
        ("Will I die in the war?", "en"),
        ("Anna, Berlin", "en"),
        ("mi hermana vive en Oporto", "en"),
        ("j'habite en France", "en"),
        ("", "en"),
    ],
)
def test_the_commonest_words_tell_the_language(text: str, code: str) -> None:
    """Letters of its own decide, then words that no other language has; what looks like none is English.

    So is what is written in one that is not installed.
    """
    assert detect_language(text).code == code


@each_row("text", ("ok", "ok mach", "/list"))
def test_what_all_say_tells_no_language(text: str) -> None:
    """A talk in German goes on in German behind an "ok"."""
    assert len(detect_languages(text)) > 1


def test_what_another_language_says_is_no_stop_word() -> None:
    """A German verb is an English noun: the index of all languages keeps it."""
    assert {"the", "der", "это"} <= stop_words()
    assert "war" not in stop_words()


def test_sets_of_words_belong_together() -> None:
    """What contrasts is a stop word; a word that asks, or is common, is none."""
    for language in languages():
        assert language.vocabulary.contrast_words <= language.vocabulary.stop_words
        assert language.vocabulary.asking_words.isdisjoint(language.vocabulary.stop_words)
