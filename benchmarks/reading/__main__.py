"""``python -m benchmarks.reading``: measure, or train, the model that reads a question and a message together.

``measure`` rates every message of the lives of another author (or of ``--data FILE``) with the product's own model, and
says how right the cosines of their vectors are; ``train`` judges on the lives that it leaves out, and makes
``adapters/embedding/reading.npz`` anew (``make models`` then makes the model of it).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adapters.embedding.e5 import E5Embedder
from benchmarks.reading.lives import OTHERS, Asked, read_lives, split_off
from bot.config.folders import PROJECT, find_model_folder
from harness.options import Report, run


def train(*, epochs: float = 2.0, seed: int = 0) -> Report:
    """Train, judge on the lives that are left out, and make the weights."""
    from benchmarks.reading.train import Trainer  # noqa: PLC0415 - needs jax, which measuring does not

    training, held = split_off(read_lives())
    trainer = Trainer(seed)
    trainer.train(training, epochs, lambda line: print(line, file=sys.stderr, flush=True))
    trainer.store()
    return {"read": judge(held, trainer.rate(held))}


async def measure(*, data: Path = OTHERS) -> Report:
    """Return how right the product's rates are, and the cosines alone, on the lives of a file."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    asked, read, alike = list(read_lives(data)), [], []
    for done, each in enumerate(asked):
        read.append(await embedder.rate_answers(each.question, each.texts))
        texts = await embedder.embed(each.texts)
        question = await embedder.embed([each.question], question=True)
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
    known = np.array([bool(each.answers) for each in asked])
    pairs = [(np.argsort(each)[::-1], one.answers) for each, one in zip(rates, asked, strict=True) if one.answers]
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
    run({"measure": measure, "train": train}, __doc__)
