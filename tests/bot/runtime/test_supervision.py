"""A background task that ends is started again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.errors import StorageUnavailable
from bot.runtime.scheduling import supervise
from harness.application import run_console


async def test_a_task_that_breaks_is_started_again_with_growing_pauses() -> None:
    """Whatever it ends with, it comes again; the pauses double up to a minute."""
    ends = [StorageUnavailable("disk full"), RuntimeError("a defect"), None] * 4
    runs, pauses = list[int](), list[float]()

    async def run() -> None:
        end = ends[len(runs)]
        runs.append(1)
        if end is not None:
            raise end

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == len(ends):
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await supervise("work", run, sleep=sleep, monotonic=lambda: 0.0)

    assert len(runs) == len(ends)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]


async def test_a_task_that_ran_long_begins_with_the_shortest_pause() -> None:
    """One failure a day is not punished for those of the days before."""
    clock, pauses = [0.0], list[float]()

    async def run() -> None:
        clock[0] += 100.0 if len(pauses) < 3 else 10_000.0

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 5:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await supervise("work", run, sleep=sleep, monotonic=lambda: clock[0])

    assert pauses == [1, 2, 4, 1, 1]


async def test_an_indexer_that_dies_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that escapes the indexer's own handling does not end indexing for the rest of the process."""
    started = asyncio.Queue[int]()

    async def break_down(_: object) -> None:
        started.put_nowait(1)
        raise RuntimeError("a defect")

    monkeypatch.setattr("adapters.rag.indexer.Indexer.run", break_down)
    async with run_console(tmp_path), asyncio.timeout(120):
        await started.get()
        await started.get()
