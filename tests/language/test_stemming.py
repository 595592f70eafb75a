"""Stems, names and endings, and stemming under several threads."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from language.analyser import Stemmer, strip_ending
from tests.cases import each_row


def test_threads_may_stem_at_once() -> None:
    """Workers share one stemmer; without its lock this ends in an IndexError inside Snowball."""
    stems = Stemmer(cached=3)
    words = [f"{stem}{ending}" for stem in ("generalis", "organis", "relat", "connect") for ending in ("ations", "ing")]
    expected = {word: Stemmer().stem(word) for word in words}
    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda n: (words[n % 8], stems.stem(words[n % 8])), range(4_000)))
    finally:
        sys.setswitchinterval(pause)

    assert all(expected[word] == stem for word, stem in found)


@each_row(("one", "other"), [("иваном", "иван"), ("казани", "казань"), ("сергей", "сергея"), ("volvos", "volvo")])
def test_cases_of_a_name_are_one_name(one: str, other: str) -> None:
    """Snowball takes the first for a participle; a name in its cases has one key."""
    stems = Stemmer()

    assert stems.stem_name(one) == stems.stem_name(other)


@each_row(
    ("one", "other", "same"),
    [
        ("cities", "city", True),
        ("moving", "moved", True),
        ("живет", "живут", True),
        ("ärzten", "ärzte", True),
        ("organ", "organisation", False),
        ("glass", "gla", False),
        ("g0567s", "g0567", False),
    ],
)
def test_only_an_ending_is_taken_off(one: str, other: str, same: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Forms of one word meet, different words and codes do not."""
    assert (strip_ending(one) == strip_ending(other)) is same
