"""The buttons under a message, laid out by the width of their labels.

The layout follows from the labels alone, so that the same buttons make the same keyboard, whoever sends them when.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

import structlog
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup

_CALLBACK_BYTES: Final = 64
"""https://core.telegram.org/bots/api#inlinekeyboardbutton."""
_MOST: Final = 100
"""Buttons under one message; Telegram refuses a message with more."""
_ROOM: Final = ((4, 8), (6, 4), (10, 3), (18, 2))
"""Widths of the widest label of a row, in letters, and how many buttons a phone shows beside each other then."""


def make_keyboard(buttons: tuple[tuple[str, str], ...]) -> InlineKeyboardMarkup | None:
    """Return the keyboard of pairs of label and data, ``None`` without any.

    A button that Telegram would refuse, for its data or because there are more than a hundred, is left out: the text
    still goes.
    """
    usable = [(label, data) for label, data in buttons if label.strip() and 1 <= len(data.encode()) <= _CALLBACK_BYTES]
    if len(usable[:_MOST]) < len(buttons):
        structlog.get_logger().error("telegram.buttons_dropped", count=len(buttons) - len(usable[:_MOST]))
    rows = [
        [InlineKeyboardButton(text=label, callback_data=data) for label, data in row]
        for row in _lay_out(usable[:_MOST])
    ]
    return InlineKeyboardMarkup(inline_keyboard=rows) if rows else None


def _lay_out(buttons: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield rows in order, each as full as its widest label allows."""
    row: list[tuple[str, str]] = []
    widest = 0
    for button in buttons:
        width = sum(map(_measure, button[0].strip()))
        if row and len(row) >= _count_fitting(max(widest, width)):
            yield row
            row, widest = [], 0
        row.append(button)
        widest = max(widest, width)
    if row:
        yield row


def _count_fitting(width: int) -> int:
    return next((count for most, count in _ROOM if width <= most), 1)


def _measure(sign: str) -> int:
    """Return how many letters a character is as wide as: 2 for pictures and East Asian signs, 0 for combining ones."""
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
