"""Patterns are compiled when they are asked: all of them can be, and a start compiles few."""

from __future__ import annotations

import re

import pytest

from language.patterns import compile_at_use

_COMPILE_ALL = """
import re
import language.patterns
made = []
def compile_now(source, flags=0):
    made.append(re.compile(source() if callable(source) else source, flags))
    return made[-1]
language.patterns.compile_at_use = compile_now
import bot.compose.entry_points
print(len(made))
"""


def test_a_pattern_is_written_out_and_compiled_at_its_first_use() -> None:
    asked: list[str] = []

    def write() -> str:
        asked.append("once")
        return r"(?P<word>ca.)"

    pattern = compile_at_use(write, re.IGNORECASE)
    assert not asked
    found = pattern.search("a CAT")
    assert found is not None
    assert (found["word"], pattern.groupindex, pattern.sub("dog", "cat cab")) == ("CAT", {"word": 1}, "dog dog")
    assert found.re == pattern
    assert found.re != compile_at_use(write, re.IGNORECASE)
    assert asked == ["once"]


def test_a_mistake_in_a_pattern_shows_when_it_is_asked() -> None:
    with pytest.raises(re.error):
        compile_at_use("(").search("")
