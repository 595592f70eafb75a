"""How well certainty tells known from unknown, and how likely a memory helps: fitted and judged.

Candidates are what the store ranks for questions in their own chat (evidence helps, the rest does not), for the same
questions in another chat of the file with the names of its people, and for questions of general knowledge (nothing
helps).  Every kind of talk counts alike.  Every figure called left out is of conversations under a fit to
the other conversations of both files.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.recall.asking import Ingested, Memory, ingest, name_turns, open_memory, read_question, turn_cost
from bot.memory.helpfulness import (
    COMPETING,
    DECIDING,
    FLOOR,
    HELP_FULL,
    HELP_LEXICAL,
    HELP_VECTORS,
    KNOWN,
    HelpModel,
    Weights,
    compute_features,
)
from bot.memory.ranking.ranking import RankingQuestion, View, compute_signals, rank
from harness.options import Report
from harness.prompt.measuring import UNRELATED
from harness.recall.dataset import Conversation, Labelled, load
from harness.recall.metrics import ADVERSARIAL, auroc

SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "full": ("met", "late_share", "dense", "sentence"),
    "vectors": ("met", "dense"),
    "lexical": ("met",),
}
"""Signals that a certainty is made of, by what there is."""
MODES: Final = {"full": HELP_FULL, "vectors": HELP_VECTORS, "lexical": HELP_LEXICAL}
FLOORS: Final = (0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.03, 0.05)
_EDGES: Final = (0.0, 0.005, 0.0125, 0.03, 0.06, 0.1, 0.2, 0.3, 0.5, 1.01)
_LINE_TOKENS: Final = 56
"""Of a line at most in the curve: the prompt quotes what is longer."""
_CEILING: Final = 1500
_STEPS: Final = 60
_L2: Final = 1e-3
_ABSTAINING: Final = frozenset({"abstention"})

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What was ranked for one question: features by mode, which are evidence, and what each costs in tokens.

    ``chat`` is unique over both files, ``talk`` the file; ``known`` says that the question was asked in its own chat
    and has an answer there, ``pieces`` how much evidence it has; ``sure`` and ``signals`` are those of the best.
    """

    chat: int
    talk: int
    kind: str
    known: bool
    pieces: int
    features: dict[str, Floats]
    evidence: dict[str, npt.NDArray[np.bool_]]
    cost: Floats
    sure: float
    signals: dict[str, float]


async def calibrate(folder: Path, *, data: Path, other: tuple[Path, ...]) -> Report:
    """How well known is told from unknown, and how likely memories help; ``other`` are other kinds of talk."""
    asked: list[Candidates] = []
    for talk, path in enumerate((data, *other)):
        conversations, _ = load(path)
        await _read(conversations, talk, folder / str(talk) / "data", asked)
    return {
        "questions": len(asked),
        "certainty": _judge_certainty(asked),
        "modes": {mode: _judge_mode(asked, mode) for mode in MODES},
    }


async def _read(conversations: Sequence[Conversation], talk: int, folder: Path, asked: list[Candidates]) -> None:
    async with open_memory(folder) as memory:
        chats = [await ingest(memory, conversation, number) for number, conversation in enumerate(conversations)]
        people = [list(dict.fromkeys(said.speaker for said in conversation.said)) for conversation in conversations]
        for own, conversation in enumerate(conversations):
            other = own + 1 if own % 2 == 0 and own + 1 < len(conversations) else max(own - 1, 0)
            for question in conversation.questions:
                asked.append(await _ask(memory, chats[own], question, "own", (talk, own)))
                if question.category not in ADVERSARIAL and other != own:
                    there = replace(_rename(question, people[own], people[other]), asker=_asker(conversations[other]))
                    asked.append(await _ask(memory, chats[other], there, "wrong", (talk, own)))
            for text in UNRELATED:
                general = Labelled(-1, text, (), "", _asker(conversation))
                asked.append(await _ask(memory, chats[own], general, "general", (talk, own)))


def _asker(conversation: Conversation) -> str:
    return next((question.asker for question in conversation.questions if question.asker), "")


async def _ask(memory: Memory, done: Ingested, question: Labelled, kind: str, place: tuple[int, int]) -> Candidates:
    transcript, prepared = await memory.recall.prepare(done.scope, await read_question(memory, done, question))
    names = await name_turns(memory, done, transcript)
    wanted = frozenset(question.evidence) if kind == "own" else frozenset[str]()
    features, evidence, cost, sure = {}, {}, np.zeros(0), 0.0
    for mode in MODES:
        best = rank(transcript, _strip(prepared, mode), Weights(), COMPETING)
        features[mode] = compute_features(
            np.array([one.signals[KNOWN] for one in best]), np.array([one.score for one in best])
        ).astype(np.float64)
        evidence[mode] = np.array([names[one.row] in wanted for one in best], dtype=bool)
        if mode == "full":
            sure = max(one.signals[KNOWN] for one in best[:DECIDING])
            costs = (turn_cost(done.texts[names[one.row]], done.now) for one in best)
            cost = np.array([min(each, _LINE_TOKENS) for each in costs], dtype=np.float64)
            values = compute_signals(View(transcript, np.arange(len(transcript))), prepared)
            signals = {name: float(values[name][best[0].row]) for name in SETS["full"]}
    known = kind == "own" and bool(wanted) and question.category not in {*ADVERSARIAL, *_ABSTAINING}
    return Candidates(
        chat=100 * place[0] + place[1],
        talk=place[0],
        kind=kind,
        known=known,
        pieces=len(wanted),
        features=features,
        evidence=evidence,
        cost=cost,
        sure=sure,
        signals=signals,
    )


def _strip(question: RankingQuestion, mode: str) -> RankingQuestion:
    """Return the question as it is without word states, or without any embedding."""
    if mode == "full":
        return question
    return replace(question, words=(), states=None, vector=question.vector if mode == "vectors" else None)


def _talks(asked: Iterable[Candidates]) -> list[int]:
    return sorted({one.talk for one in asked})


def _fit(asked: Sequence[Candidates], mode: str) -> Floats:
    """Return weights of the features of memories and the constant; both kinds of talk count alike."""
    values = np.concatenate([one.features[mode] for one in asked])
    talk = np.concatenate([np.full(len(one.features[mode]), one.talk) for one in asked])
    labels = np.concatenate([one.evidence[mode] for one in asked])
    return _fit_logistic(np.hstack([values, np.ones((len(values), 1))]), labels, talk)


def _predict(one: Candidates, mode: str, weights: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-(one.features[mode] @ weights[:-1] + weights[-1])))
    return chance


def _judge_mode(asked: Sequence[Candidates], mode: str) -> Report:
    left_out: dict[int, Floats] = {}
    for chat in sorted({one.chat for one in asked}):
        weights = _fit([one for one in asked if one.chat != chat], mode)
        left_out |= {id(one): _predict(one, mode, weights) for one in asked if one.chat == chat}
    product = MODES[mode]
    return {
        "weights": dict(zip(HelpModel.__slots__, _fit(asked, mode).round(3).tolist(), strict=True)),
        "product": {name: getattr(product, name) for name in HelpModel.__slots__},
        "left_out": [_judge(talk, asked, mode, left_out) for talk in _talks(asked)],
    }


def _judge(talk: int, asked: Iterable[Candidates], mode: str, chances: dict[int, Floats]) -> Report:
    here = [one for one in asked if one.talk == talk]
    chance = np.concatenate([chances[id(one)] for one in here])
    labels = np.concatenate([one.evidence[mode] for one in here])
    bins = [(chance >= low) & (chance < high) for low, high in itertools.pairwise(_EDGES)]
    return {
        "auroc": round(auroc(chance, labels), 4),
        "reliability": [
            {"said": round(float(chance[each].mean()), 4), "true": round(float(labels[each].mean()), 4)}
            | {"count": int(each.sum())}
            for each in bins
            if each.any()
        ],
        "floors": {str(floor): _cut(here, mode, chances, floor) for floor in FLOORS},
    }


def _cut(asked: Sequence[Candidates], mode: str, chances: dict[int, Floats], floor: float) -> Report:
    """Return what a floor shows: the share of evidence and tokens where there is some, tokens where there is none."""
    shown = {"known": [], "wrong": [], "general": []}  # type: dict[str, list[float]]
    found: list[float] = []
    for one in asked:
        chance = chances[id(one)]
        order = np.argsort(-chance)
        order = order[chance[order] >= floor]
        order = order[np.cumsum(one.cost[order]) <= _CEILING]
        if one.known:
            found.append(float(one.evidence[mode][order].sum()) / one.pieces)
        if one.known or one.kind != "own":
            shown["known" if one.known else one.kind].append(float(one.cost[order].sum()))
    return {
        "evidence": round(float(np.mean(found)), 3),
        "tokens": {kind: round(float(np.mean(costs))) for kind, costs in shown.items() if costs},
        "empty": {kind: round(float(np.mean(np.array(costs) == 0)), 2) for kind, costs in shown.items() if costs},
    }


def _judge_certainty(asked: Sequence[Candidates]) -> Report:
    """Return how well the certainty of the best tells questions with an answer from those in another chat."""
    told = [one for one in asked if one.known or one.kind == "wrong"]
    known, sure = np.array([one.known for one in told]), np.array([one.sure for one in told])
    talk, chats = np.array([one.talk for one in told]), np.array([one.chat for one in told])
    report: Report = {
        "auroc": [round(auroc(sure[talk == kind], known[talk == kind]), 4) for kind in _talks(asked)],
        "floors": {
            str(floor): [_share_kept(sure[talk == kind], known[talk == kind], floor) for kind in _talks(asked)]
            for floor in (0.2, 0.3, 0.35, FLOOR, 0.45, 0.5, 0.6)
        },
    }
    for title, names in SETS.items():
        values = np.array([[*(one.signals[name] for name in names), 1.0] for one in told])
        score = np.zeros(len(told))
        for chat in np.unique(chats):
            mine = chats == chat
            score[mine] = values[mine] @ _fit_logistic(values[~mine], known[~mine], talk[~mine])
        chance = 1 / (1 + np.exp(-score))
        report[title] = {
            "weights": dict(zip((*names, ""), _fit_logistic(values, known, talk).round(2).tolist(), strict=True)),
            "auroc_left_out": [round(auroc(score[talk == kind], known[talk == kind]), 4) for kind in _talks(asked)],
            "floor_left_out": [_share_kept(chance[talk == kind], known[talk == kind], FLOOR) for kind in _talks(asked)],
        }
    return report


def _share_kept(sure: Floats, known: npt.NDArray[np.bool_], floor: float) -> dict[str, float]:
    """Return the share of the known questions that a floor keeps and of the unknown ones that it refuses."""
    return {
        "known_kept": round(float((sure[known] >= floor).mean()), 3),
        "unknown_refused": round(float((sure[~known] < floor).mean()), 3),
    }


def _rename(question: Labelled, old: Sequence[str], new: Sequence[str]) -> Labelled:
    names = dict(zip(old, new, strict=False))
    pattern = r"\b(" + "|".join(map(re.escape, names)) + r")\b"
    return replace(question, text=re.sub(pattern, lambda match: names[match.group()], question.text))


def _fit_logistic(values: Floats, labels: npt.NDArray[np.bool_], talk: npt.NDArray[np.int64]) -> Floats:
    """Return a weight per column of ``values`` that tells ``labels`` best, by Newton's method with an L2 penalty."""
    share = 1 / np.bincount(talk)[talk]
    share /= share.sum()
    weights = np.zeros(values.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-values @ weights))
        gradient = values.T @ (share * (chance - labels)) + _L2 * weights
        curve = (values * (share * chance * (1 - chance))[:, None]).T @ values + _L2 * np.eye(len(weights))
        weights = weights - np.linalg.solve(curve, gradient)
    return weights
