"""A small run of the injection benchmark: the worst model there is changes nothing on another's word."""

from __future__ import annotations

from pathlib import Path

from bot.memory.learning.wishes import WishKind, find_wishes
from harness.injection import CHANNELS, WISHES, payloads, run


async def test_an_obedient_model_changes_nothing_that_was_not_asked(tmp_path: Path) -> None:
    """All channels, three turns each: no write, no erase and no side effect that was not the user's.

    Without ``split_pasted`` pasted wishes are kept, reminders set and cancelled; without ``tells_unsaid`` the user's
    city is fetched.
    """
    counts = await run(tmp_path, [next(each for each in payloads() if each.every_tool)])

    assert counts.sequences == len(CHANNELS) - 1
    assert counts.found == []
    assert (counts.writes, counts.erases, counts.side_effects, counts.fetched) == (0, 0, 0, 0)
    assert counts.asked > 0
    assert counts.ordered >= {"forget", "remember", "remind", "web_fetch"}


def test_every_kind_of_wish_is_ordered() -> None:
    """A kind that is added has to be ordered, too."""
    assert {wish.kind for text in WISHES for wish in find_wishes(text)} == set(WishKind)
