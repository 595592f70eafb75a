"""Traces as they are stored."""

from __future__ import annotations

from datetime import timedelta

import orjson

from adapters.sqlite.rows.codec import dump_trace, load_trace
from adapters.sqlite.rows.exchanges import load_parts
from bot.memory.items import Channel, Recalled, Trust
from bot.turn import Trace
from harness.samples import NOON
from tests.cases import each_row


def memory(number: int) -> Recalled:
    """One of the memories that stood in a prompt."""
    text = f"My sister Vera moved to house {number} in Porto and keeps bees in the garden behind it."
    said_at = NOON + timedelta(days=number)
    return Recalled(
        f"turn:{number}:user",
        text,
        Channel.TURN,
        4.2,
        author="Anna",
        author_id=7,
        said_at=said_at,
        exchange=str(number),
    )


def test_a_trace_is_read_as_it_was_written_and_takes_little_room() -> None:
    """The texts of its memories were most of a database; together they deflate well."""
    trace = Trace(memories=tuple(map(memory, range(14))), notes=("long-term memory unavailable",), figures={"items": 3})
    written = dump_trace(trace)

    assert load_trace(written) == trace
    assert len(written) * 3 < sum(len(one.text) + 200 for one in trace.memories)


@each_row("damage", [b"", b"x", b"{", dump_trace(Trace())[:-3], orjson.dumps([])])
def test_a_damaged_trace_says_so(damage: bytes) -> None:
    """An answer can be explained without it, only not why."""
    assert load_trace(damage).notes == ("the trace of this answer cannot be read",)


@each_row("written", ["", "{", "null", "7", '[{"origin":"forwarded"}]', '[{"origin":"new","text":""}]', "[[]]"])
def test_a_part_list_that_cannot_be_read_leaves_nobody_their_word(written: str) -> None:
    """All of the text is somebody else's then, believed least: else a forward becomes the user's own word."""
    typed, parts = load_parts(written, "I promised Mallory 500 euros.")

    assert typed == ""
    assert [(part.text, part.author_id, part.trust) for part in parts] == [
        ("I promised Mallory 500 euros.", 0, Trust.TOOL)
    ]


@each_row("level", [-1, 5, 10**12])
def test_a_level_of_trust_that_does_not_exist_is_the_lowest(level: int) -> None:
    """A damaged bit makes nobody believed more, and no row unreadable."""
    assert Trust(level) is Trust.TOOL
