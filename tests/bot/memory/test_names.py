"""Names in messages: people with who they are, places, organisations; no word that is merely written large."""

from __future__ import annotations

from bot.memory.names import NameKind, Tagged, find_mentions, gather_mentions, make_key
from tests.cases import each_row


def named(text: str) -> dict[str, tuple[str, str]]:
    """What a message names for sure: kind and relation by the form that stands there."""
    return {each.shown: (each.kind.name, each.relation) for each in find_mentions(text) if each.sure}


@each_row(
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


@each_row(
    "forms",
    [
        "Вера Веры Вере Веру Верой",
        "Мария Марии Марию Марией",
        "Сергей Сергея Сергею Сергеем Сергее",
        "Лев Льва Льву Львом",
        "Катя Кати Кате Катю Катей",
        "Максим Максима Максимом",
        "Достоевский Достоевского Достоевским",
        "Казань Казани Казанью",
        "Зоя Зои Зою Зоей",
        "Vera Veras Vera's Vera’s",
        "James James's James'",
    ],
)
def test_the_cases_of_a_name_are_one(forms: str) -> None:
    """As they are declined in each language."""
    assert len({make_key(form) for form in forms.split()}) == 1


@each_row(
    ("one", "other"),
    [("Vera", "Verona"), ("Mary", "Marie"), ("Мария", "Марина"), ("Виктор", "Виктория"), ("Аня", "Анна")],
)
def test_two_names_stay_two(one: str, other: str) -> None:
    """However alike they are."""
    assert make_key(one) != make_key(other)


def test_what_the_network_tells_is_a_name_wherever_it_stands() -> None:
    """With who it is to the author; what it does not tell is none, were it written with a capital."""
    sentence = "Meine Schwester Vera hat den Blumentopf in Veras Garten gestellt."
    vera, veras = sentence.index("Vera"), sentence.index("Veras")
    told = (Tagged(vera, vera + 4, "person"), Tagged(veras, veras + 5, "person"))

    (only,) = gather_mentions([(sentence, told)])

    assert (only.shown, only.kind, only.sure, only.relation, only.own) == (
        "Vera",
        NameKind.PERSON,
        True,
        "sister",
        True,
    )


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
