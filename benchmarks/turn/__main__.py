"""``python -m benchmarks.turn --json``: what a turn costs without language model and LightRAG, and how many fit."""

import multiprocessing
import shutil
import statistics
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.turn.filling import fill
from benchmarks.turn.measuring import Plan, Timed, measure
from harness.options import Report, run

T = TypeVar("T")


def measure_turns(
    folder: Path,
    *,
    stored: tuple[int, ...] = (1_000, 100_000),
    chats: int = 100,
    turns: int = 150,
    messages: int = 600,
    keep: Path | None = None,
) -> Report:
    """Measure ``turns`` one at a time and ``messages`` in parallel, over stores of so many exchanges in so many chats.

    In the folder ``keep`` filled stores are kept, and those that are there used.
    """
    runs, plan = [], Plan(chats, turns, messages)
    for count in stored:
        store = (keep or folder) / f"store-{count}-{chats}"
        store.mkdir(parents=True, exist_ok=True)
        _apart(fill, store, count, chats)
        costs = {"stored": count, "chats": chats, **_costs(_measured(store, plan))}
        runs.append({**costs, "with_model": _costs(_measured(store, plan, model=True))})
    return {"runs": runs}


def _apart(work: Callable[..., T], *arguments: object, **named: object) -> T:
    """Run in a process of its own, so that memory is measured without what came before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def _measured(store: Path, plan: Plan, *, model: bool = False) -> Timed:
    """Measure a copy: what is said meanwhile would count as stored in the next measurement."""
    with tempfile.TemporaryDirectory(prefix="mneme-turn-") as folder:
        copy = shutil.copytree(store, Path(folder) / "store")
        return _apart(measure, copy, plan, model=model)


def _costs(timed: Timed) -> Report:
    return {
        "p50_ms": _percentile(timed.turns_ms, 50),
        "p95_ms": _percentile(timed.turns_ms, 95),
        "messages_per_s": timed.messages_per_s,
        "rss_mb": timed.rss_mb,
        "mapped_mb": timed.mapped_mb,
        "cpu_ms": round(timed.cpu_ms, 2),
        "loop_cpu_ms": round(timed.loop_cpu_ms, 2),
        "first_turn_of_a_chat_cpu_ms": round(timed.cold_cpu_ms, 2),
        "loop_ms": _percentile(timed.loop_ms, 50),
        "memories_late": timed.late,
        "memories_late_at_first_turn": timed.cold_late,
        "first_turn_of_a_chat_p50_ms": _percentile(timed.cold_ms, 50),
        "first_turn_of_a_chat_p95_ms": _percentile(timed.cold_ms, 95),
        "systems_p50_ms": {name: round(statistics.median(ms), 2) for name, ms in timed.systems_ms.items()},
    }


def _percentile(values: list[float], share: int) -> float:
    return round(float(np.percentile(values, share)), 2)


if __name__ == "__main__":
    run(measure_turns, __doc__)
