"""A few days at the border of a month, run as the benchmark runs a whole one."""

from __future__ import annotations

from pathlib import Path

from harness.month import Plan, simulate


async def test_every_chat_and_model_costs_what_the_server_booked(tmp_path: Path) -> None:
    """To the last token and to the billionth of a cent, with what was read from caches and made in the background.

    Seen to fail with the calls of learning left uncounted, with cached tokens at the full price, and with months that
    begin a day early.
    """
    figures = await simulate(Plan(chats=2, messages=1, days=6), tmp_path)

    assert figures.wrong == ()
    assert figures.kinds == ("answer", "check", "learning", "search")
    assert figures.money == figures.booked_money
    assert figures.calls < figures.calls_in_all
