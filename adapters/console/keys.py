"""Buttons in a terminal: each has a key, and a line that is nothing but that key presses it.

Only a whole line counts, and only right below the answer that showed the keys: whatever else is typed is a message.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_OWN: Final = {"‹": "<", "›": ">"}
_FREE: Final = (*string.digits[1:], *string.ascii_lowercase)
"""Keys are given in this order; what has none left is reached by its command."""


@dataclass(frozen=True, slots=True)
class OfferedKey:
    """A key, what stands on its button, and the button's data."""

    key: str
    label: str
    data: str
    message_id: int


@dataclass(slots=True)
class Keys:
    """The keys of the newest answer."""

    offered: tuple[OfferedKey, ...] = field(default=())

    def offer(self, message_id: int, buttons: tuple[tuple[str, str], ...]) -> tuple[OfferedKey, ...]:
        """Take the place of the keys of earlier answers, and return the new ones."""
        self.offered = tuple(_assign(message_id, buttons))
        return self.offered

    def find(self, line: str) -> OfferedKey | None:
        """Return what a line presses: the key alone; with anything beside it, even a space, it is a message."""
        return next((each for each in self.offered if each.key == line), None)

    def withdraw(self, message_id: int | None = None) -> None:
        """Forget the keys, or those below one answer."""
        self.offered = tuple(each for each in self.offered if message_id not in (None, each.message_id))


def _assign(message_id: int, buttons: tuple[tuple[str, str], ...]) -> Iterator[OfferedKey]:
    """Yield the buttons with their keys; a label that is one key itself has that one."""
    own = {label: label for label, _ in buttons if label in _FREE} | {
        label: _OWN[label] for label, _ in buttons if label in _OWN
    }
    taken = frozenset(own.values())
    free = (key for key in _FREE if key not in taken)
    for label, data in buttons:
        key = own.pop(label, None) or next(free, None)
        if key is not None:
            yield OfferedKey(key, label, data, message_id)
