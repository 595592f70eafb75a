"""P6: what long-term memory cannot take waits on the disk and nowhere else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from harness.chaos.bounds import Plan, growth

SMALL = Plan(exchanges=192, chats=64, warm=128, seed=6)


async def test_a_dead_memory_server_costs_disk_and_nothing_else(tmp_path: Path) -> None:
    """While the server is down tasks, descriptors and RSS do not grow with what waits, and all of it waits.

    Mutation check: with a task per waiting document it is red.
    """
    measured = await growth(SMALL, tmp_path)
    with closing(sqlite3.connect(tmp_path / "data" / "mneme.db")) as connection:
        (waiting,) = connection.execute("SELECT count(DISTINCT source) FROM outbox WHERE erase = 0").fetchone()
        (said,) = connection.execute("SELECT count(DISTINCT user_text) FROM exchanges").fetchone()

    assert waiting == said == SMALL.exchanges
    assert measured.tasks - measured.tasks_warm < SMALL.exchanges - SMALL.warm
    assert measured.descriptors - measured.descriptors_warm < 17
    assert measured.rss_mb - measured.rss_warm_mb < 50
