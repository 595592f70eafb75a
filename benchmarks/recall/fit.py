"""``python -m benchmarks.recall.fit --data FILE --other FILE``: fits the weights of the signals, and judges them.

Listwise softmax (Cao et al. 2007): the probability of the evidence under a softmax over all passages of the
conversation is maximised, with an L2 penalty; evidence that stays out of reach is forgiven in the second half.
A fit is judged where it has not been: on each conversation of ``--data`` under weights fitted to the others, and on
``--other``, a second kind of talk of which it has seen nothing.  The weights of the product are judged beside it, and
replaced only by what is better on both.  ``in_sample`` says how far a fit flatters itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.recall.answered import turn_cost
from benchmarks.recall.ingest import ingest, open_memory, query
from bot.memory.ranking.ranking import choose_best_passages, compute_answer_gain
from bot.memory.ranking.signals import View, compute_signals
from bot.memory.ranking.weights import FULL, LEXICAL, VECTORS
from harness.recall.dataset import Conversation, Labelled, load
from harness.recall.metrics import ADVERSARIAL, Judged, measure

Floats = npt.NDArray[np.float32]

L2: Final = 1e-3
STEPS: Final = 300
RATE: Final = 0.05
FORGIVEN: Final = 0.005
"""Added to every probability: what is ranked in the hundreds is not worth displacing what is ranked tenth."""
ADVERSARIAL_SHARE: Final = 0.03
"""Adversarial questions ask one person for what the other said: they would teach that the speaker does not matter."""
FIXED: Final[Mapping[str, float]] = {"assistant": -1.2, "pieces": -0.5, "met": 0.0, "late_share": 0.0}
"""Not fitted, because conversations between two people hold no assistant: the logarithm of how often the evidence lies
with the user (77 to 23 in user/assistant chats), and a handicap for messages with many
passages.  The shares serve :mod:`bot.memory.ranking.ranking` alone."""


_WORD_STATES: Final = dict.fromkeys(("late", "late_before", "late_around", "least", "sentence"))
_VECTORS: Final = dict.fromkeys(("dense", "dense_after", "asked_before"))
SETS: Final[Mapping[str, dict[str, None]]] = {
    "full": dict.fromkeys(("personal", "answers")),
    "vectors": _WORD_STATES,
    "words_only": _WORD_STATES | _VECTORS,
}
"""Which signals each set of weights does without; the two that look at form alone were noise beside word states
(without them +0.5 recall@5 on conversations not seen)."""
_PRODUCT: Final[Mapping[str, Mapping[str, float]]] = {"full": FULL, "vectors": VECTORS, "words_only": LEXICAL}


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with its signals: ``values`` of shape (signals, passages), ``gold`` the share of each passage."""

    question: Labelled
    values: Floats
    gold: Floats


@dataclass(frozen=True, slots=True)
class Featured:
    """A conversation as signals.  ``turns`` names the turn of each passage, ``cost`` its prompt tokens."""

    name: str
    names: tuple[str, ...]
    asked: tuple[LabelledQuestion, ...]
    turns: tuple[str, ...]
    cost: tuple[int, ...]
    view: View


async def featured(conversations: Sequence[Conversation], folder: Path) -> list[Featured]:
    """Ingest conversations through the product and return the signals of every question."""
    found = []
    async with open_memory(folder) as memory:
        for number, conversation in enumerate(conversations):
            done = await ingest(memory, conversation, number)
            by_place = {key.removeprefix("turn:"): turn for key, turn in done.turns.items()}
            found.append(await _conversation(memory, conversation, done, by_place))
    return found


async def _conversation(memory: Any, conversation: Conversation, done: Any, by_place: Mapping[str, str]) -> Featured:
    low = await memory.database.read(
        lambda connection: dict(connection.execute("SELECT id, uid FROM exchanges").fetchall())
    )
    asked: list[LabelledQuestion] = []
    names: tuple[str, ...] = ()
    view: View | None = None
    turns: tuple[str, ...] = ()
    for question in conversation.questions:
        transcript, prepared = await memory.recall.prepare(done.scope, query(done, conversation, question))
        if view is None:
            view = View(transcript, np.arange(len(transcript)))
            places = zip(view.column("exchange"), view.column("assistant"), strict=True)
            turns = tuple(by_place[f"{low[int(e)]}:{'assistant' if a else 'user'}"] for e, a in places)
        found = compute_signals(view, prepared)
        names = tuple(found)
        gold = np.array([turn in question.evidence for turn in turns], dtype=np.float32)
        if gold.any():
            asked.append(LabelledQuestion(question, np.stack(list(found.values())), gold / gold.sum()))
    assert view is not None  # noqa: S101 - a conversation without questions teaches nothing
    cost = tuple(turn_cost(done.texts[turn], conversation) for turn in turns)
    return Featured(conversation.name, names, tuple(asked), turns, cost, view)


def fit(parts: Sequence[Featured], used: Sequence[str], l2: float = L2) -> dict[str, float]:
    """Return one weight per signal name in ``used``."""
    weights = np.zeros(len(used), dtype=np.float64)
    momentum, scale = np.zeros_like(weights), np.zeros_like(weights)
    packs = [_packed(part, [part.names.index(name) for name in used]) for part in parts]
    total = sum(float(share.sum()) for _, _, _, share in packs)
    for step in range(1, STEPS + 1):
        gradient = l2 * weights
        for pack in packs:
            gradient = gradient + _gradient(pack, weights, FORGIVEN if 2 * step > STEPS else 0.0) / total
        momentum = 0.9 * momentum + 0.1 * gradient
        scale = 0.99 * scale + 0.01 * gradient**2
        weights -= RATE * (momentum / (1 - 0.9**step)) / (np.sqrt(scale / (1 - 0.99**step)) + 1e-8)
    return {name: round(float(weight), 4) for name, weight in zip(used, weights, strict=True)}


_Pack = tuple[Floats, npt.NDArray[np.int64], Floats, Floats]


def _packed(part: Featured, picked: list[int]) -> _Pack:
    """Return signals (questions, signals, passages); then per piece of evidence: question, passage mask, share.

    The mask is 1 at the piece, -inf at the question's other evidence: pieces of evidence do not compete.
    """
    owners, masks, shares = [], [], []
    for number, asked in enumerate(part.asked):
        gold = asked.gold > 0
        pieces = len(set(asked.question.evidence))
        weight = ADVERSARIAL_SHARE if asked.question.category in ADVERSARIAL else 1.0
        for turn in dict.fromkeys(asked.question.evidence):
            mine = np.array([named == turn for named in part.turns])
            masks.append(np.where(mine, 1.0, np.where(gold, -np.inf, 0.0)).astype(np.float32))
            owners.append(number)
            shares.append(weight / pieces**0.5)
    values = np.stack([asked.values[picked] for asked in part.asked])
    return values, np.array(owners), np.stack(masks), np.array(shares, dtype=np.float32)


def _gradient(pack: _Pack, weights: npt.NDArray[np.float64], forgiven: float) -> npt.NDArray[np.float64]:
    values, owners, masks, shares = pack
    score = np.einsum("k,qkn->qn", weights.astype(np.float32), values)[owners] + np.minimum(masks, 0)
    share = np.exp(score - score.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    mine = (masks > 0) * share
    chance = np.maximum(mine.sum(axis=1, keepdims=True), 1e-12)
    wanted = np.where(masks > 0, mine / chance, 0.0)
    change = np.zeros((len(values), values.shape[2]), dtype=np.float32)
    np.add.at(change, owners, (share - wanted) * shares[:, None] * (chance / (chance + forgiven)))
    gradient: npt.NDArray[np.float64] = np.einsum("qn,qkn->k", change, values).astype(np.float64)
    return gradient


def judge(part: Featured, weights: Mapping[str, float]) -> list[Judged]:
    """Return the rankings of a conversation's questions under ``weights``."""
    row = np.array([weights.get(name, 0.0) for name in part.names], dtype=np.float32)
    judged = []
    for asked in part.asked:
        score = row @ asked.values
        places = choose_best_passages(part.view, score + compute_answer_gain(part.view, score))[:60]
        ranked, cost = tuple(part.turns[place] for place in places), tuple(part.cost[place] for place in places)
        judged.append(Judged(asked.question.category, frozenset(asked.question.evidence), ranked, cost))
    return judged


def left_out(parts: Sequence[Featured], used: Sequence[str], l2: float = L2) -> dict[str, object]:
    """Return metrics of each conversation under weights fitted to the others."""
    judged: list[Judged] = []
    for place, part in enumerate(parts):
        others = [*parts[:place], *parts[place + 1 :]]
        judged += judge(part, fit(others or [part], used, l2))
    return measure(judged)


def main() -> int:
    """Fit, print the weights and how they do: in sample, left out, on the other kind of talk."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--other", type=Path, required=True, help="another kind of talk, to judge by and never to fit")
    parser.add_argument("--l2", type=float, default=L2)
    options = parser.parse_args()
    parts, others = (_featured_file(path) for path in (options.data, options.other))
    report: dict[str, dict[str, object]] = {}
    for title, product in _PRODUCT.items():
        used = [name for name in parts[0].names if name not in {**FIXED, **SETS[title]}]
        weights = {**fit(parts, used, options.l2), **FIXED}
        report[title] = {
            "weights": weights,
            "in_sample": _measured(parts, weights),
            "left_out": left_out(parts, used, options.l2),
            "other": _measured(others, weights),
            "product": dict(product),
            "product_in_sample": _measured(parts, product),
            "product_other": _measured(others, product),
        }
    print(json.dumps(report))
    return 0


def _featured_file(path: Path) -> list[Featured]:
    conversations, _ = load(path)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        return asyncio.run(featured(conversations, Path(folder) / "data"))


def _measured(parts: Sequence[Featured], weights: Mapping[str, float]) -> dict[str, object]:
    return measure([judged for part in parts for judged in judge(part, weights)])


if __name__ == "__main__":
    sys.exit(main())
