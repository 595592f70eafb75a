"""``python -m benchmarks.reading``: measure, or train, the model that reads a question and a message together.

``measure`` rates every message of the lives of another author (or of ``--data FILE``) with the product's own model, and
says how right the cosines of their vectors are; ``train`` judges on the lives that it leaves out, and makes
``adapters/embedding/reading.npz`` anew (``make models`` then makes the model of it).
"""

from __future__ import annotations

import sys
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from benchmarks.options import Report, run
from benchmarks.reading.judging import judge
from benchmarks.reading.lives import OTHERS, read_lives, split_off
from bot.config.folders import PROJECT, find_model_folder


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


if __name__ == "__main__":
    run({"measure": measure, "train": train}, __doc__)
