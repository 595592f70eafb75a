"""The life of items: how they merge, contradict, expire, fade and rise."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.items import (
    HALF_LIFE_DAYS,
    ItemType,
    Layer,
    MemoryItem,
    Trust,
    is_expired,
    merge_items,
    promote_item,
    raise_salience,
    rate_freshness,
    supersedes,
)
from bot.messages import Author
from harness.samples import NOON, item
from tests.cases import each_row

SHARES = st.floats(0, 1)


def dated(one: MemoryItem, **ago: float) -> MemoryItem:
    """The item as said some time before noon."""
    return replace(one, updated_at=NOON - timedelta(**ago), created_at=NOON - timedelta(**ago))


@given(SHARES, SHARES)
def test_restating_never_weakens(old: float, new: float) -> None:
    """Confidence grows, stays below certainty, and never falls."""
    result = merge_items(item("x", confidence=old), item("x", confidence=new)).confidence

    assert old <= result <= max(old, 0.99)


def test_a_less_trusted_text_does_not_strengthen() -> None:
    """A web page that repeats a claim makes it no truer."""
    said, read = item("x", confidence=0.5), item("x", confidence=1.0, trust=Trust.TOOL)

    assert merge_items(said, read).confidence == 0.5
    assert merge_items(said, read).provenance == said.provenance


def test_a_more_trusted_source_takes_over() -> None:
    """What the owner says after a web page said it is the owner's."""
    read, said = item("x", trust=Trust.TOOL), item("x", trust=Trust.OWNER)

    assert merge_items(read, said).provenance.trust is Trust.OWNER


def test_merging_keeps_the_stronger_of_each() -> None:
    """Layer, pin, tags and life; the old text and id stay."""
    old = replace(item("x", layer=Layer.EPISODIC, ttl_s=60), id=5, tags=("a",))
    new = replace(item("y", layer=Layer.SEMANTIC, pinned=True), tags=("b", "a"))
    result = merge_items(old, new)

    assert (result.id, result.content, result.layer) == (5, "x", Layer.SEMANTIC)
    assert (result.pinned, result.tags, result.ttl_s) == (True, ("a", "b"), None)


def test_only_the_same_author_on_the_same_subject_supersedes() -> None:
    """Different words on one subject by one author: the later counts."""
    old = item("lives in Porto", subject="vera|live")

    assert supersedes(item("lives in Lisbon", subject="vera|live"), old)
    assert not supersedes(item("lives in Lisbon", subject="ben|live"), old)
    assert not supersedes(item("lives in Lisbon"), item("lives in Porto"))
    assert not supersedes(item("lives in Porto", subject="vera|live"), old)
    assert not supersedes(item("lives in Lisbon", subject="vera|live", author=Author(43, "Ben")), old)
    assert not supersedes(item("lives in Lisbon", subject="vera|live", trust=Trust.FILE), old)


def test_an_import_tells_of_the_past() -> None:
    """Old history read in today does not overrule what was said since."""
    old = item("lives in Porto", subject="vera|live")
    past, future = NOON - timedelta(days=9), NOON + timedelta(days=9)

    assert not supersedes(item("lives in Rome", subject="vera|live", source="import", said_at=past), old)
    assert supersedes(item("lives in Rome", subject="vera|live", source="import", said_at=future), old)
    assert supersedes(item("lives in Rome", subject="vera|live", said_at=past), old)


def test_expiry_counts_from_the_last_change() -> None:
    """At the very second it still lives; pinned and undated items live on."""
    one = dated(item("x", ttl_s=60), seconds=60)

    assert not is_expired(one, NOON)
    assert is_expired(one, NOON + timedelta(seconds=1))
    assert not is_expired(replace(one, pinned=True), NOON + timedelta(days=1))
    assert not is_expired(replace(one, ttl_s=None), NOON + timedelta(days=9999))


@each_row("layer", list(Layer))
def test_freshness_halves_per_half_life(layer: Layer) -> None:
    """A task state fades in days, a fact about a person in years."""
    one = dated(item("x", layer=layer), days=HALF_LIFE_DAYS[layer])

    assert rate_freshness(one, NOON) == pytest.approx(0.5)
    assert rate_freshness(replace(one, accessed_at=NOON), NOON) == 1.0


def test_freshness_survives_a_clock_set_back() -> None:
    """Something from tomorrow is as fresh as can be, not fresher."""
    assert rate_freshness(dated(item("x"), days=-3), NOON) == 1.0


@given(SHARES)
def test_use_makes_salient(before: float) -> None:
    """A little, and never beyond 1."""
    assert before <= raise_salience(before) <= 1


def test_what_proved_itself_is_promoted() -> None:
    """By being said again or used; what was superseded, doubted or is a task is not."""
    episode = item("x", layer=Layer.EPISODIC)
    fix = item("x", layer=Layer.EPISODIC, type_=ItemType.FIX)
    by_word, by_use = promote_item(episode, restated=2, uses=0), promote_item(fix, restated=0, uses=4)

    assert by_word is not None
    assert by_word.layer is Layer.SEMANTIC
    assert by_use is not None
    assert by_use.layer is Layer.PROCEDURAL
    assert promote_item(episode, restated=1, uses=3) is None
    assert promote_item(replace(episode, superseded_by=3), restated=9, uses=9) is None
    assert promote_item(replace(episode, confidence=0.3), restated=9, uses=9) is None
    assert promote_item(replace(episode, type=ItemType.TASK), restated=9, uses=9) is None
    assert promote_item(item("x", layer=Layer.SEMANTIC), restated=9, uses=9) is None
