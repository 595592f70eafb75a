"""``python -m benchmarks.recall.robustness --data FILE``: recall in chats of other kinds, one configuration for all.

Besides the transformed data: conversations in Russian and German (``harness/recall/talks/``).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.recall.answered import judged
from benchmarks.recall.run import run
from harness.recall.dataset import TALKS, Conversation, load
from harness.recall.metrics import measure
from harness.recall.transforms import TRANSFORMS

_SEED: Final = 7
_SHOWN: Final = ("questions", "recall@5", "recall@10", "recall@50", "ndcg@10", "recall@1000tokens")


def main() -> int:
    """Measure every transform and every language."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.robustness", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    conversations, _ = load(options.data)
    sets: dict[str, tuple[Conversation, ...]] = {
        title: tuple(transform(conversation, random.Random(_SEED)) for conversation in conversations)
        for title, transform in TRANSFORMS.items()
    }
    for talk in sorted(TALKS.glob("*.json")):
        sets[f"talk {talk.stem}"] = load(talk)[0]
    results = {title: _measured(part) for title, part in sets.items()}
    print(json.dumps(results) if options.json else "\n".join(_line(title, row) for title, row in results.items()))
    return 0


def _measured(conversations: Sequence[Conversation]) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        runs = asyncio.run(run(conversations, Path(folder) / "data", None, lambda _: None))
    summary = measure(judged(runs["local"].answered))["overall"]
    assert isinstance(summary, dict)  # noqa: S101 - tells the type checker
    return {name: summary[name] for name in _SHOWN}


def _line(title: str, row: dict[str, float]) -> str:
    return f"{title:22}" + "  ".join(f"{name} {value:.1f}" for name, value in row.items())


if __name__ == "__main__":
    sys.exit(main())
