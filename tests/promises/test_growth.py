"""Work grows with the length of what somebody writes, not with its square.

Every regular expression of the product and every function that a message's text goes through is fed with texts made to
keep it busy.  ``python -m benchmarks.growth`` takes all texts for all of them; here each gets a part of them.
"""

from __future__ import annotations

import ast
import re

from harness.growth.attacks import attacks_on, outgrown, rows
from harness.growth.inventory import asked, calls_of_re, patterns
from harness.growth.paths import WHOLE, works

_PART = 24
"""Every row meets a twenty-fourth of the functions and a twelfth of the whole ways; cutting long answers, where a call
costs a tenth of a second, gets one row in 120."""


def test_the_work_of_every_pattern_grows_with_the_text() -> None:
    """Each is attacked with repetitions made from its own syntax, an eighth of them."""
    said = {
        f"{one.where}: {one.pattern.pattern[:60]}": outgrown(asked(one), attacks_on(one.pattern)[place % 8 :: 8])
        for place, one in enumerate(patterns())
    }

    assert {where: what for where, what in said.items() if what} == {}


def test_the_work_of_every_text_function_grows_with_the_text() -> None:
    """Whatever public function can be called with a text alone is, and so are the whole ways of a message."""
    parts = {name: _PART // 2 if name in WHOLE else _PART for name in works()} | {"split": 5 * _PART}
    said = {
        name: outgrown(work, rows()[place % parts[name] :: parts[name]])
        for place, (name, work) in enumerate(works().items())
    }

    assert len(said) > 90
    assert {name: what for name, what in said.items() if what} == {}


def test_what_is_quadratic_is_noticed() -> None:
    """A pattern of which it is known that blanks to fill in keep it busy is found from its syntax alone."""
    known = re.compile(r"pass\s*(?:\w+\s*)*:")
    quadratic = re.compile(r"\b[\w.+-]+@[\w-]+")

    assert outgrown(lambda text: sum(1 for _ in quadratic.finditer(text)), attacks_on(quadratic))
    assert outgrown(lambda text: sum(text[:place].count("a") for place in range(len(text))), rows())
    assert known.search("pass: ")


def test_no_pattern_is_missed() -> None:
    """A pattern that a module compiles as a literal is among those that are attacked; there are hundreds."""
    attacked = {one.pattern.pattern for one in patterns()}
    literals = {
        str(call.args[0].value)
        for _, call in calls_of_re()
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }

    assert len(attacked) > 250
    assert sorted(literals - attacked) == []
