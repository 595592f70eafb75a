"""The benchmark of reminders, small."""

from __future__ import annotations

from pathlib import Path

from harness.reminders.load import measure


async def test_none_is_lost_and_none_is_doubled(tmp_path: Path) -> None:
    """Of two hundred reminders fifty are due at once: each is said once."""
    figures = await measure(tmp_path, reminders=200, due=50)

    assert (figures["lost"], figures["doubled"]) == (0, 0)
