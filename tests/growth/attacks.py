"""Texts made to keep a regular expression or a text function busy.

A backtracking engine is slow where what it repeats can be cut in many ways and what follows never comes.
So an attack is a beginning, something that is repeated as often as fits, and an end that does not match.
For a pattern they are read off its own syntax tree; for a text function they are what people and machines write in
rows.
"""

from __future__ import annotations

import gc
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from re import _constants as signs  # type: ignore[attr-defined]  # the standard library's own parser of patterns
from re import _parser as parser  # type: ignore[attr-defined]  # as above
from typing import Any, Final, TypeVar

HALF: Final = "a…"
"""Stands for an end as long as all before it: what is repeated may look for something there again and again."""
ENDS: Final = ("\x01", "", HALF)
"""What follows the repeated part; the first is refused by nearly every pattern."""
_ALPHABET: Final = " _0.aZя\"'-/:\n\t>[(`*#@=,!я\u00a0$|<~\\xeJ1"
_MIXED: Final = ("a.", "a-", "a ", "1.", "1 ", "a@", "a'", "a/", "a:", "a_", "a\n", '"a', "A b ", "a, ")
"""A sign in each word: a border of words at every other letter."""
_SEVERAL: Final = 3
_REPEATS: Final = {signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT}
_MANY: Final = 8
"""A repetition that may go on at least so far is worth an attack."""
_SOON: Final = 256
"""One that ends here costs a fixed number of steps at each letter, unless it stands in another."""
_MOST_PUMPS: Final = 32
_FOREVER: Final = 40
"""How often what has no end is repeated in a sample."""

T = TypeVar("T")
Attack = tuple[str, str, str]
"""A beginning, what is repeated after it, and an end."""
Node = Any  # a pair of opcode and argument, as ``re._parser`` makes them

ROWS: Final = tuple(json.loads(Path(__file__).with_name("rows.json").read_text(encoding="utf-8")))
"""What stands in rows: by people (forms, lists, quotations), by machines (dates, tables), by those who mean harm."""


def attacks_on(pattern: re.Pattern[str]) -> list[Attack]:
    """Return beginnings, repeated parts and ends made from the pattern itself, each once.

    There are none on a pattern whose repetitions all end soon and hold no others: its work at each letter is bounded.
    """
    tree = list(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
    if not _may_grow(tree, inside=False):
        return []
    pumps = dict.fromkeys(_repeated(tree, []))
    whole = _sample(tree, 0)
    pumps |= dict.fromkeys(("", row) for row in (whole, whole[:-1], whole + " ", *_MIXED))
    rows = [(start, row) for start, row in pumps if row]
    step = max(1, len(rows) // _MOST_PUMPS)
    return [(start, row, ENDS[n % len(ENDS)]) for n, (start, row) in enumerate(rows[::step])]


def _may_grow(nodes: list[Node], *, inside: bool) -> bool:
    """Return whether a repetition goes on for long, or stands in another one that may be parted in many ways."""
    for kind, argument in nodes:
        long = kind in _REPEATS and argument[1] >= _MANY
        if long and (inside or argument[1] > _SOON):
            return True
        if any(_may_grow(body, inside=inside or long) for body in _bodies(kind, argument)):
            return True
    return False


def _bodies(kind: Any, argument: Any) -> list[list[Node]]:
    """Return the sequences that a node holds."""
    if kind in _REPEATS:
        return [list(argument[2])]
    if kind is signs.BRANCH:
        return [list(branch) for branch in argument[1]]
    if kind is signs.SUBPATTERN:
        return [list(argument[3])]
    if kind in {signs.ASSERT, signs.ASSERT_NOT}:
        return [list(argument[1])]
    return [list(argument)] if kind is signs.ATOMIC_GROUP else []


def rows() -> list[Attack]:
    """Return the rows as attacks: each alone, and each as the first half before a long word."""
    return [("", row, end) for row in ROWS for end in ("!", HALF)]


def grown(attack: Attack, size: int) -> str:
    """Return the attack as a text of about ``size`` characters."""
    start, row, end = attack
    if end == HALF:
        size //= 2
        end = "a" * size
        return start + row * max(1, (size - len(start)) // len(row)) + end
    return start + row * max(1, (size - len(start) - len(end)) // len(row)) + end


def _repeated(nodes: list[Node], before: list[Node]) -> Iterator[tuple[str, str]]:
    """Yield what stands before each long repetition and samples of what is repeated, alone and with what is around."""
    for place, (kind, argument) in enumerate(nodes):
        if kind in _REPEATS and argument[1] >= _MANY:
            after = _sample(nodes[place + 1 :], 0)[:_FOREVER]
            for turn in range(_SEVERAL):
                start, sample = _sample(before, turn), _sample(list(argument[2]), turn)
                yield from ((start, sample), ("", sample), ("", start + sample), ("", start + sample + after))
        for body in _bodies(kind, argument):
            yield from _repeated(body, before)
        before = [*before, (kind, argument)]


def _sample(nodes: list[Node], turn: int) -> str:
    """Return a text that these nodes match, or nearly; ``turn`` chooses among what is equal to them."""
    return "".join(_one(kind, argument, turn) for kind, argument in nodes)


def _one(kind: Any, argument: Any, turn: int) -> str:  # noqa: PLR0911  one return for each kind of node
    if kind is signs.LITERAL:
        return chr(argument)
    if kind is signs.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if kind is signs.ANY:
        return "a b"[turn % 3]
    if kind is signs.IN:
        return _member(tuple(argument), turn)
    if kind in _REPEATS:
        least, most, body = argument
        return _sample(list(body), turn) * max(int(least), 1 if most else 0)
    if kind is signs.BRANCH:
        branches = argument[1]
        return _sample(list(branches[turn % len(branches)]), turn)
    if kind is signs.SUBPATTERN:
        return _sample(list(argument[3]), turn)
    if kind is signs.ATOMIC_GROUP:
        return _sample(list(argument), turn)
    if kind is signs.ASSERT and argument[0] < 0:  # what stands before may be what was just read
        return _sample(list(argument[1]), turn)
    return ""  # other assertions and borders take no room


@cache
def _member(members: tuple[Node, ...], turn: int) -> str:
    """Return a character of a class; later turns prefer its later members."""
    fitting = [c for c in _ALPHABET if _holds(members, c)]
    if members and members[0][0] is not signs.NEGATE:
        named = [chr(value) if kind is signs.LITERAL else "" for kind, value in members]
        named += [chr(value[0]) for kind, value in members if kind is signs.RANGE]
        fitting += [one for one in named if one]
    return fitting[(turn * 5) % len(fitting)] if fitting else "\x02"


def _holds(members: tuple[Node, ...], character: str) -> bool:
    code = ord(character)
    negated = any(kind is signs.NEGATE for kind, _ in members)
    found = any(
        (kind is signs.LITERAL and value == code)
        or (kind is signs.RANGE and value[0] <= code <= value[1])
        or (kind is signs.CATEGORY and _in_category(value, character))
        for kind, value in members
    )
    return found is not negated


def _in_category(category: Any, character: str) -> bool:
    name = str(category)
    held = (
        character.isdigit()
        if "DIGIT" in name
        else character.isspace()
        if "SPACE" in name
        else character.isalnum() or character == "_"
    )
    return held is not ("_NOT_" in name)


# Work is timed in processor time.  What costs nothing at 2 kB passes; what costs something is compared with 0.5 kB, and
# what grows too much there has to do so at every size up to one whose cost no chance explains.  So most texts cost two
# short calls, and neither a busy machine nor a repetition that ends after a thousand letters looks quadratic.

SIZES: Final = (125, 500, 2_000, 8_000, 32_000)
FLOOR_S: Final = 0.0005
"""What costs less at 2 kB costs 32 ms at 16 kB even if it is quadratic: nobody notices."""
_PLAIN_S: Final = 0.1
"""A cost that no chance explains: what grew too much up to here need not be tried at more."""
_ENDLESS_S: Final = 2.5
"""What costs so much at 2 kB or before is not tried any further: it may never come back."""
MOST: Final = 8.0
"""How much dearer a text of four times the length may be; sixteen times is quadratic, four linear."""
_TRIES: Final = 3


def outgrown(work: Callable[[str], object], attacks: Iterable[Attack]) -> str:
    """Return a sentence about the first attack that costs more than in proportion, "" when none does."""
    for attack in attacks:
        texts = [grown(attack, size) for size in SIZES]
        for text in (texts[0], texts[2]):
            once = measure_cost(work, text, 1)
            if once > _ENDLESS_S and measure_cost(work, text, 1) > _ENDLESS_S:  # the first call may read a file
                return f"{attack!r:.160}: {len(text)} characters cost {once:.1f} s"
        if once > FLOOR_S and (times := _growth(work, texts[1:])) > MOST:
            return f"{attack!r:.160}: four times the length costs {times:.1f} times as much"
    return ""


def _growth(work: Callable[[str], object], texts: list[str]) -> float:
    """Return how much dearer a text is than the one before at the last size tried; 0 if it costs nothing."""
    times = 0.0
    for small, large in pairwise(texts):
        cost = measure_cost(work, large, _TRIES)
        times = cost / measure_cost(work, small, _TRIES) if cost > FLOOR_S else 0.0
        if times <= MOST or cost > _PLAIN_S:
            break
    return times


def measure_cost(work: Callable[[T], object], text: T, tries: int = _TRIES) -> float:
    """Return the least of several costs, in seconds of this thread, the garbage collector's aside."""
    least = float("inf")
    for _ in range(tries):
        gc.disable()
        try:
            began = time.thread_time()
            work(text)
            least = min(least, time.thread_time() - began)
        finally:
            gc.enable()
        if least > _PLAIN_S:
            break
    return least
