"""``python -m benchmarks.turn --json``: what a turn costs without language model and LightRAG, and how many fit."""

import multiprocessing
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

from benchmarks.turn.filling import fill
from benchmarks.turn.measuring import Plan, measure
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
        costs = {"stored": count, "chats": chats, **_measured(store, plan)}
        runs.append({**costs, "with_model": _measured(store, plan, model=True)})
    return {"runs": runs}


def _apart(work: Callable[..., T], *arguments: object, **named: object) -> T:
    """Run in a process of its own, so that memory is measured without what came before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def _measured(store: Path, plan: Plan, *, model: bool = False) -> Report:
    """Measure a copy: what is said meanwhile would count as stored in the next measurement."""
    with tempfile.TemporaryDirectory(prefix="mneme-turn-") as folder:
        copy = shutil.copytree(store, Path(folder) / "store")
        return _apart(measure, copy, plan, model=model)


if __name__ == "__main__":
    run(measure_turns, __doc__)
