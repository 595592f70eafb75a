"""Work grows with the length of what somebody writes, not with its square.

Every regular expression of the product and every function that a message's text goes through is fed with texts made to
keep it busy.  Each gets a part of them; with ``GROWTH=all`` in the environment each gets all.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable

from bot.memory.names import find_mentions
from language.sentences import split_sentences
from tests.cases import each_row
from tests.growth.attacks import attacks_on, outgrown, rows
from tests.growth.inventory import WHOLE, asked, patterns, works

_ALL = os.environ.get("GROWTH") == "all"
_PART, _SHARE = 150, 1 if _ALL else 4
"""A function meets one row of 150, a whole way one of 75; a pattern a quarter of its attacks."""


def test_the_work_of_every_text_function_grows_with_the_text() -> None:
    """Whatever public function can be called with a text alone is, and so are the whole ways of a message."""
    functions = works()
    parts = {name: _PART // 2 if name in WHOLE else _PART for name in functions} | {"split": 5 * _PART}
    parts = dict.fromkeys(parts, 1) if _ALL else parts
    said = {
        name: outgrown(work, rows()[place % parts[name] :: parts[name]])
        for place, (name, work) in enumerate(functions.items())
    }

    assert len(said) > 250
    assert {name: what for name, what in said.items() if what} == {}


def test_the_work_of_every_pattern_grows_with_the_text() -> None:
    """Each is attacked with repetitions made from its own syntax: all that were compiled, so after the functions."""
    found = patterns()
    said = {
        f"{one.where}: {one.pattern.pattern[:60]}": outgrown(
            asked(one), attacks_on(one.pattern)[place % _SHARE :: _SHARE]
        )
        for place, one in enumerate(found)
    }

    assert len(found) > 1_000
    assert {where: what for where, what in said.items() if what} == {}


@each_row(
    "source",
    [
        r"\bprefer\b|(?:^|(?<=[.!?;:]\s))\W*(?:please )?(?:always|never)\b",
        r"^\W*(?:what|which)\b(?:(?!\b(?:does|did)\b).)*?\b\w{3,}s\b.*?\b(?:does|did)",
        r"(?:(?:next|on|on next) )*monday",
    ],
)
def test_what_is_quadratic_is_noticed(source: str) -> None:
    """From its syntax alone; most of these were the product's once."""
    pattern = re.compile(source, re.DOTALL)

    assert outgrown(lambda text: sum(1 for _ in pattern.finditer(text)), attacks_on(pattern))


@each_row(
    ("work", "row"),
    [
        (inspect.unwrap(find_mentions), "Mr. "),
        (lambda text: split_sentences("*" * len(text) + text), "3. Mai "),
    ],
)
def test_what_stands_before_is_not_read_again_for_each_word(work: Callable[[str], object], row: str) -> None:
    """Red when each name, or each full stop, looked at the whole sentence before it."""
    assert outgrown(work, [("", row, "!")]) == ""


def test_what_a_function_does_for_each_letter_is_noticed() -> None:
    """Not only patterns are quadratic."""
    assert outgrown(lambda text: sum(text[:place].count("a") for place in range(len(text))), rows())
