"""People's own words inside our Markdown: shown as they are, on one line, never as markup."""

from __future__ import annotations

import re
from typing import Final

_SPACES: Final = re.compile(r"\s+")
_INVISIBLE: Final = re.compile("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_MARKUP: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])|[`*<]|\](?=[(\[])|\$(?=[^$\n]*\$)|(?<!\w)_|_(?!\w)|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\||&(?=#?\w+;)"
)
_TICKS: Final = re.compile("`{3,}")
_SHOWN: Final = 240


def escaped(text: str, limit: int = _SHOWN) -> str:
    """Return ``text`` on one line, at most ``limit`` characters, with what would be Markdown escaped.

    Only what would really change the look is escaped, so that codes and names stay readable where Markdown is shown as
    plain text.
    """
    line = _INVISIBLE.sub("", _SPACES.sub(" ", text)).strip()
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return _MARKUP.sub(lambda match: "\\" + match.group(), line)


def quoted(text: str, limit: int = _SHOWN) -> str:
    """Return ``text`` as :func:`escaped` does, in quotation marks."""
    return f"“{escaped(text, limit)}”"


def verbatim(text: str) -> str:
    """Return ``text`` so that every byte of it is seen: quoted if it is one plain line, else as a code block."""
    if "\n" not in text and escaped(text, len(text) + 1) == text:
        return f"“{text}”"
    fence = "`" * max(3, *(len(run) + 1 for run in _TICKS.findall(text)), 0)
    return f"\n{fence}\n{text}\n{fence}"
