"""Points of lists: each begins a sentence with its number or bullet, on a line of its own or not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from language.sentences import begins_point, split_points, split_sentences
from tests.cases import each_row


@each_row(
    ("text", "parts"),
    [
        (
            "Do this: 1. Pack. 2. Go to bed. Early. 3. Rest",
            ("Do this:", "1. Pack.", "2. Go to bed.", "Early.", "3. Rest"),
        ),
        ("Before you go 1. Pack. 2. Go.", ("Before you go", "1. Pack.", "2. Go.")),
        ("1. Pack.\n2. Go.", ("1. Pack.", "2. Go.")),
        ("Do: 1) pack 2) go", ("Do:", "1) pack", "2) go")),
        ("Do **1. Pack** now. **2. Go** then.", ("Do", "**1. Pack** now.", "**2. Go** then.")),
        ("**1.** Pack. **2.** Go.", ("**1.** Pack.", "**2.** Go.")),
        ("Buy: - milk - eggs. Soon - please.", ("Buy:", "- milk", "- eggs.", "Soon - please.")),
        ("Buy milk. - And eggs.", ("Buy milk.", "- And eggs.")),
        ("Buy: * milk * eggs\n* bread", ("Buy:", "* milk", "* eggs", "* bread")),
        ("Buy • milk • eggs", ("Buy", "• milk", "• eggs")),
        ("It rains. ### 2. Bags Take one.", ("It rains.", "### 2. Bags Take one.")),
        ("1.2. Bags. 1.3. Shoes.", ("1.2. Bags.", "1.3. Shoes.")),
        ("Сначала: 1. Собери вещи. 2. Иди спать.", ("Сначала:", "1. Собери вещи.", "2. Иди спать.")),
        ("Zuerst: 1. Packen. 2. Schlafen.", ("Zuerst:", "1. Packen.", "2. Schlafen.")),
        ("| Day | Plan |\n| 1. | Pack. |", ("| Day | Plan |", "| 1. | Pack. |")),
    ],
)
def test_a_point_keeps_its_number(text: str, parts: tuple[str, ...]) -> None:
    """Within one line, too: before, "1." ended the sentence before it and "2." the first point."""
    assert split_sentences(text) == parts


@each_row(
    ("text", "parts"),
    [
        ("I live in room 1. We moved in 2. That is all.", ("I live in room 1.", "We moved in 2.", "That is all.")),
        ("Am 1. Mai war es kalt. 2. Mai auch.", ("Am 1. Mai war es kalt.", "2. Mai auch.")),
        ("It is 5 - 3 and 2 * 3 - really.", ("It is 5 - 3 and 2 * 3 - really.",)),
        ("One thing: no - never", ("One thing: no - never",)),
        ("Vera: - No.", ("Vera: - No.",)),
        ("See (1) and (2) there.", ("See (1) and (2) there.",)),
        ("Fr. Dunstan comes. Ask Rev. Oake.", ("Fr. Dunstan comes.", "Ask Rev. Oake.")),
        ("Hr. Abel wohnt Lindenstr. 5. Er ist da.", ("Hr. Abel wohnt Lindenstr. 5.", "Er ist da.")),
        ("Живу: пер. Лесной, корп. Б. Жду.", ("Живу: пер. Лесной, корп. Б. Жду.",)),
    ],
)
def test_what_is_no_list_is_not_cut(text: str, parts: tuple[str, ...]) -> None:
    """Numbers that end a sentence, dates, dashes, references and abbreviations."""
    assert split_sentences(text) == parts


@given(st.text(alphabet="12.) -*:\n#a", max_size=80))
def test_points_hold_all_of_a_text(text: str) -> None:
    """Nothing is lost or changed."""
    assert "".join(split_points(text)) == text


@each_row("piece", ["1. ", "1. a. 2. b. ", "- ", ": - a - b ", "• ", "1) 2) ", "## "])
def test_lists_without_end_are_cut_at_once(piece: str) -> None:
    """Time in proportion to the length: what goes back to the beginning at each mark would not let this end."""
    assert "".join("".join(split_sentences(piece * 4_000)).split()) == "".join((piece * 4_000).split())


def test_headings_and_rows_are_points() -> None:
    """As they are quoted whole."""
    assert all(map(begins_point, ("# Bags", "| a | b |", "2) Go", "**3. Rest**", "- milk", " * eggs")))
    assert not any(map(begins_point, ("-5 degrees", "2024. A year", "#tag", "*bold* word", "Go")))
