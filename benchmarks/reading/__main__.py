"""``python -m benchmarks.reading``: measure, or train, the model that reads a question and a message together.

``measure`` rates every message of the lives of another author (or of ``--data FILE``) with the product's own model, and
says how right the cosines of their vectors are; ``train`` judges on the lives that it leaves out, and makes
``adapters/embedding/reading.npz`` anew (``make models`` then makes the model of it).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from adapters.embedding.e5 import E5Embedder
from benchmarks.reading.judging import Figures, judge
from benchmarks.reading.lives import OTHERS, Asked, read_lives, split_off
from bot.config.folders import PROJECT, find_model_folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked and print how right the rates are; 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("command", choices=("measure", "train"))
    parser.add_argument("--data", type=Path, help="lives to judge")
    parser.add_argument("--epochs", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.command == "measure":
        report = asyncio.run(_measure(list(read_lives(options.data or OTHERS))))
    else:
        from benchmarks.reading.train import Trainer  # noqa: PLC0415 - needs jax, which measuring does not

        training, held = split_off(read_lives())
        trainer = Trainer(options.seed)
        trainer.train(training, options.epochs, lambda line: print(line, file=sys.stderr, flush=True))
        trainer.store()
        report = {"read": judge(held, trainer.rate(held))}
    print(json.dumps(report, indent=1) if options.json else _describe(report))
    return 0


async def _measure(asked: Sequence[Asked]) -> dict[str, dict[str, Figures]]:
    """Return how right the product's rates are, and the cosines alone."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    read, alike = [], []
    for done, each in enumerate(asked):
        read.append(await embedder.rate_answers(each.question, each.texts))
        texts = await embedder.embed(each.texts)
        question = await embedder.embed([each.question], question=True)
        alike.append((texts @ question[0]).tolist())
        if done % 100 == 0:
            print(f"{done} of {len(asked)} questions", file=sys.stderr, flush=True)
    embedder.close()
    return {"read": judge(asked, read), "cosine": judge(asked, alike)}


def _describe(report: dict[str, dict[str, Figures]]) -> str:
    rows = ((name, language, row) for name, rows in report.items() for language, row in rows.items())
    return "\n".join(f"{name} {language}: {row}" for name, language, row in rows)


if __name__ == "__main__":
    sys.exit(main())
