"""Recall, MRR and nDCG of rankings against labelled evidence.

Recall at k = evidence within the first k / evidence; within a budget: within the turns that fit into so many prompt
tokens, each charged as the prompt renders it.  nDCG with binary gains (Järvelin and Kekäläinen 2002).  Means over
questions that have evidence.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

CUTS: Final = (1, 5, 10, 20, 25, 50)
BUDGETS: Final = (500, 1000, 2000)
_NDCG_CUT: Final = 10
ADVERSARIAL: Final = frozenset({"5", "adversarial"})


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's ranking: ``cost`` is the prompt tokens of each ranked turn."""

    category: str
    evidence: frozenset[str]
    ranked: tuple[str, ...]
    cost: tuple[int, ...]


def measure(judged: Sequence[Judged]) -> dict[str, Any]:  # Any: figures, or objects of them
    """Return ``overall`` (categories 1 to 4), ``all`` and per category, each a mapping of metric to per cent."""
    asked = [one for one in judged if one.evidence]
    categories = sorted({one.category for one in asked})
    return {
        "overall": _mean([one for one in asked if one.category not in ADVERSARIAL]),
        "all": _mean(asked),
        "categories": {category: _mean([one for one in asked if one.category == category]) for category in categories},
    }


def _mean(judged: Sequence[Judged]) -> dict[str, float]:
    rows = [_metrics(one) for one in judged]
    names = rows[0] if rows else {}
    means = {name: round(100 * sum(row[name] for row in rows) / len(rows), 2) for name in names}
    return {"questions": len(rows), **means}


def _metrics(one: Judged) -> Mapping[str, float]:
    hits = [place for place, turn in enumerate(one.ranked) if turn in one.evidence]
    count = len(one.evidence)
    found = {f"recall@{cut}": sum(hit < cut for hit in hits) / count for cut in CUTS}
    found["mrr"] = 1 / (hits[0] + 1) if hits else 0.0
    ideal = sum(1 / math.log2(place + 2) for place in range(min(count, _NDCG_CUT)))
    found[f"ndcg@{_NDCG_CUT}"] = sum(1 / math.log2(hit + 2) for hit in hits if hit < _NDCG_CUT) / ideal
    spent, within = 0, []
    for place in range(len(one.ranked)):
        spent += one.cost[place]
        within.append(spent)
    for budget in BUDGETS:
        found[f"recall@{budget}tokens"] = sum(within[hit] <= budget for hit in hits) / count
    return found


def auroc(score: npt.NDArray[np.float64], known: npt.NDArray[np.bool_]) -> float:
    """Return the chance that a known question scores above an unknown one (Mann-Whitney)."""
    ranks = np.empty(len(score))
    ranks[np.argsort(score, kind="stable")] = np.arange(1, len(score) + 1)
    positive, negative = int(known.sum()), int((~known).sum())
    return float((ranks[known].sum() - positive * (positive + 1) / 2) / (positive * negative))
