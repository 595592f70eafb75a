"""The relevance of an item."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.items import ItemType, Match, MemoryItem, rate_relevance, scale_cosine, select_best, weigh_words
from harness.samples import NOON, item
from tests.cases import each_row

SHARES = st.floats(0, 1)


def fresh(one: MemoryItem) -> MemoryItem:
    """Said just now."""
    return replace(one, updated_at=NOON)


@given(SHARES, SHARES, SHARES, SHARES, st.sampled_from(list(ItemType)), st.integers(-400, 4000))
def test_relevance_is_a_share(
    lexical: float, dense: float, confidence: float, salience: float, type_: ItemType, days: int
) -> None:
    """Whatever the item and the match, it lies in 0..1."""
    one = replace(item("x", type_=type_, confidence=confidence), salience=salience)
    aged = replace(one, updated_at=NOON - timedelta(days=days))

    assert 0 <= rate_relevance(aged, Match(lexical, dense), NOON) <= 1


@given(SHARES, SHARES, SHARES)
def test_a_better_match_is_never_less_relevant(lexical: float, dense: float, more: float) -> None:
    """More words or more meaning in common only help."""
    one = fresh(item("x"))

    assert rate_relevance(one, Match(lexical, dense), NOON) <= rate_relevance(
        one, Match(max(lexical, more), dense), NOON
    )


def test_importance_without_a_match_is_nothing() -> None:
    """A fresh, certain, salient fact on another subject stays out."""
    one = replace(fresh(item("x", confidence=1.0)), salience=1.0)

    assert rate_relevance(one, Match(), NOON) == 0


def test_a_standing_instruction_keeps_a_small_share() -> None:
    """It holds for every answer, and is still below what matches."""
    standing = rate_relevance(fresh(item("x", type_=ItemType.PREFERENCE)), Match(), NOON)

    assert 0 < standing < rate_relevance(fresh(item("x")), Match(0.5, 0.0), NOON)


def test_a_pinned_item_is_certain() -> None:
    """The person said so."""
    assert rate_relevance(fresh(item("x", pinned=True)), Match(), NOON) == 1


def test_the_newer_of_two_equals_wins() -> None:
    """Recency decides among equal matches."""
    match = Match(0.6, 0.4)
    old = replace(item("x"), updated_at=NOON - timedelta(days=700))

    assert rate_relevance(old, match, NOON) < rate_relevance(fresh(item("x")), match, NOON)


def test_rare_words_weigh_more() -> None:
    """A word that every item has tells little."""
    weights = weigh_words(("vera", "live"), {"vera": 1, "live": 90}, 100)

    assert weights["vera"] > 3 * weights["live"]
    assert weights["live"] > 0


@each_row(("cosine", "share"), [(-1.0, 0.0), (0.35, 0.0), (0.575, 0.5), (0.8, 1.0), (1.0, 1.0)])
def test_cosines_become_shares(cosine: float, share: float) -> None:
    """Below noise nothing, above certainty all."""
    assert scale_cosine(cosine) == pytest.approx(share)


def test_the_best_come_first_and_none_that_matches_nothing() -> None:
    """Newest first among equals, no more than asked for."""
    strengths = {1: 0.5, 2: 0.9, 3: 0.5, 4: 0.0}
    items = [fresh(replace(item("x"), id=number)) for number in strengths]
    matches = {number: Match(strength, 0.0) for number, strength in strengths.items()}

    assert [one.id for one, _ in select_best(items, matches, NOON, 9)] == [2, 3, 1]
    assert [one.id for one, _ in select_best(items, matches, NOON, 2)] == [2, 3]
