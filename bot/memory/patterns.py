"""Bounds on the work of rules: patterns whose work grows with the length of a text, and the part of a text they see.

``re`` tries every way to part a text between repetitions that could take the same letters, and begins anew at every
letter.  A repetition without an end makes that quadratic or worse on texts that anybody can write: a form with blanks
to fill in, a column of dates.  One with an end costs at most a fixed number of steps a letter.
(RE2, a linear-time engine, knows no look-behind, which many of these patterns need.)
Every rule costs time for every letter all the same, and while one reads, no other chat is answered.  A message is
stored, shown to the model and masked as a whole, however long it is; what is said beyond the limit is only not
analysed: no question, no fact, no date is looked for in it.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from language import Language, alternatives, languages
from language.patterns import compile_at_use

WORD: Final = 64
"""The longest word, and the longest repetition of anything but white space."""
GAP: Final = 8
"""The longest white space between two words."""
_PIECE: Final = re.compile(
    r"\\.|\[\^?\]?(?:[^\]\\]|\\.){0,200}\]|\(\?P[<=][A-Za-z0-9_]{1,40}[>)]?|\(\?[:=!<>a-zA-Z-]{0,8}|\{[0-9,]{1,9}\}|.",
    re.DOTALL,
)


def bound_repetitions(source: str) -> str:
    r"""Return the pattern in which every ``*`` and ``+`` has an end: ``\w+`` is ``\w{1,64}``, ``\s*`` is ``\s{0,8}``.

    Possessive repetitions (``\w++``) stay: what they have taken they do not part again.
    """
    pieces = _PIECE.findall(source)
    written: list[str] = []
    for place, piece in enumerate(pieces):
        following = pieces[place + 1] if place + 1 < len(pieces) else ""
        before = pieces[place - 1] if place else ""
        if piece not in "*+" or before in {"*", "+", "?"} or before.startswith("{") or following == "+":
            written.append(piece)
            continue
        most = GAP if before in {r"\s", " ", r"[ \t]"} else WORD
        written.append(f"{{{'1' if piece == '+' else '0'},{most}}}")
    return "".join(written)


def compile_bounded(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern with every repetition of it bounded, compiled at its first use."""
    return compile_at_use(lambda: bound_repetitions(source), flags)


def compile_words(read: Callable[[Language], str]) -> re.Pattern[str]:
    """Return the pattern, in either case, of the whole words that ``read`` takes of each language, "" for none."""
    return compile_bounded(rf"(?<!\w){alternatives(map(read, languages()))}(?!\w)", re.IGNORECASE)


MOST_ANALYSED: Final = 20_000
"""Characters: five full messages of Telegram, about ten pages; what is longer is a document that was pasted."""
_WORD: Final = 64


@lru_cache(maxsize=64)
def cut_for_rules(text: str) -> str:
    """Return the beginning of a text that rules look at, no word of it cut in two."""
    if len(text) <= MOST_ANALYSED:
        return text
    end = max(text.rfind(sign, MOST_ANALYSED - _WORD, MOST_ANALYSED) for sign in " \n\t")
    return text[: end if end > 0 else MOST_ANALYSED]


def describe_unanalysed(text: str) -> str:
    """Return a sentence about what is not analysed of a text that is longer than what rules look at."""
    return f"the first {MOST_ANALYSED} of {len(text)} characters were analysed; all of them are kept"
