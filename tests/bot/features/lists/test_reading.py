"""What sentences name of lists, in wordings that nobody wrote down."""

from __future__ import annotations

import pytest

from bot.features.lists.matching import find_mentioned, match_thing, read_ticked
from bot.features.lists.reading import are_tasks, find_list, read_added
from bot.ports.lists import Deed, ListItem
from harness.samples import NOON


def stand(*texts: str) -> list[ListItem]:
    """Things on a list."""
    deed = Deed(42, "Anna", NOON)
    return [ListItem("shopping", "", text, deed, id=number) for number, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("sentence", "key", "things"),
    [
        (
            "Would you mind popping a tin of beans and two lemons onto our shopping list?",
            "shopping",
            "a tin of beans, two lemons",
        ),
        ("ok so also toothpaste, floss please", None, "toothpaste, floss"),
        ("we've nearly run out of coffee", None, "coffee"),
        ("to do: ring Tom, empty the shed", "todo", "ring Tom, empty the shed"),
        ("The packing list for Oslo still needs mittens", "packing", "mittens"),
        ("stick a kite on the kids' birthday list", "child birth", "kite"),
        ("Kannst du bitte noch 500 g Hack und eine Dose Mais auf den Einkaufszettel setzen", "shopping", "500 g Hack"),
        ("Auf die Gartenliste kommen noch Zwiebeln, Kompost", "garten", "Zwiebeln, Kompost"),
        ("Uns ist der Zucker ausgegangen", None, "Zucker"),
        ("Notier bei den Erledigungen: Reifen wechseln", "todo", "Reifen wechseln"),
        ("закончились спички и соль", None, "спички, соль"),
        ("Внеси, пожалуйста, в список на дачу лопату и перчатки", "дач", "лопату, перчатки"),
        ("в детский список нужно добавить мыло", "детск", "мыло"),
        ("сделать: позвонить тёте, полить цветы", "todo", "позвонить тёте, полить цветы"),
    ],
)
def test_things_are_cut_out_of_any_sentence(sentence: str, key: str | None, things: str) -> None:
    """With their amounts, without what frames them; the list is known by the stems of its name."""
    named = find_list(sentence)
    read = read_added(sentence, named)

    assert (None if named is None else named.key) == key
    assert ", ".join(read).startswith(things)
    assert set(things.split(", ")) <= set(read) | {read[0]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("put ink on the to-do list", "what's on my todos"),
        ("Einkaufsliste", "vom Einkaufszettel"),
        ("в списке покупок", "список покупок"),
        ("the birthday list", "Anna's birthday lists"),
        ("Geschenkliste", "auf der Geschenkeliste"),
    ],
)
def test_a_list_is_known_under_each_of_its_names(one: str, other: str) -> None:
    """By its kind, or by the stems of its own words."""
    first, second = find_list(one), find_list(other)

    assert first is not None
    assert second is not None
    assert first.key in second.key.split() or first.key == second.key


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("auf die Liste Garten: Schlauch", "Liste Garten"),
        ("добавь лопату в список дача", "Список дача"),
        ("auf die Einkaufsliste Garten: Schlauch", ""),
        ("put a hose on the list for the garden", ""),
        ("what's on the list for Anna and Ben", ""),
        ("put milk on the shopping list", ""),
        ("put the biography on my reading list", "Reading list"),
        ("was steht auf der Gartenliste", "Gartenliste"),
        ("the list for Oslo: mittens", "List for Oslo"),
    ],
)
def test_a_list_is_shown_by_the_name_that_it_was_given(sentence: str, title: str) -> None:
    """With a capital; one of the kinds that everybody has needs none of its own."""
    named = find_list(sentence)

    assert named is not None
    assert named.title == title


def test_only_a_list_with_a_name_of_its_own_is_meant_by_its_name_alone() -> None:
    """Who speaks of shopping speaks of no list."""
    assert find_mentioned("what did we want for the garden", ("shopping", "", "garden")) == "garden"
    assert find_mentioned("we went shopping", ("shopping", "garden")) == ""


@pytest.mark.parametrize(
    ("thing", "meant"),
    [
        ("milk", ("milk",)),
        ("the oat milk", ("2 l oat milk",)),
        ("buttre", ("butter",)),
        ("tomato", ("tomatoes",)),
        ("огурцы", ("огурец",)),
        ("chocolate", ()),
        ("butter milk", ()),
    ],
)
def test_a_thing_is_meant_by_its_own_words(thing: str, meant: tuple[str, ...]) -> None:
    """In any form and with a slip; never by words of another thing."""
    items = stand("milk", "2 l oat milk", "butter", "tomatoes", "огурец")

    assert tuple(item.text for item in match_thing(thing, items, loosely=False).items) == meant


@pytest.mark.parametrize(
    ("sentence", "ticked"),
    [
        ("Ben bought the milk and the tomatoes", ("milk", "tomatoes")),
        ("got all of it except the butter", ("milk", "tomatoes", "rye bread")),
        ("the bread is sorted", ("rye bread",)),
        ("Bought a milk frother", ()),
        ("the tomatoes in the garden have finished", ()),
    ],
)
def test_a_statement_ticks_only_what_it_names(sentence: str, ticked: tuple[str, ...]) -> None:
    """Where nobody knows that it speaks of a list."""
    items = stand("milk", "butter", "tomatoes", "rye bread")

    assert tuple(item.text for item in read_ticked(sentence, None, items, sure=False).items) == ticked


def test_what_is_to_be_done_is_told_from_what_is_to_be_bought() -> None:
    """By its verb, but for one that names a thing to buy."""
    assert are_tasks(("call the plumber",), "we need to call the plumber")
    assert not are_tasks(("water bottles",), "we need water bottles")
    assert are_tasks(("Zahnarzt anrufen",), "noch Zahnarzt anrufen")
    assert not are_tasks(("Äpfel",), "Äpfel kaufen")


@pytest.mark.parametrize("said", ["Zahnarzt angerufen", "den Zahnarzt rufe ich an", "die Wohnung geputzt"])
def test_a_participle_is_its_verb(said: str) -> None:
    """With "ge" before it or in it."""
    items = stand("Zahnarzt anrufen", "Wohnung putzen")

    assert [item.text for item in match_thing(said, items, loosely=False).items] == {
        "Zahnarzt angerufen": ["Zahnarzt anrufen"],
        "die Wohnung geputzt": ["Wohnung putzen"],
    }.get(said, [])
