"""``python -m benchmarks.recall.abstention --data FILE``: how well certainty tells known from unknown.

Known: questions in their own chat.  Unknown: the same questions in another chat, with the names of its people.
Prints the AUROC (0.5 guessing, 1 perfect), what each floor keeps and refuses, what the assistant without a language
model says to both kinds with and without the floor, and the weights that fit best (logistic regression on the best
result).  All figures of the data that the product's weights were fitted on are in sample, but for those of the fit that
are called left out: there each chat is judged by weights fitted to the others.
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
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.recall.ingest import NOBODY, Ingested, ingest, open_memory, query
from benchmarks.recall.reading import PRODUCT
from bot.memory.answering.answer import answer_from
from bot.memory.helpfulness import FLOOR, KNOWN, Weights, is_known
from bot.memory.items import Recalled
from bot.memory.ranking.ranking import View, compute_signals, rank
from harness.recall.dataset import Conversation, Labelled, load
from harness.recall.metrics import ADVERSARIAL, auroc
from language.registry import choose_texts

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
class Answering:
    """A way to answer without a model: the floor, and whether what was found is listed instead of quoted in part."""

    floor: float
    direct: bool = False


_ANSWERING: Final[Mapping[str, Answering]] = {
    "no floor": Answering(0.0),
    "floor": Answering(FLOOR),
    "direct, no floor": Answering(0.0, direct=True),
    "direct": Answering(FLOOR, direct=True),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What the assistant without a model said: whether it answered, whether it showed anything, an evidence turn."""

    answered: bool
    showed: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A question's best result: its chat, whether the answer is there, the certainty, and the signals.

    ``said`` is what the assistant said, by the name of the floor.
    """

    chat: int
    known: bool
    sure: float
    signals: Mapping[str, float]
    said: Mapping[str, Said]


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
        "floors": {str(floor): share_kept(sure, known, floor) for floor in _FLOORS},
        "assistant": {title: _assistant([(one.known, one.said[title]) for one in shown]) for title in _ANSWERING},
        "fits": {title: _fitted(shown, names) for title, names in SETS.items()},
    }
    print(json.dumps(report, indent=1))
    return 0


def share_kept(sure: Floats, known: npt.NDArray[np.bool_], floor: float) -> dict[str, float]:
    """Return the share of the known questions that a floor keeps and of the unknown ones that it refuses."""
    return {
        "known_kept": round(float((sure[known] >= floor).mean()), 3),
        "unknown_refused": round(float((sure[~known] < floor).mean()), 3),
    }


async def _shown(conversations: Sequence[Conversation], folder: Path) -> list[Shown]:
    found: list[Shown] = []
    async with open_memory(folder) as memory:
        chats = [await ingest(memory, conversation, number) for number, conversation in enumerate(conversations)]
        people = [list(dict.fromkeys(said.speaker for said in conversation.said)) for conversation in conversations]
        for own, conversation in enumerate(conversations):
            for chat in (own, (own + 1) % len(conversations)):
                for question in conversation.questions:
                    if question.category in ADVERSARIAL or not question.evidence:
                        continue
                    asked = rename(question, people[own], people[chat])
                    transcript, prepared = await memory.recall.prepare(
                        chats[chat].scope, query(chats[chat], conversations[chat], asked)
                    )
                    best = rank(transcript, prepared, Weights(), 5)
                    values = compute_signals(View(transcript, np.arange(len(transcript))), prepared)
                    recalled = await memory.recall.recall(
                        chats[chat].scope, query(chats[chat], conversations[chat], asked, PRODUCT.results)
                    )
                    said = {
                        title: _said(asked, recalled, chats[chat], conversations[chat].said[-1].at, how)
                        for title, how in _ANSWERING.items()
                    }
                    here = {name: float(values[name][best[0].row]) for name in SETS["full"]}
                    found.append(Shown(own, own == chat, max(one.signals[KNOWN] for one in best), here, said))
    return found


def _said(question: Labelled, found: tuple[Recalled, ...], chat: Ingested, now: datetime, how: Answering) -> Said:
    answer = answer_from(
        question.text,
        found,
        asker_id=NOBODY,
        asker_name="",
        now=now,
        phrases=choose_texts("en", "en", "").answers,
        known=is_known(found, how.floor),
        direct=how.direct,
    )
    quoted = {chat.turns.get(memory.key) for memory in answer.used}
    return Said(answer.kind == "answer", bool(answer.used), not quoted.isdisjoint(question.evidence))


def _assistant(said: Sequence[tuple[bool, Said]]) -> dict[str, float]:
    """Return shares of the questions that can be answered and of the others; "shown" counts hints as well."""
    known = [one for is_known, one in said if is_known]
    unknown = [one for is_known, one in said if not is_known]
    return {
        "known_answered": round(float(np.mean([one.answered for one in known])), 3),
        "known_answered_from_evidence": round(float(np.mean([one.answered and one.right for one in known])), 3),
        "known_shown_evidence": round(float(np.mean([one.right for one in known])), 3),
        "unknown_refused": round(float(np.mean([not one.answered for one in unknown])), 3),
        "unknown_shown_nothing": round(float(np.mean([not one.showed for one in unknown])), 3),
    }


def rename(question: Labelled, old: Sequence[str], new: Sequence[str]) -> Labelled:
    """Return the question with the names of ``new`` people in place of the ``old``."""
    names = dict(zip(old, new, strict=False))
    pattern = r"\b(" + "|".join(map(re.escape, names)) + r")\b"
    return replace(question, text=re.sub(pattern, lambda match: names[match.group()], question.text))


def _fitted(shown: Sequence[Shown], names: tuple[str, ...]) -> dict[str, object]:
    values = np.array([[*(one.signals[name] for name in names), 1.0] for one in shown])
    known = np.array([one.known for one in shown])
    chats = np.array([one.chat for one in shown])
    score = np.zeros(len(shown))
    for chat in np.unique(chats):
        score[chats == chat] = values[chats == chat] @ fit_logistic(values[chats != chat], known[chats != chat])
    weights = fit_logistic(values, known)
    return {
        "auroc_left_out": round(auroc(score, known), 4),
        "floor_left_out": share_kept(1 / (1 + np.exp(-score)), known, FLOOR),
        "weights": {name: round(float(weight), 2) for name, weight in zip((*names, ""), weights, strict=True)},
    }


def fit_logistic(values: Floats, known: npt.NDArray[np.bool_]) -> Floats:
    """Return weights of the columns of ``values``, shape (questions, columns), that tell ``known`` ones best."""
    weights = np.zeros(values.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-values @ weights))
        weights -= 2.0 * (values.T @ (chance - known) / len(known) + _L2 * weights)
    return weights


if __name__ == "__main__":
    sys.exit(main())
