"""``python -m benchmarks.recall --data FILE``: recall of the product on conversations in the LoCoMo format."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import structlog

from benchmarks.recall.answered import Answered, judged
from benchmarks.recall.run import Run, run
from bot.memory.helpfulness import VERSION, Weights
from harness.recall.dataset import load
from harness.recall.metrics import measure

_PEERS = ("bm25", "minilm", "lightrag-naive", "lightrag-mix", "local", "lightrag", "fused")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0 when everything was asked."""
    options = _parser().parse_args(arguments)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    weights = _weights(options.config)
    conversations, repairs = load(options.data)
    names = tuple(dict.fromkeys((options.source, *options.peer)))
    with tempfile.TemporaryDirectory(prefix="mneme-recall-") as folder:
        runs = asyncio.run(run(conversations, Path(folder) / "data", weights, _say, names, options.server))
    own = runs[options.source]
    summary = {
        "source": options.source,
        **_summary(own),
        "peers": {name: _summary(runs[name]) for name in options.peer},
        "rss_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
        "disk_mb": round(own.disk_bytes / 1e6, 2),
        "repairs": asdict(repairs),
        "config": {"weights_version": weights.version, "weights": dict(weights.full)},
    }
    if options.rankings:
        options.rankings.write_text("".join(_line(answered) for answered in own.answered), encoding="utf-8")
    print(json.dumps(summary) if options.json else _table(summary))
    return 0


def _summary(part: Run) -> dict[str, Any]:  # Any: figures by name, some nested
    turns = max(part.turns, 1)
    return {
        **measure(judged(part.answered)),
        "latency_ms": _percentiles([answered.ms for answered in part.answered]),
        "ingest_ms_per_turn": {
            "write": round(part.write_ms / turns, 3),
            "embed": round(part.embed_ms / turns, 3),
            "long_term": round(part.longterm_ms / turns, 3),
        },
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="conversations in the LoCoMo format")
    parser.add_argument("--source", choices=("local", "lightrag", "fused"), default="local")
    parser.add_argument("--config", type=Path, help='JSON: {"full": {signal: weight}}')
    parser.add_argument("--rankings", type=Path, help="one JSON line per question")
    parser.add_argument("--peer", action="append", default=[], choices=_PEERS)
    parser.add_argument("--server", type=Path, help="folder that keeps the filled memory server for the next run")
    parser.add_argument("--json", action="store_true")
    return parser


def _weights(path: Path | None) -> Weights:
    if path is None:
        return Weights()
    content = json.loads(path.read_text(encoding="utf-8"))
    sets = {name: content[name] for name in ("full", "vectors", "lexical") if name in content}
    return Weights(**sets, version=content.get("version", VERSION))


def _line(answered: Answered) -> str:
    entry = {"conv": answered.conversation, "qi": answered.question.index, "ranked": answered.ranked}
    return json.dumps(entry) + "\n"


def _percentiles(values: list[float]) -> dict[str, float]:
    return {f"p{cut}": round(float(np.percentile(values, cut)), 2) for cut in (50, 95)} if values else {}


def _table(summary: dict[str, Any]) -> str:  # Any: figures by name, some nested
    rows = {summary["source"]: summary["overall"], "with adversarial": summary["all"]}
    rows |= {f"category {name}": row for name, row in summary["categories"].items()}
    rows |= {f"peer {name}": peer["overall"] for name, peer in summary["peers"].items()}
    names = [name for name in summary["overall"] if name != "questions"]
    lines = ["".join([f"{'':18}", *(f"{name.replace('recall@', 'R@'):>12}" for name in names)])]
    lines += ["".join([f"{title:18}", *(f"{row[name]:12.1f}" for name in names)]) for title, row in rows.items()]
    left_out = ("overall", "all", "categories", "config", "peers")
    return "\n".join([*lines, json.dumps({name: value for name, value in summary.items() if name not in left_out})])


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
