"""Insert cost, disk, memory and query time against size: this server and LightRAG's default storages.

    python -m benchmarks.memory_server --n 1500 --json
    python -m benchmarks.memory_server --n 20000 --skip-default --json
    python -m benchmarks.memory_server --n 1500 --same --work DIR --json

Each side runs in a process of its own on the same exchanges.  ``default`` is LightRAG as users get it, ``same``
LightRAG with its default storages but our settings (no gleaning, no caches; ``--same``).  Embedding is a stand-in that
costs next to nothing, so that the figures are everything besides embedding.  With ``--work`` the figures of every size
and a copy of the data are kept in a folder, and a run that was stopped goes on from the last size it finished.

What an insert costs is the mean of the last 500 before a size (or as many as there are since the size before it),
and of the last 50 for the peer, which does the same work at every insert.  Ours includes the log's copy home.  Between
these 50 the peer keeps what it stores in memory: to let it rewrite its files every time would take hours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import structlog

from benchmarks.memory_server import sides
from benchmarks.memory_server.progress import Figures, Progress
from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.figures import Usage, disk_mb, latency, rss_mb

POINTS = (50, 200, 500, 1000, 1500, 3000, 5000, 10_000, 20_000)
APART, QUERIES, RECENT = 50, 40, 500


async def measure(side: sides.Side, folder: Path, count: int, progress: Progress) -> None:
    """Fill a side and record its figures at every size up to ``count``, from where the progress stands."""
    source = exchanges(2 * count)
    stored = progress.reached
    recent: list[Said] = list(islice(source, stored))[-RECENT:]
    for point in sizes(count):
        if point <= stored:
            continue
        measured = min(side.window, point - stored)
        for said in islice(source, point - stored - measured):
            await side.fill(said)
            recent = [*recent, said][-RECENT:]
        await side.filled()
        window = list(islice(source, measured))
        await side.settle()
        before = Usage.now()
        for said in window:
            await side.insert(said)
        await side.settle()
        after = Usage.now()
        stored = point
        recent = [*recent, *window][-RECENT:]
        progress.add(await _at(side, folder, point, recent, after.since(before, measured)))


def sizes(count: int) -> list[int]:
    """Return the sizes to measure at, some inserts apart, the last one being ``count``."""
    return [point for point in POINTS if point <= count - APART] + [count]


async def _at(side: sides.Side, folder: Path, n: int, recent: list[Said], insert: Usage) -> Figures:
    step = max(1, len(recent) // QUERIES)
    asked = recent[::step][:QUERIES]
    await side.query(asked[0], "mix")
    naive = await latency(lambda i: side.query(asked[i], "naive"), len(asked))
    mix = await latency(lambda i: side.query(asked[i], "mix"), len(asked))
    victim = recent.pop(len(recent) // 2)
    started = time.perf_counter()
    await side.delete(victim)
    deleted = (time.perf_counter() - started) * 1000
    await side.insert(victim)
    return {
        "n": n,
        "bytes_written_per_insert": round(insert.written),
        "cpu_ms_per_insert": round(insert.cpu_s * 1000, 2),
        "disk_mb": disk_mb(folder),
        "rss_mb": rss_mb(),
        "query_naive_ms": naive,
        "query_mix_ms": mix,
        "delete_ms": round(deleted, 1),
    }


async def _side(name: str, count: int, work: Path) -> None:
    progress = Progress(work / name)
    folder = progress.restored()
    if name == "ours":
        async with sides.ours(folder) as ours:
            await measure(ours, folder, count, progress)
        return
    async with sides.peer(folder, bare=name == "same") as peer:
        await measure(peer, folder, count, progress)


def _apart(name: str, count: int, work: Path) -> list[Figures]:
    """Measure a side in a new process, unless an earlier run has."""
    progress = Progress(work / name)
    if progress.reached < count:
        options = ["--n", str(count), "--side", name, "--work", str(work)]
        command = [sys.executable, "-m", "benchmarks.memory_server", *options]
        subprocess.run(command, check=True)  # noqa: S603 - our own module
    return [figures for figures in progress.read() if figures["n"] <= count]


def main() -> None:
    """Parse the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1500, help="exchanges to store")
    parser.add_argument("--json", action="store_true", help="print JSON (the default output is the same, indented)")
    parser.add_argument("--skip-default", action="store_true", help="leave LightRAG's own storages out")
    parser.add_argument("--same", action="store_true", help="also LightRAG's storages with our settings")
    parser.add_argument("--side", choices=("ours", "default", "same"), help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help="keep figures and data here; go on from what is there")
    asked = parser.parse_args()
    if asked.side:
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        logging.getLogger("lightrag").setLevel(logging.ERROR)
        asyncio.run(_side(asked.side, asked.n, asked.work))
        return
    names = ["ours", *([] if asked.skip_default else ["default"]), *(["same"] if asked.same else [])]
    with tempfile.TemporaryDirectory() as folder:
        found = {name: _apart(name, asked.n, asked.work or Path(folder)) for name in names}
    print(json.dumps(found, indent=None if asked.json else 2))


if __name__ == "__main__":
    main()
