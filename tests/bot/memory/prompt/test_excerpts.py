"""Memories are quoted by sentences and by the points of their lists, each with its number."""

from __future__ import annotations

import re

from bot.memory.prompt.selection import SaidAlready, find_concepts, quote_text
from bot.memory.ranking.passages import cut_excerpt
from language.tokens import count_tokens
from tests.cases import each_row

POINTS = (
    "1. Leave the boat at the old pier. The keeper takes it.",
    "2. Climb the lighthouse before noon, when the stairs are dry.",
    "3. Eat soup at the harbour. It is cheap on weekdays.",
    "4. Take the last ferry home. It leaves at six.",
)
ONE_LINE = f"A calm day by the sea: {' '.join(POINTS)}"
LINES = "A calm day by the sea:\n\n" + "\n".join(POINTS)


def quote(text: str, message: str, room: int = 40, said: str = "") -> str:
    """Quote for a message."""
    return quote_text(text, find_concepts(message), SaidAlready((said,)), room)


@each_row("text", [ONE_LINE, LINES])
@each_row(
    ("message", "point"), [("What about the lighthouse?", 1), ("Where could I eat soup?", 2), ("Which ferry home?", 3)]
)
def test_a_point_is_quoted_whole_with_its_number(text: str, message: str, point: int) -> None:
    """The point that was asked for, with all it says."""
    shown = quote(text, message)

    assert POINTS[point] in shown
    assert not re.search(r"\d\.(?:\s*…|\s*$)", shown)
    assert count_tokens(shown) <= 48


@each_row("text", [ONE_LINE, LINES])
def test_no_number_stands_without_its_point(text: str) -> None:
    """Whatever room there is.  Red while "1." ended the sentence before its point."""
    for room in range(12, 80, 4):
        shown = quote(text, "What did you suggest for a calm day by the sea?", room)
        assert not re.search(r"\d\.(?:\s*…|\s*$)", shown), shown


def test_of_a_point_that_is_known_in_part_the_rest_is_quoted() -> None:
    """No sentence stands twice."""
    shown = quote(ONE_LINE, "Where could I eat soup?", said="It is cheap on weekdays.")

    assert "3. Eat soup at the harbour." in shown
    assert "weekdays" not in shown


def test_rows_of_a_table_and_headings_stay_whole() -> None:
    """A full stop within a cell ends nothing."""
    row = "| Tue. Noon | Soup. Bread. | 4 euros |"
    text = f"## Meals. All of them\n| When | What | Price |\n{row}\n" + "| Later. | Nothing much. | 0 |\n" * 9

    assert row in quote(text, "When is there soup?")


def test_the_passage_of_a_long_message_keeps_its_lines() -> None:
    """A point is not joined to the line before it."""
    text = "\n".join(f"{number}. Sail to island number {number} with a friend" for number in range(1, 41))
    shown = cut_excerpt(text, 1)

    assert shown.startswith("[…] ")
    assert all(re.match(r"(?:\[…\] )?\d+\. Sail", line) for line in shown.splitlines())
    assert len(shown.splitlines()) > 5
