"""P6: what long-term memory cannot take waits on the disk and nowhere else."""

from __future__ import annotations

from pathlib import Path

from benchmarks.chaos.memory import Plan, growth

SMALL = Plan(exchanges=320, chats=100, warm=192, seed=6)


async def test_a_dead_memory_server_costs_disk_and_nothing_else(tmp_path: Path) -> None:
    """While the server is down tasks, descriptors and RSS do not grow with what waits, and all of it waits.

    Mutation check: with a task per waiting document it is red.
    """
    figures = await growth(SMALL, tmp_path)

    assert figures.bounded, f"{figures}"
    assert figures.tasks > 0
