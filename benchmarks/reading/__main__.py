"""``python -m benchmarks.reading``: measure, or train, the models that read two texts together.

``answers`` rates every message of the lives of another author (or of ``--data FILE``) with the product's own model, and
says how right the cosines of their vectors are; ``changes`` rates what was said after a message, of the lines that
nothing was trained on (or of all of ``--data FILE``).  ``train-answers`` and ``train-changes`` judge on what they leave
out, and make ``adapters/embedding/answers.npz`` or ``changes.npz`` anew (``make models`` then makes the models).
"""

import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from adapters.embedding.e5 import E5Embedder
from adapters.embedding.files import ANSWERS, CHANGES
from benchmarks.reading.lives import (
    OTHERS,
    STREAMS_HELD_OUT,
    Asked,
    read_changed_lives,
    read_changes,
    read_lives,
    read_streams,
    read_unrelated,
    split_off,
)
from bot.config.folders import PROJECT, find_model_folder
from harness.options import Report, run

_FLOORS: Final = (0.25, 0.5, 0.85)
_UNASKED: Final = 0.1
"""Share of the messages that are read for no question in training."""


def train_answers(*, epochs: float = 2.0, seed: int = 0) -> Report:
    """Train what tells an answer, judge on the lives that are left out, and make the weights."""
    training, held = split_off(read_lives())
    return {"read": judge(held, _train(ANSWERS, training, held, epochs, seed))}


def train_changes(*, epochs: float = 2.0, seed: int = 0, further: bool = False) -> Report:
    """Train what tells a change, judge on the lines that are left out, and make the weights.

    A tenth of the lines, and the messages of streams, are read for no question, as where none is known; ``further``
    begins with the weights that there are.
    """
    training, held = split_off(read_changes())
    lives, unrelated = split_off(read_changed_lives())[0][::3], list(read_unrelated(training, seed))[::2]
    chance, rows = random.Random(seed), [*training, *lives, *unrelated]
    rows = [replace(each, question="") if chance.random() < _UNASKED else each for each in rows]
    rows += split_off(read_streams(), STREAMS_HELD_OUT)[0]
    rates = _train(CHANGES, rows, held, epochs, seed, further=further)
    return {"read": judge_changes(held, rates)}


def _train(
    weights: Path, training: list[Asked], held: list[Asked], epochs: float, seed: int, *, further: bool = False
) -> list[list[float]]:
    """Make the weights, and return the log odds of what is held out."""
    from benchmarks.reading.train import Trainer  # noqa: PLC0415 - needs jax, which measuring does not

    trainer = Trainer(weights, seed, further=further)
    trainer.train(training, epochs, lambda line: print(line, file=sys.stderr, flush=True))
    trainer.store()
    return trainer.rate(held)


async def changes(*, data: Path | None = None) -> Report:
    """Return of what share of changes, and of what changes nothing, the product's model is sure."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    asked = split_off(read_changes())[1] if data is None else list(read_changes(data))
    rates = [await embedder.rate_changes(each.question, each.first, each.texts) for each in asked]
    embedder.close()
    return {"read": judge_changes(asked, [[math.log(rate / (1 - rate)) for rate in each] for each in rates])}


def judge_changes(asked: Sequence[Asked], rates: Sequence[Sequence[float]]) -> Report:
    """Return by language, and for all, per cent of changes and of others above each likelihood; rates are log odds.

    ``known`` is the area under the curve.
    """
    found = {}
    for language in ("all", *sorted({each.language for each in asked})):
        rows = [(each, row) for each, row in zip(asked, rates, strict=True) if language in ("all", each.language)]
        changing = np.array([rate for each, row in rows for place, rate in enumerate(row) if place in each.right])
        others = np.array([rate for each, row in rows for place, rate in enumerate(row) if place not in each.right])
        above = {
            name: {
                f"at {floor}": round(100 * float(np.mean(given >= math.log(floor / (1 - floor)))), 1)
                for floor in _FLOORS
            }
            for name, given in (("changes", changing), ("others", others))
        }
        known = round(float(np.mean(changing[:, None] > others)), 3)
        found[language] = {"pairs": len(changing) + len(others), "known": known, **above}
    return found


async def answers(*, data: Path = OTHERS) -> Report:
    """Return how right the product's rates are, and the cosines alone, on the lives of a file."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    asked, read, alike = list(read_lives(data)), [], []
    for done, each in enumerate(asked):
        read.append(await embedder.rate_answers(each.first, each.texts))
        texts = await embedder.embed(each.texts)
        question = await embedder.embed([each.first], question=True)
        alike.append((texts @ question[0]).tolist())
        if done % 100 == 0:
            print(f"{done} of {len(asked)} questions", file=sys.stderr, flush=True)
    embedder.close()
    return {"read": judge(asked, read), "cosine": judge(asked, alike)}


def judge(asked: Sequence[Asked], rates: Sequence[Sequence[float]]) -> Report:
    """Return by language, and for all, what :func:`_judge` says of the rates of each question's messages."""
    found = {"all": _judge(asked, rates)}
    for language in sorted({each.language for each in asked}):
        chosen = [number for number, each in enumerate(asked) if each.language == language]
        found[language] = _judge([asked[number] for number in chosen], [rates[number] for number in chosen])
    return found


def _judge(asked: Sequence[Asked], rates: Sequence[Sequence[float]]) -> dict[str, float]:
    """Return per cent of questions whose first message answers, and of those without an answer that are refused.

    ``known`` is the area under the curve of the best rate as a sign that any message answers; "refused at 95" is at the
    floor that keeps 95 % of the questions with an answer.
    """
    best = np.array([max(each) for each in rates])
    known = np.array([bool(each.right) for each in asked])
    pairs = [(np.argsort(each)[::-1], one.right) for each, one in zip(rates, asked, strict=True) if one.right]
    floor = np.quantile(best[known], 0.05)
    above = best[known][:, None] > best[~known]
    same = best[known][:, None] == best[~known]
    return {
        "questions": len(asked),
        "first": round(100 * float(np.mean([order[0] in answers for order, answers in pairs])), 1),
        "first three": round(100 * float(np.mean([not answers.isdisjoint(order[:3]) for order, answers in pairs])), 1),
        "known": round(float(np.mean(above + 0.5 * same)), 3),
        "refused at 95": round(100 * float(np.mean(best[~known] < floor)), 1),
    }


if __name__ == "__main__":
    run(
        {"answers": answers, "changes": changes, "train-answers": train_answers, "train-changes": train_changes},
        __doc__,
    )
