"""Counts what of the names found is right: each is one of those that are marked, from its first letter to its last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.memory.tagging import Tagged

_OTHER: Final = "artifact"
"""Titles, events, languages: nobody asks for them here; found as something else they are errors."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Counts by kind: names ``found`` and ``marked``, found with the ``right`` span and kind, with the right ``span``.

    ``nothing`` counts what is found where no name of any kind is marked: nouns, most often.
    """

    found: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    span: int = 0
    nothing: int = 0

    def __add__(self, other: Judged) -> Judged:
        return Judged(
            self.found + other.found,
            self.marked + other.marked,
            self.right + other.right,
            self.span + other.span,
            self.nothing + other.nothing,
        )

    def figures(self) -> dict[str, float | dict[str, float]]:
        """Return the shares: together, where the kind does not matter, and by kind."""
        found, marked = self.found.total(), self.marked.total()
        kinds = {
            kind: {
                "precision": _share(self.right[kind], self.found[kind]),
                "recall": _share(self.right[kind], self.marked[kind]),
            }
            for kind in sorted(self.marked)
        }
        return {
            "precision": _share(self.span, found),
            "recall": _share(self.span, marked),
            "precision_with_kind": _share(self.right.total(), found),
            "recall_with_kind": _share(self.right.total(), marked),
            "no_name": _share(self.nothing, found),
            **kinds,
        }


def judge(found: Sequence[Tagged], marked: Sequence[Tagged]) -> Judged:
    """Judge the names found in a sentence by those that are marked in it."""
    found = [name for name in found if name.kind != _OTHER]
    asked = [name for name in marked if name.kind != _OTHER]
    spans = {(name.start, name.end) for name in asked}
    return Judged(
        Counter(name.kind for name in found),
        Counter(name.kind for name in asked),
        Counter(name.kind for name in found if name in asked),
        sum((name.start, name.end) in spans for name in found),
        sum(not any(name.start < each.end and each.start < name.end for each in marked) for name in found),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
