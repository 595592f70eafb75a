"""Packing: the items of the prompt, their detail and their budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.prompt.rendering import Attribution, Disclosure, MemoryPack, pack_items
from bot.memory.prompt.selection import SelectionLimits, select_memories
from language.tokens import count_tokens

BY_ANNA = Provenance(42, "Anna", "chat", Trust.USER, datetime(2026, 2, 7, 14, 30, tzinfo=UTC), "e7")


def item(content: str, layer: Layer = Layer.SEMANTIC, *, pinned: bool = False) -> MemoryItem:
    """Return an item that Anna said."""
    return MemoryItem(
        layer, ItemType.FACT, content.split(".", maxsplit=1)[0][:20], content, BY_ANNA, content, pinned=pinned
    )


def packed(
    *scored: tuple[MemoryItem, float],
    disclosure: Disclosure = Disclosure.SELECTIVE,
    top_k: dict[str, int] | None = None,
    soft: int = 600,
    most: int = 1000,
) -> MemoryPack:
    """Pack with a floor of 0.15 for relevance, and none for being of use."""
    limits = SelectionLimits(0.15, top_k or {}, help_floor=0.0)
    chosen = select_memories(scored, (), history=(), limits=limits)
    return pack_items(
        chosen.items, attribution=Attribution(BY_ANNA.said_at), disclosure=disclosure, soft_tokens=soft, max_tokens=most
    )


def test_a_line_says_when_who_what_kind_and_what() -> None:
    """Date, author, type and the content as it was said."""
    result = packed((item("My sister Vera lives in Porto."), 0.9))

    assert result.lines == ("- [2026-02-07 | Anna | project fact] My sister Vera lives in Porto.",)
    assert result.left_out == 0


def test_doubtful_sources_are_marked() -> None:
    """An item that no person said is shown as unverified."""
    told = item("The gate is B17.")
    told = replace(told, provenance=replace(BY_ANNA, author_id=0, author_name="", trust=Trust.BOT))

    assert "| assistant | project fact, unverified]" in packed((told, 0.9)).lines[0]


def test_irrelevant_items_stay_out_unless_pinned() -> None:
    """The floor holds for all but pinned items, which come first."""
    near, far, kept = item("near"), item("far"), item("kept", pinned=True)
    result = packed((near, 0.5), (far, 0.1), (kept, 0.0))

    assert [shown.content for shown in result.items] == ["kept", "near"]
    assert result.left_out == 0


def test_each_layer_has_its_limit() -> None:
    """The best of each layer are taken; a layer without an entry is not limited."""
    scored = [(item(f"e{n}", Layer.EPISODIC), 0.9 - n / 100) for n in range(5)]
    scored += [(item(f"s{n}"), 0.5 - n / 100) for n in range(5)]
    result = packed(*scored, top_k={"episodic": 2})

    assert [shown.content for shown in result.items] == ["e0", "e1", "s0", "s1", "s2", "s3", "s4"]


def test_the_index_shows_counts_only() -> None:
    """How many items there are, and no content."""
    result = packed((item("Porto"), 0.9), (item("Rome", Layer.EPISODIC), 0.8), disclosure=Disclosure.INDEX)

    assert "episodic: 1, semantic: 1" in result.lines[0]
    assert "Porto" not in "".join(result.lines)
    assert result.items == ()


def test_a_summary_shows_titles() -> None:
    """One title per item."""
    result = packed((item("My sister Vera lives in Porto. She has a dog."), 0.9), disclosure=Disclosure.SUMMARY)

    assert result.lines[0].endswith("My sister Vera lives")


def test_details_stop_at_the_soft_budget() -> None:
    """Selective detail gives the best items in full and the rest as titles; full goes on."""
    texts = [f"Item number {n} says something of some length. And more of it." for n in range(6)]
    scored = tuple((item(text), 0.9 - n / 100) for n, text in enumerate(texts))
    selective, full = packed(*scored, soft=60), packed(*scored, soft=60, disclosure=Disclosure.FULL)

    assert [line.endswith("And more of it.") for line in selective.lines] == [True, True, False, False, False, False]
    assert all(line.endswith("And more of it.") for line in full.lines)


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=300), st.booleans()), max_size=12),
    st.sampled_from(Disclosure),
    st.integers(0, 200),
    st.integers(0, 300),
)
def test_the_budget_is_never_exceeded(
    contents: list[tuple[str, bool]], disclosure: Disclosure, soft: int, most: int
) -> None:
    """What is charged is what is rendered, nothing is lost without being counted, a line stays a line."""
    chosen = tuple(item(text, pinned=pinned) for text, pinned in contents)
    result = pack_items(
        chosen, attribution=Attribution(BY_ANNA.said_at), disclosure=disclosure, soft_tokens=soft, max_tokens=most
    )

    assert count_tokens("\n".join(result.lines)) <= most
    assert result.tokens <= most
    assert not any("\n" in line for line in result.lines)
    if disclosure is not Disclosure.INDEX:
        assert len(result.items) + result.left_out == len(contents)
