"""P5: in a chat nothing overtakes anything."""

from __future__ import annotations

from pathlib import Path

from benchmarks.chaos.order import Plan, inversions

SMALL = Plan(chats=12, messages=5, faults=0.2, seed=5, settle_s=60.0)


async def test_order_per_chat_holds_whatever_fails(tmp_path: Path) -> None:
    """History, replies and documents of a chat are in the order of its messages, under faults of everything outside.

    Mutation check: with a dispatcher that starts a worker for every message it is red.
    """
    figures = await inversions(SMALL, tmp_path)

    assert figures.inversions == 0, f"{figures}"
    assert figures.exchanges == figures.messages, f"{figures}"
    assert figures.double == 0
    assert figures.faults > 0
    assert figures.documents > figures.messages / 2
