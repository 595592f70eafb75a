"""``python -m benchmarks.turn --json``: what a turn costs without language model and LightRAG, and how many fit."""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from benchmarks.turn.filling import fill
from benchmarks.turn.measuring import Plan, Timed, measure
from bot.cli import one_thread_per_product

T = TypeVar("T")
Figures = dict[str, Any]  # Any: numbers and objects of numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill, measure and print; 0 when all of it worked."""
    options = _parser().parse_args(arguments)
    one_thread_per_product()
    runs = []
    for stored in options.stored:
        with _folder(options.keep) as folder:
            store = folder / f"store-{stored}-{options.chats}"
            store.mkdir(parents=True, exist_ok=True)
            _apart(fill, store, stored, options.chats)
            plan = Plan(options.chats, options.turns, options.messages)
            figures: Figures = {"stored": stored, "chats": options.chats, **_costs(_measured(store, plan))}
            figures["with_model"] = _costs(_measured(store, plan, model=True))
            if options.without_embedding:
                figures["with_model_without_embedding"] = _costs(_measured(store, plan, model=True, embedding=False))
            runs.append(figures)
            if not options.json:
                print(_table(runs[-1]))
    if options.json:
        print(json.dumps({"runs": runs}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turn", description=__doc__)
    parser.add_argument("--stored", type=_sizes, default=(1_000, 100_000), help="exchanges in the store: 1000,100000")
    parser.add_argument("--chats", type=int, default=100, help="chats they are spread over")
    parser.add_argument("--turns", type=int, default=150, help="turns measured one at a time")
    parser.add_argument("--messages", type=int, default=600, help="messages measured in parallel")
    parser.add_argument("--keep", type=Path, help="keep the filled stores here and use those that are here")
    parser.add_argument("--without-embedding", action="store_true", help="also where vectors cost nothing")
    parser.add_argument("--json", action="store_true")
    return parser


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="mneme-turn-") as folder:
        yield Path(folder)


def _apart(work: Callable[..., T], *arguments: object, **named: object) -> T:
    """Run in a process of its own, so that memory is measured without what came before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def _measured(store: Path, plan: Plan, **kind: bool) -> Timed:
    """Measure a copy: what is said meanwhile would count as stored in the next measurement."""
    with tempfile.TemporaryDirectory(prefix="mneme-turn-") as folder:
        copy = shutil.copytree(store, Path(folder) / "store")
        return _apart(measure, copy, plan, **kind)


def _costs(timed: Timed) -> Figures:
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
        "a_turn": asdict(timed.listed) if timed.listed is not None else {},
    }


def _percentile(values: list[float], share: int) -> float:
    return round(float(np.percentile(values, share)), 2)


def _table(figures: Figures) -> str:
    lines = []
    for name, value in figures.items():
        if isinstance(value, dict):
            lines += [f"{name}:", *(f"    {line}" for line in _table(value).splitlines())]
        else:
            lines.append(f"{name:30} {value}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
