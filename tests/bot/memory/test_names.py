"""Names in messages: people with who they are, places, organisations; no word that is merely written large."""

from __future__ import annotations

import pytest

from bot.memory.names import NameKind, find_mentions, make_key


def named(text: str) -> dict[str, tuple[str, str]]:
    """What a message names for sure: kind and relation by the form that stands there."""
    return {each.shown: (each.kind.name, each.relation) for each in find_mentions(text) if each.sure}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My sister Vera lives in Porto.", {"Vera": ("PERSON", "sister"), "Porto": ("PLACE", "")}),
        ("My mother is ill.", {"mother": ("PERSON", "mother")}),
        ("She came with her dog Otto.", {"Otto": ("PERSON", "dog")}),
        ("I work at Calder Bank with Dr. Lee.", {"Calder Bank": ("ORGANISATION", ""), "Lee": ("PERSON", "doctor")}),
        ("Meine Schwester Vera wohnt in Porto.", {"Vera": ("PERSON", "sister"), "Porto": ("PLACE", "")}),
        ("Das ist die Katze von Anna.", {"Anna": ("NAME", "")}),
        ("Ich habe einen Termin am Montag.", {}),
        ("Моя сестра Вера живёт в Москве.", {"Вера": ("PERSON", "sister"), "Москве": ("PLACE", "")}),
        ("On Friday in May they've met. Sounds good!", {}),
        ("My key is [redacted: API Key], keep it.", {}),
        ("", {}),
    ],
)
def test_a_message_names(text: str, found: dict[str, tuple[str, str]]) -> None:
    """In each language, with who somebody is where that is said."""
    assert named(text) == found


def test_the_cases_of_a_name_are_one() -> None:
    """As they are declined; two names stay two."""
    assert make_key("Вера") == make_key("Верой") == make_key("Вере")
    assert make_key("Vera") != make_key("Verona")


def test_what_opens_a_sentence_counts_only_where_it_stands_elsewhere() -> None:
    """A capital there says nothing by itself."""
    (only,) = find_mentions("Vera called.")
    (both,) = find_mentions("Vera called. Then I called Vera.")

    assert (only.sure, both.sure) == (False, True)
    assert both.kind is NameKind.NAME


def test_ones_own_are_told_from_others() -> None:
    """The sister of somebody else is not mine."""
    mine, hers = find_mentions("My sister Vera came."), find_mentions("I met Peter's sister Julia.")

    assert [each.own for each in mine] == [True]
    assert [(each.shown, each.relation, each.own) for each in hers] == [
        ("Peter", "", False),
        ("Julia", "sister", False),
    ]


def test_a_long_list_of_names_is_cut() -> None:
    """It is a document, and is searched."""
    text = " ".join(f"I met Bob{chr(97 + number // 26)}{chr(97 + number % 26)}." for number in range(99))

    assert len(find_mentions(text)) <= 24
