"""Fits the weights of the signals and judges them.

Listwise softmax (Cao et al. 2007): the probability of the evidence under a softmax over all passages of the
conversation is maximised, with an L2 penalty; evidence that stays out of reach is forgiven in the second half.
Several kinds of talk are fitted together and weigh alike, however many questions each has.  A fit is judged where it
has not been: on each conversation under weights fitted to all the others, and on each kind under weights fitted to the
other kinds.  The weights of the product are judged beside it, and replaced only by what is better left out on both;
``in_sample`` says how far a fit flatters itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.descent import Descent
from benchmarks.recall.asking import Ingested, Memory, ingest, name_turns, open_memory, read_question, turn_cost
from bot.memory.helpfulness import FULL, LEXICAL, VECTORS
from bot.memory.ranking.ranking import (
    View,
    choose_best_passages,
    compute_answer_gain,
    compute_signals,
    spread_over_sessions,
)
from harness.recall.dataset import Conversation, Labelled, load
from harness.recall.metrics import ADVERSARIAL, Judged, measure

Floats = npt.NDArray[np.float32]

L2: Final = 1e-4
STEPS: Final = 300
RATE: Final = 0.05
FORGIVEN: Final = 0.005
"""Added to every probability: what is ranked in the hundreds is not worth displacing what is ranked tenth."""
ADVERSARIAL_SHARE: Final = 0.03
"""Adversarial questions ask one person for what the other said: they would teach that the speaker does not matter."""
UNUSED: Final = dict.fromkeys(("met", "late_share"))
"""Shares that serve the certainty in :mod:`bot.memory.ranking.ranking` alone."""


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
    """A question with its signals: ``values`` of shape (signals, passages), ``gold`` the share of each passage.

    ``overview`` says that its results are spread over the sessions.
    """

    question: Labelled
    values: Floats
    gold: Floats
    overview: bool = False


@dataclass(frozen=True, slots=True)
class Featured:
    """A conversation as signals.

    ``turns`` names the turn of each passage, ``cost`` its prompt tokens, ``kind`` the file it comes from.
    """

    name: str
    names: tuple[str, ...]
    asked: tuple[LabelledQuestion, ...]
    turns: tuple[str, ...]
    cost: tuple[int, ...]
    view: View
    kind: str = ""


async def _feature(conversations: Sequence[Conversation], folder: Path, kind: str) -> list[Featured]:
    """Ingest conversations through the product and return the signals of every question."""
    found = []
    async with open_memory(folder) as memory:
        for number, conversation in enumerate(conversations):
            done = await ingest(memory, conversation, number)
            found.append(replace(await _conversation(memory, conversation, done), kind=kind))
    return found


async def _conversation(memory: Memory, conversation: Conversation, done: Ingested) -> Featured:
    asked: list[LabelledQuestion] = []
    names: tuple[str, ...] = ()
    view: View | None = None
    turns: tuple[str, ...] = ()
    for question in conversation.questions:
        transcript, prepared = await memory.recall.prepare(done.scope, await read_question(memory, done, question))
        if view is None:
            view = View(transcript, np.arange(len(transcript)))
            turns = await name_turns(memory, done, transcript)
        found = compute_signals(view, prepared)
        names = tuple(found)
        gold = np.array([turn in question.evidence for turn in turns], dtype=np.float32)
        if gold.any():
            values = np.stack(list(found.values()))
            asked.append(LabelledQuestion(question, values, gold / gold.sum(), prepared.overview is not None))
    assert view is not None  # noqa: S101 - a conversation without questions teaches nothing
    cost = tuple(turn_cost(done.texts[turn], done.now) for turn in turns)
    return Featured(conversation.name, names, tuple(asked), turns, cost, view)


def fit(parts: Sequence[Featured], used: Sequence[str], l2: float = L2) -> dict[str, float]:
    """Return one weight per signal name in ``used``; every kind of talk among ``parts`` counts the same."""
    learnt = Descent(np.zeros(len(used), dtype=np.float64), 0.99)
    packs = [_packed(part, [part.names.index(name) for name in used]) for part in parts]
    totals: dict[str, float] = {}
    for part, (_, _, _, share) in zip(parts, packs, strict=True):
        totals[part.kind] = totals.get(part.kind, 0.0) + float(share.sum()) * len({each.kind for each in parts})
    for step in range(1, STEPS + 1):
        gradient = l2 * learnt.values
        for part, pack in zip(parts, packs, strict=True):
            forgiven = FORGIVEN if 2 * step > STEPS else 0.0
            gradient = gradient + _gradient(pack, learnt.values, forgiven) / totals[part.kind]
        learnt.step(gradient, RATE)
    return {name: round(float(weight), 4) for name, weight in zip(used, learnt.values, strict=True)}


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
    score = (weights.astype(np.float32) @ values)[owners] + np.minimum(masks, 0)
    share = np.exp(score - score.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    mine = (masks > 0) * share
    chance = np.maximum(mine.sum(axis=1, keepdims=True), 1e-12)
    wanted = np.where(masks > 0, mine / chance, 0.0)
    change = np.zeros((len(values), values.shape[2]), dtype=np.float32)
    np.add.at(change, owners, (share - wanted) * shares[:, None] * (chance / (chance + forgiven)))
    gradient: npt.NDArray[np.float64] = (values @ change[:, :, None])[:, :, 0].sum(axis=0).astype(np.float64)
    return gradient


def judge(part: Featured, weights: Mapping[str, float]) -> list[Judged]:
    """Return the rankings of a conversation's questions under ``weights``."""
    row = np.array([weights.get(name, 0.0) for name in part.names], dtype=np.float32)
    judged = []
    for asked in part.asked:
        score = row @ asked.values
        score += compute_answer_gain(part.view, score)
        places = choose_best_passages(part.view, score)
        if asked.overview:
            places, _ = spread_over_sessions(part.view, score, places)
        places = places[:60]
        ranked, cost = tuple(part.turns[place] for place in places), tuple(part.cost[place] for place in places)
        judged.append(Judged(asked.question.category, frozenset(asked.question.evidence), ranked, cost))
    return judged


def left_out(parts: Sequence[Featured], used: Sequence[str], l2: float = L2) -> dict[str, dict[str, object]]:
    """Return by kind of talk the metrics of each conversation under weights fitted to all the others."""
    judged: dict[str, list[Judged]] = {}
    for place, part in enumerate(parts):
        others = [*parts[:place], *parts[place + 1 :]]
        judged.setdefault(part.kind, []).extend(judge(part, fit(others or [part], used, l2)))
    return {kind: measure(found) for kind, found in judged.items()}


def _kind_left_out(parts: Sequence[Featured], used: Sequence[str], l2: float = L2) -> dict[str, dict[str, object]]:
    """Return the metrics of each kind of talk under weights fitted to the other kinds."""
    kinds = list(dict.fromkeys(part.kind for part in parts))
    fits = {kind: fit([part for part in parts if part.kind != kind], used, l2) for kind in kinds if len(kinds) > 1}
    return {kind: _measured([part for part in parts if part.kind == kind], weights) for kind, weights in fits.items()}


async def fit_files(folder: Path, *, data: Path, other: tuple[Path, ...], l2: float = L2) -> dict[str, object]:
    """Fit the weights of the signals and judge them: in sample, each conversation left out, each kind of talk left out.

    ``other`` are other kinds of talk, which count alike.
    """
    parts: list[Featured] = []
    for path in (data, *other):
        parts += await _feature(load(path)[0], folder / path.stem / "data", path.stem)
    report: dict[str, object] = {}
    for title, absent in SETS.items():
        used = [name for name in parts[0].names if name not in {**UNUSED, **absent}]
        weights, product = fit(parts, used, l2), _PRODUCT[title]
        report[title] = {
            "weights": weights,
            "in_sample": _by_kind(parts, weights),
            "left_out": left_out(parts, used, l2),
            "kind_left_out": _kind_left_out(parts, used, l2),
            "product": dict(product),
            "product_in_sample": _by_kind(parts, product),
        }
    return report


def _measured(parts: Sequence[Featured], weights: Mapping[str, float]) -> dict[str, object]:
    return measure([judged for part in parts for judged in judge(part, weights)])


def _by_kind(parts: Sequence[Featured], weights: Mapping[str, float]) -> dict[str, object]:
    kinds = dict.fromkeys(part.kind for part in parts)
    return {kind: _measured([part for part in parts if part.kind == kind], weights) for kind in kinds}
