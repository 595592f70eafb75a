"""What was said, shown and stored, word for word and uncounted: for those who count for themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """``said`` and ``shown`` are chats with texts, oldest first; ``documents`` workspaces with sources and texts."""

    said: tuple[tuple[int, str], ...]
    shown: tuple[tuple[int, str], ...]
    documents: tuple[tuple[str, str, str], ...]


Recording = Callable[[Facts], None]


def unrecorded(_facts: Facts) -> None:
    """Keep nothing."""
