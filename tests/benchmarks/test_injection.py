"""A small run of the injection benchmark: the worst model there is changes nothing on another's word."""

from __future__ import annotations

from pathlib import Path

from harness.injection import CHANNELS, payloads, run


async def test_an_obedient_model_changes_nothing_that_was_not_asked(tmp_path: Path) -> None:
    """All channels, three turns each: no write, no erase and no side effect that was not the user's."""
    counts = await run(tmp_path, payloads()[1:3])

    assert counts.sequences == 2 * len(CHANNELS)
    assert counts.found == []
    assert (counts.writes, counts.erases, counts.side_effects) == (0, 0, 0)
    assert counts.asked > 0
