"""``python -m benchmarks.recall.ablation --data FILE``: what every signal is worth and costs.

Each signal, and each group of signals, is taken away and the other weights are fitted again; figures are of
conversations that the fit has not seen (leave one out), so that a signal that only fits noise shows no loss.
Milliseconds are those of the group's function for one question, the embedding of the question apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.recall.dataset import Conversation, load
from benchmarks.recall.fit import FIXED, SETS, Featured, featured, left_out
from benchmarks.recall.ingest import ingest, opened, query
from bot.memory.ranking.signals import GROUPS, View

_SHOWN: Final = ("recall@5", "recall@10", "recall@50", "ndcg@10", "recall@1000tokens")
_TIMED: Final = 40


def main() -> int:
    """Print one JSON line per thing taken away, the whole first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    conversations, _ = load(options.data)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        parts = asyncio.run(featured(conversations, Path(folder) / "data"))
        members, costs = asyncio.run(_groups(conversations[-1], Path(folder) / "timed"))
    used = [name for name in parts[0].names if name not in FIXED]
    whole = _figures(parts, used)
    print(json.dumps({"without": "nothing", **whole, "ms": round(sum(costs.values()), 3)}), flush=True)
    for title, names in members.items():
        _print(f"group {title}", parts, [name for name in used if name not in names], whole, costs[title])
    for title, absent in SETS.items():
        if absent:
            _print(f"stage: {title} only", parts, [name for name in used if name not in absent], whole, None)
    for name in used:
        _print(name, parts, [other for other in used if other != name], whole, None)
    return 0


def _print(title: str, parts: Sequence[Featured], used: list[str], whole: dict[str, float], cost: float | None) -> None:
    figures = _figures(parts, used)
    effect = {name: round(figures[name] - whole[name], 2) for name in _SHOWN}
    print(json.dumps({"without": title, **effect, **({} if cost is None else {"ms": round(cost, 3)})}), flush=True)


def _figures(parts: Sequence[Featured], used: Sequence[str]) -> dict[str, float]:
    overall = left_out(parts, used)["overall"]
    assert isinstance(overall, dict)  # noqa: S101 - tells the type checker
    return {name: overall[name] for name in _SHOWN}


async def _groups(conversation: Conversation, folder: Path) -> tuple[dict[str, tuple[str, ...]], dict[str, float]]:
    """Return the signals of each group and its milliseconds per question."""
    members: dict[str, tuple[str, ...]] = {}
    costs = dict.fromkeys((group.__name__ for group in GROUPS), 0.0)
    async with opened(folder) as memory:
        done = await ingest(memory, conversation, 0)
        questions = conversation.questions[:_TIMED]
        for question in questions:
            transcript, prepared = await memory.recall.prepared(done.scope, query(done, conversation, question))
            view = View(transcript, np.arange(len(transcript)))
            for group in GROUPS:
                start = time.perf_counter()
                members[group.__name__] = tuple(group(view, prepared))
                costs[group.__name__] += 1000 * (time.perf_counter() - start) / len(questions)
    return members, costs


if __name__ == "__main__":
    sys.exit(main())
