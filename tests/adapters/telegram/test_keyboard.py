"""Keyboards: rows that can be read on a phone, and nothing that Telegram would refuse."""

from __future__ import annotations

from adapters.telegram.requests import make_keyboard
from tests.cases import each_row


def rows(*labels: str) -> list[list[str]]:
    """The labels as they are laid out."""
    keyboard = make_keyboard(tuple((label, f"/open {number}") for number, label in enumerate(labels)))
    return [] if keyboard is None else [[button.text for button in row] for row in keyboard.inline_keyboard]


@each_row(
    ("labels", "expected"),
    [
        ("1 2 3 4 5 6 7 8", [["1", "2", "3", "4", "5", "6", "7", "8"]]),
        ("1 2 3 4 5 6 7 8 ‹ ›", [["1", "2", "3", "4", "5", "6", "7", "8"], ["‹", "›"]]),
        ("‹ 10/12 ›", [["‹", "10/12", "›"]]),
        ("👍🏽 👎", [["👍🏽", "👎"]]),
        ("1 2 3 4 5 Search", [["1", "2", "3", "4", "5"], ["Search"]]),
        ("Edit Forget Pin", [["Edit", "Forget", "Pin"]]),
        ("Forget_it_now Keep_it_all Pin", [["Forget_it_now", "Keep_it_all"], ["Pin"]]),
        (
            "Yes,_forget_all_of_it No,_keep_it Later,_maybe",
            [["Yes,_forget_all_of_it"], ["No,_keep_it", "Later,_maybe"]],
        ),
        ("你好世界你好 你好世", [["你好世界你好", "你好世"]]),
        ("", []),
    ],
)
def test_rows_follow_the_width_of_labels(labels: str, expected: list[list[str]]) -> None:
    """Short labels share a row of up to eight; middle ones stand in twos or threes; a long one alone."""
    assert rows(*labels.split()) == expected


def test_the_order_stays() -> None:
    """Whatever the widths, buttons are read in the order in which they were given."""
    labels = ["1", "2", "Search the memory", "A label that is as long as a sentence is", "‹", "›"]

    assert [label for row in rows(*labels) for label in row] == labels


def test_no_more_than_a_hundred() -> None:
    """Telegram refuses a message with more: it goes with the first hundred."""
    shown = rows(*[str(number) for number in range(130)])

    assert sum(map(len, shown)) == 100
    assert max(map(len, shown)) <= 8


def test_a_button_that_would_be_refused_is_left_out() -> None:
    """Its data is too long, or its label empty; the others stay."""
    keyboard = make_keyboard((("a", "x" * 65), (" ", "/b"), ("c", "/c"), ("d", "")))

    assert keyboard is not None
    assert [[button.text for button in row] for row in keyboard.inline_keyboard] == [["c"]]
