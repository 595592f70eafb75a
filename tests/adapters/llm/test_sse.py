"""Server-sent events however the network and the server cut them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.llm.stream import MAX_LINE_CHARS, SseParser
from bot.errors import ModelUnavailable

STREAM = (
    '\ufeff: comment\r\n\r\nevent: message\r\nid: 7\r\ndata: {"a": 1}\r\n\r\n'
    "data:no space\n\ndata: two\ndata: lines\n\nretry: 10\n\n\n\ndata: \u2028 and \x85 stay: Порто 🏠\r\r"
    '{"bare": true}\n\ndata: last without blank line'
)
EVENTS = (
    '{"a": 1}',
    "no space",
    "two\nlines",
    "\u2028 and \x85 stay: Порто 🏠",
    '{"bare": true}',
    "last without blank line",
)


@given(st.lists(st.integers(min_value=1, max_value=len(STREAM.encode()) - 1), max_size=40))
def test_the_cuts_of_the_network_do_not_matter(cuts: list[int]) -> None:
    """The same events come out whatever bytes arrive together: inside characters, inside line ends, anywhere."""
    data = STREAM.encode()
    parser = SseParser()
    edges = [0, *sorted(set(cuts)), len(data)]
    found = [event for start, end in pairwise(edges) for event in parser.feed(data[start:end])]

    assert (*found, *parser.finish()) == EVENTS


def test_a_line_without_end_is_refused() -> None:
    """A server that never ends its line does not fill our memory."""
    parser = SseParser()
    parser.feed(b"x" * MAX_LINE_CHARS)
    with pytest.raises(ModelUnavailable):
        parser.feed(b"x")


@given(st.binary(max_size=400))
def test_any_bytes_are_survived(data: bytes) -> None:
    """No byte sequence raises."""
    parser = SseParser()

    assert all(isinstance(event, str) for event in (*parser.feed(data), *parser.finish()))
