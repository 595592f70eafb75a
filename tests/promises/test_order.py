"""P5: in a chat nothing overtakes anything."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from harness.chaos.figures import Facts
from harness.chaos.order import Plan, inversions

SMALL = Plan(chats=12, messages=5, faults=0.2, seed=5, settle_s=60.0)


def in_order(texts: Iterable[tuple[object, str]]) -> bool:
    """Whether the numbers in the texts of each place only grow."""
    numbers: dict[object, list[str]] = defaultdict(list)
    for place, text in texts:
        numbers[place] += re.findall(r"N\d{3}N", text)[:1]
    return all(found == sorted(found) for found in numbers.values())


async def test_order_per_chat_holds_whatever_fails(tmp_path: Path) -> None:
    """History, replies and documents of a chat are in the order of its messages, under faults of everything outside.

    Counted here from what the messenger sent, the database holds and the memory server was given.
    Mutation check: with a dispatcher that starts a worker for every message it is red.
    """
    kept: list[Facts] = []
    figures = await inversions(SMALL, tmp_path, kept.append)
    with closing(sqlite3.connect(tmp_path / "data" / "mneme.db")) as connection:
        history = connection.execute("SELECT scope_no, user_text FROM exchanges ORDER BY id").fetchall()
    facts = kept[0]

    assert in_order(history)
    assert in_order(facts.shown)
    assert in_order((workspace, text) for workspace, _, text in facts.documents)
    assert sorted(text for _, text in history) == sorted(text for _, text in facts.said)
    assert len(set(history)) == len(history) == SMALL.chats * SMALL.messages
    assert len(facts.documents) > len(history) / 2
    assert figures.faults > 0
