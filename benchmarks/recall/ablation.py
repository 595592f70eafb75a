"""``python -m benchmarks.recall.ablation --data FILE``: what every signal is worth and costs.

Each signal, and each group of signals, is taken away from the product's weights; the others stay as they are, which is
what the bot would lose.  With ``--refit`` the others are fitted again and figures are of conversations that the fit has
not seen (leave one out), so that a signal that others can replace, or that only fits noise, shows no loss.
Milliseconds are those of the group's function for one question, the embedding of the question apart.
What the switches of the read path do is measured by ``benchmarks.recall.switches``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.recall.fit import SETS, UNUSED, Featured, featured, judge, left_out
from benchmarks.recall.ingest import ingest, open_memory, query
from bot.memory.helpfulness import Weights
from bot.memory.ranking.ranking import GROUPS, View
from harness.recall.dataset import Conversation, load
from harness.recall.metrics import measure

_SHOWN: Final = ("recall@5", "recall@10", "recall@50", "ndcg@10", "recall@1000tokens")
_MULTI_HOP: Final = "1"
_TIMED: Final = 40


def main() -> int:
    """Print one JSON line per thing taken away, the whole first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--refit", action="store_true", help="fit the other weights again (slow)")
    options = parser.parse_args()
    conversations, _ = load(options.data)
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        parts = asyncio.run(featured(conversations, Path(folder) / "data"))
        members, costs = asyncio.run(_groups(conversations[-1], Path(folder) / "timed"))
    figures = partial(_refitted if options.refit else _frozen, parts)
    used = [name for name in parts[0].names if name not in UNUSED]
    whole = figures(frozenset())
    print(json.dumps({"without": "nothing", **whole, "ms": round(sum(costs.values()), 3)}), flush=True)
    removed = {f"group {title}": frozenset(names) for title, names in members.items()}
    removed |= {f"stage: {title} only": frozenset(absent) for title, absent in SETS.items() if title != "full"}
    removed |= {name: frozenset({name}) for name in used}
    for title, names in removed.items():
        effect = {name: round(value - whole[name], 2) for name, value in figures(names).items()}
        cost = costs.get(title.removeprefix("group ")) if title.startswith("group ") else None
        print(json.dumps({"without": title, **effect, **({} if cost is None else {"ms": round(cost, 3)})}), flush=True)
    return 0


def _frozen(parts: Sequence[Featured], without: frozenset[str]) -> dict[str, float]:
    """Return the figures of the product's weights less some; a stage without vectors has weights of its own."""
    weights = Weights()
    sets = {frozenset(SETS["vectors"]): weights.vectors, frozenset(SETS["words_only"]): weights.lexical}
    counted = sets.get(without) or {name: value for name, value in weights.full.items() if name not in without}
    return _shown(measure([one for part in parts for one in judge(part, counted)]))


def _refitted(parts: Sequence[Featured], without: frozenset[str]) -> dict[str, float]:
    (judged,) = left_out(parts, [name for name in parts[0].names if name not in {*UNUSED, *without}]).values()
    return _shown(judged)


def _shown(summary: dict[str, object]) -> dict[str, float]:
    overall, categories = summary["overall"], summary["categories"]
    assert isinstance(overall, dict)  # noqa: S101 - tells the type checker
    assert isinstance(categories, dict)  # noqa: S101 - as above
    multi_hop = categories.get(_MULTI_HOP, {}).get("recall@10", 0.0)
    return {**{name: overall[name] for name in _SHOWN}, "multi-hop@10": multi_hop}


async def _groups(conversation: Conversation, folder: Path) -> tuple[dict[str, tuple[str, ...]], dict[str, float]]:
    """Return the signals of each group and its milliseconds per question."""
    members: dict[str, tuple[str, ...]] = {}
    costs = dict.fromkeys((group.__name__ for group in GROUPS), 0.0)
    async with open_memory(folder) as memory:
        done = await ingest(memory, conversation, 0)
        questions = conversation.questions[:_TIMED]
        for question in questions:
            transcript, prepared = await memory.recall.prepare(done.scope, query(done, conversation, question))
            view = View(transcript, np.arange(len(transcript)))
            for group in GROUPS:
                start = time.perf_counter()
                members[group.__name__] = tuple(group(view, prepared))
                costs[group.__name__] += 1000 * (time.perf_counter() - start) / len(questions)
    return members, costs


if __name__ == "__main__":
    sys.exit(main())
