"""Recall of the product on conversations in the LoCoMo format, and what moves it.

python -m benchmarks.recall [measure] --data FILE [--source local|lightrag|fused] [--peer NAME] [--json]
python -m benchmarks.recall languages|fit|calibrate|cost|questions|known ... [--help]
"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import numpy as np
import psutil

from benchmarks.recall.asking import Run, ask_all, judged
from benchmarks.recall.certainty import calibrate
from benchmarks.recall.growing import measure_cost
from benchmarks.recall.known import measure_known, measure_languages
from benchmarks.recall.questions import learn_later, learn_maps
from benchmarks.recall.weights import fit_files
from bot.memory.helpfulness import FULL, VERSION
from harness.options import Report, Work, run
from harness.recall import metrics
from harness.recall.dataset import load


async def measure(
    folder: Path, *, data: Path, source: Literal["local", "lightrag", "fused"] = "local", peer: tuple[str, ...] = ()
) -> Report:
    """Measure recall, and what questions and turns cost."""
    conversations, repairs = load(data)
    runs = await ask_all(conversations, folder / "data", tuple(dict.fromkeys((source, *peer))))
    own = runs[source]
    return {
        "source": source,
        **_sum_up(own),
        "peers": {name: _sum_up(runs[name]) for name in peer},
        "rss_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
        "disk_mb": round(own.disk_bytes / 1e6, 2),
        "repairs": asdict(repairs),
        "config": {"weights_version": VERSION, "weights": dict(FULL)},
    }


def _sum_up(part: Run) -> Report:
    times, turns = [answered.ms for answered in part.answered], max(part.turns, 1)
    return {
        **metrics.measure(judged(part.answered)),
        "latency_ms": {f"p{cut}": round(float(np.percentile(times, cut)), 2) for cut in (50, 95)} if times else {},
        "ingest_ms_per_turn": {
            "write": round(part.write_ms / turns, 3),
            "embed": round(part.embed_ms / turns, 3),
            "long_term": round(part.longterm_ms / turns, 3),
        },
    }


WORKS: dict[str, Work] = {
    "measure": measure,
    "questions": learn_maps,
    "later": learn_later,
    "known": measure_known,
    "languages": measure_languages,
    "fit": fit_files,
    "calibrate": calibrate,
    "cost": measure_cost,
}

if __name__ == "__main__":
    if not sys.argv[1:2] or sys.argv[1].startswith("--"):
        sys.argv.insert(1, "measure")
    run(WORKS, __doc__)
