"""Counts what of the names found is right: each is one of those that are marked, from its first letter to its last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.memory.names import Tagged

_OTHER: Final = "artifact"
"""Titles, events, languages: nobody asks for them here; found as something else they are errors."""

Counts = Counter[tuple[str, str]]
"""By what is counted, and the kind of name: "found", "marked", "right" (span and kind), "span" (that alone), "nothing".

The last are found where no name of any kind is marked: nouns, most often.
"""


def judge(found: Sequence[Tagged], marked: Sequence[Tagged]) -> Counts:
    """Judge the names found in a sentence by those that are marked in it."""
    found = [name for name in found if name.kind != _OTHER]
    asked = [name for name in marked if name.kind != _OTHER]
    spans = {(name.start, name.end) for name in asked}
    counts: Counts = Counter(("marked", name.kind) for name in asked)
    for name in found:
        counts["found", name.kind] += 1
        counts["right", name.kind] += name in asked
        counts["span", name.kind] += (name.start, name.end) in spans
        counts["nothing", name.kind] += not any(name.start < each.end and each.start < name.end for each in marked)
    return counts


def compute_shares(counts: Counts) -> dict[str, float | dict[str, float]]:
    """Return the shares: together, where the kind does not matter, and by kind."""
    totals: Counter[str] = Counter()
    for (what, _), count in counts.items():
        totals[what] += count
    return {
        "precision": _share(totals["span"], totals["found"]),
        "recall": _share(totals["span"], totals["marked"]),
        "precision_with_kind": _share(totals["right"], totals["found"]),
        "recall_with_kind": _share(totals["right"], totals["marked"]),
        "no_name": _share(totals["nothing"], totals["found"]),
        **{
            kind: {
                "precision": _share(counts["right", kind], counts["found", kind]),
                "recall": _share(counts["right", kind], counts["marked", kind]),
            }
            for kind in sorted({kind for what, kind in counts if what == "marked"})
        },
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
