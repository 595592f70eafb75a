"""Makes any text safe to store, send and show, in one place.

Three strengths: :func:`clean` keeps all that a person can see or that a language needs and is applied once, where text
comes in; :func:`remove_hidden` also drops characters that nobody sees but a model reads (zero-width, bidirectional,
tags);
:func:`flatten` is for names and titles that stand inside a line of their own.
Where a transcript is read by its lines, a line end inside somebody's text would let them speak for others
("hi⏎Bob: I agree"), and so would a name with a colon or a line end in it: :func:`render_spoken_line` takes them away.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NEWLINES: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
HIDDEN: Final = (
    "["
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers, Mongolian selectors
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero-width, bidirectional marks, embeddings, overrides, isolates
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"  # blank letters, variation selectors, byte order mark
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical formatting, tag characters ("ASCII smuggling")
    "]"
)
"""What :func:`remove_hidden` drops, as a regular expression for one character."""
_HIDDEN: Final = re.compile(HIDDEN)
_SPACES: Final = re.compile(r"\s+")


def clean(text: str) -> str:
    """Return ``text`` without NUL, control characters and lone surrogates; line ends become line feeds.

    Split surrogate pairs are joined, lone surrogates become U+FFFD: databases, JSON parsers and LightRAG refuse them.
    Cleaning twice changes nothing.
    """
    if text.isprintable():  # most messages of one line: nothing here is a printable character
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROLS.sub("", _NEWLINES.sub("\n", text))


def remove_hidden(text: str) -> str:
    """Return cleaned ``text`` without zero-width, bidirectional, filler and tag characters.

    What a person sees and what a model reads are then the same (Unicode TR36, "Unicode security considerations").
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub("", clean(text))


def spell_hidden(text: str) -> str:
    """Return ``text`` with each character that is not printed spelt out, ``‹U+034F›``; line ends and tabs stay.

    Not printed is what Unicode calls a default ignorable, format, control, unassigned or private character, or a blank
    other than the space.  Selectors and joiners between pictures belong to those and stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if _is_seen(char, text[place - 1 : place], text[place + 1 : place + 2]) else f"‹U+{ord(char):04X}›"
        for place, char in enumerate(text)
    )


def _is_seen(char: str, before: str, after: str) -> bool:
    if char in "\n\t" or (char.isprintable() and not _HIDDEN.match(char)):
        return True
    pictured = _is_picture(before) or before == "\ufe0f"
    return (char == "\ufe0f" and _is_picture(before)) or (char == "\u200d" and pictured and _is_picture(after))


def _is_picture(char: str) -> bool:
    return bool(char) and unicodedata.category(char) in {"So", "Sk"}


def flatten(text: str, limit: int = 200) -> str:
    """Return visible ``text`` on one line, cut to ``limit`` characters with "…"."""
    line = _SPACES.sub(" ", remove_hidden(text)).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


_LINE_END: Final = re.compile(r"(?<![ \t])[ \t]*+\n\s*+")
_COLONS: Final = re.compile("[:：﹕︰ː˸։׃܃܄᠄⁚∶꞉𝄈]+")
"""The colon and what looks like one."""
_NAME_CHARS: Final = 60
_MARK: Final = " ⏎ "


def flatten_name(name: str, fallback: str = "user") -> str:
    """Return a name that can stand before a colon; ``fallback`` where nothing of it is left."""
    return flatten(_COLONS.sub(" ", flatten(name, _NAME_CHARS)), _NAME_CHARS) or fallback


def flatten_text(text: str) -> str:
    """Return ``text`` on one line, with a mark for each of its line ends, whatever sign made them."""
    return _LINE_END.sub(_MARK, clean(text).strip())


def render_spoken_line(name: str, text: str, fallback: str = "user") -> str:
    """Return ``name: text`` on one line."""
    return f"{flatten_name(name, fallback)}: {flatten_text(text)}"
