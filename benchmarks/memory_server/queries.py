"""Ask this server and LightRAG's default storages the same questions in turn, on what a finished benchmark has stored.

    python -m benchmarks.memory_server --n 1500 --work DIR --json
    python -m benchmarks.memory_server.queries --work DIR

In one process and one question after the other, so that whatever else the machine does slows both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import time
from itertools import islice
from pathlib import Path

import numpy as np
import structlog

from benchmarks.memory_server import sides
from benchmarks.memory_server.progress import Progress
from harness.memory_server.exchanges import exchanges

MODES = ("naive", "mix")


async def measure(work: Path, other: str, questions: int) -> dict[str, object]:
    """Return wall and processor milliseconds per question, by mode and side."""
    progress = {name: Progress(work / name) for name in ("ours", other)}
    stored = min(each.reached for each in progress.values())
    said = list(islice(exchanges(stored), stored))[:: max(1, stored // questions)][:questions]
    taken: dict[str, list[tuple[float, float]]] = {}
    async with (
        sides.ours(progress["ours"].restored()) as ours,
        sides.peer(progress[other].restored(), bare=other == "same") as peer,
    ):
        asked: dict[str, sides.Side] = {"ours": ours, other: peer}
        for mode in MODES:
            for number, one in enumerate([said[0], *said]):
                for name, side in asked.items():
                    wall, used = time.perf_counter(), time.process_time()
                    await side.query(one, mode)
                    if number:
                        spent = (time.perf_counter() - wall, time.process_time() - used)
                        taken.setdefault(f"{mode} {name}", []).append(spent)
    found: dict[str, object] = {"stored": stored, "questions": len(said)}
    for key, times in taken.items():
        walls = [wall for wall, _ in times]
        cpu = [cpu for _, cpu in times]
        p50, p95 = np.percentile(walls, [50, 95])
        found[key] = {"p50_ms": _ms(p50), "p95_ms": _ms(p95), "cpu_ms": _ms(float(np.mean(cpu)))}
    return found


def _ms(seconds: float) -> float:
    return round(float(seconds) * 1000, 2)


def main() -> None:
    """Parse the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--against", choices=("default", "same"), default="default")
    parser.add_argument("--questions", type=int, default=60)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.getLogger("lightrag").setLevel(logging.ERROR)
    print(json.dumps(asyncio.run(measure(asked.work, asked.against, asked.questions))))


if __name__ == "__main__":
    main()
