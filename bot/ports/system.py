"""One step of every turn."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Protocol

from bot.turn import Turn


class OnError(StrEnum):
    """What a system's failure means for the turn."""

    SKIP = "skip"
    """Go on with the turn as it was before the system."""
    APOLOGISE = "apologise"
    """Go on with a notice as the reply."""
    FAIL = "fail"
    """Give the turn up; it is tried again from the journal."""


class System(Protocol):
    """One step of every turn; ``order`` is its place, ``on_error`` its policy."""

    order: ClassVar[int]
    on_error: ClassVar[OnError]

    async def __call__(self, turn: Turn) -> Turn:
        """Return the turn with this system's contribution."""
        ...
