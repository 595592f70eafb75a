"""``python -m benchmarks.recall.abstention --data FILE``: how well certainty tells known from unknown.

Known: questions in their own chat.  Unknown: the same questions in another chat, with the names of its people.
Prints the AUROC (0.5 guessing, 1 perfect), what each floor keeps and refuses, and the weights that fit best
(logistic regression on the best result; leave one chat out for the AUROC of the fit).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.recall.dataset import Conversation, Labelled, load
from benchmarks.recall.ingest import ingest, opened, query
from benchmarks.recall.metrics import ADVERSARIAL
from bot.memory.ranking.certainty import KNOWN
from bot.memory.ranking.ranking import rank
from bot.memory.ranking.signals import View, signals
from bot.memory.ranking.weights import Weights

SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "full": ("met", "late_share", "dense", "sentence"),
    "vectors": ("met", "dense"),
    "lexical": ("met",),
}
_FLOORS: Final = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)
_STEPS: Final = 6000
_L2: Final = 1e-4

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shown:
    """A question's best result: its chat, whether the answer is there, the certainty, and the signals."""

    chat: int
    known: bool
    sure: float
    signals: Mapping[str, float]


def main() -> int:
    """Measure, fit and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.abstention", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    conversations, _ = load(options.data)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        shown = asyncio.run(_shown(conversations, Path(folder) / "data"))
    known = np.array([one.known for one in shown])
    sure = np.array([one.sure for one in shown])
    report = {
        "questions": len(shown),
        "auroc": round(auroc(sure, known), 4),
        "floors": {
            str(floor): {
                "known_kept": round(float((sure[known] >= floor).mean()), 3),
                "unknown_refused": round(float((sure[~known] < floor).mean()), 3),
            }
            for floor in _FLOORS
        },
        "fits": {title: _fitted(shown, names) for title, names in SETS.items()},
    }
    print(json.dumps(report, indent=1))
    return 0


def auroc(score: Floats, known: npt.NDArray[np.bool_]) -> float:
    """Return the chance that a known question scores above an unknown one (Mann-Whitney)."""
    ranks = np.empty(len(score))
    ranks[np.argsort(score, kind="stable")] = np.arange(1, len(score) + 1)
    positive, negative = int(known.sum()), int((~known).sum())
    return float((ranks[known].sum() - positive * (positive + 1) / 2) / (positive * negative))


async def _shown(conversations: Sequence[Conversation], folder: Path) -> list[Shown]:
    found: list[Shown] = []
    async with opened(folder) as memory:
        chats = [await ingest(memory, conversation, number) for number, conversation in enumerate(conversations)]
        people = [list(dict.fromkeys(said.speaker for said in conversation.said)) for conversation in conversations]
        for own, conversation in enumerate(conversations):
            for chat in (own, (own + 1) % len(conversations)):
                for question in conversation.questions:
                    if question.category in ADVERSARIAL or not question.evidence:
                        continue
                    asked = _renamed(question, people[own], people[chat])
                    transcript, prepared = await memory.recall.prepared(
                        chats[chat].scope, query(chats[chat], conversations[chat], asked)
                    )
                    best = rank(transcript, prepared, Weights(), 5)
                    values = signals(View(transcript, np.arange(len(transcript))), prepared)
                    here = {name: float(values[name][best[0].row]) for name in SETS["full"]}
                    found.append(Shown(own, own == chat, max(one.signals[KNOWN] for one in best), here))
    return found


def _renamed(question: Labelled, old: Sequence[str], new: Sequence[str]) -> Labelled:
    names = dict(zip(old, new, strict=False))
    pattern = r"\b(" + "|".join(map(re.escape, names)) + r")\b"
    return replace(question, text=re.sub(pattern, lambda match: names[match.group()], question.text))


def _fitted(shown: Sequence[Shown], names: tuple[str, ...]) -> dict[str, object]:
    values = np.array([[*(one.signals[name] for name in names), 1.0] for one in shown])
    known = np.array([one.known for one in shown])
    chats = np.array([one.chat for one in shown])
    score = np.zeros(len(shown))
    for chat in np.unique(chats):
        score[chats == chat] = values[chats == chat] @ _logistic(values[chats != chat], known[chats != chat])
    weights = _logistic(values, known)
    return {
        "auroc_left_out": round(auroc(score, known), 4),
        "weights": {name: round(float(weight), 2) for name, weight in zip((*names, ""), weights, strict=True)},
    }


def _logistic(values: Floats, known: npt.NDArray[np.bool_]) -> Floats:
    weights = np.zeros(values.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-values @ weights))
        weights -= 2.0 * (values.T @ (chance - known) / len(known) + _L2 * weights)
    return weights


if __name__ == "__main__":
    sys.exit(main())
