"""Variety against relevance."""

from __future__ import annotations

from bot.memory.items import Channel, Recalled
from bot.memory.ranking.fusion import diversify

FOUND = (
    Recalled("a", "the red harpsichord in the attic", Channel.TURN, 3.0),
    Recalled("b", "the red harpsichord in the attic again", Channel.TURN, 2.9),
    Recalled("c", "a train to Porto", Channel.TURN, 1.0),
)


def _keys(found: tuple[Recalled, ...]) -> str:
    return "".join(memory.key for memory in found)


def test_no_strength_changes_nothing() -> None:
    """Off is off."""
    assert diversify(FOUND, 0.0) == FOUND


def test_what_is_new_comes_before_what_was_said() -> None:
    """The best one stays first, nothing is lost."""
    assert _keys(diversify(FOUND, 0.6)) == "acb"


def test_a_little_variety_leaves_clear_winners() -> None:
    """Relevance still counts."""
    assert _keys(diversify(FOUND, 0.1)) == "abc"
