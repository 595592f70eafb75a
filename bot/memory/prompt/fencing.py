"""Fences and escaping: what keeps remembered text from passing for anything else in what a model reads.

Nothing here tries to recognise words that are meant to command the model.  What holds is structural: a memory is one
line, cannot open a heading, a role or a tag, and cannot know the mark of the fence it stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bot.memory.sanitise import remove_hidden

_MARK: Final = re.compile(r"[A-Za-z0-9]{8,64}")
_LINES: Final = re.compile(r"(?<!\s)[^\S\n]*+\n\s*+")
_TAG: Final = re.compile(r"<(?=[A-Za-z/|!?<])")
_TAG_END: Final = re.compile(r"(?<=[|>])>")
_ROLE: Final = re.compile(r"\[(?=/?(?:INST|SYS|system|assistant|user|tool)\b)", re.IGNORECASE)
_IMAGE: Final = re.compile(r"!(?=\[)")
_SIGNS: Final = re.compile(r"[<>\[!`~]")
"""What the patterns above and below begin or end with, as far as it is printable ASCII."""
_BRACKETS: Final = str.maketrans("[]|", "()/")
_LONGEST_NAME: Final = 40
_TICKS: Final = re.compile(r"`{3,}|~{3,}")


def escape_line(text: str) -> str:
    """Return ``text`` as one line without hidden characters, tags, chat template marks, code fences and images.

    A line end becomes " / "; what a person reads stays the same but for the signs that machines read.
    """
    if text.isascii() and text.isprintable() and not _SIGNS.search(text):
        return text.strip()  # most memories, and a prompt holds a hundred of them
    line = _LINES.sub(" / ", remove_hidden(text).strip())
    line = _TAG_END.sub("›", _TAG.sub("‹", line))
    return _TICKS.sub("'''", _IMAGE.sub("", _ROLE.sub("(", line)))


def escape_name(name: str) -> str:
    """Return an escaped author's name of at most 40 characters that cannot end the head of its line."""
    return escape_line(name).translate(_BRACKETS)[:_LONGEST_NAME].strip()


def fence_block(label: str, lines: Iterable[str], mark: str) -> str:
    """Return ``lines`` between two lines that carry ``mark``; the mark itself is taken out of the lines.

    ``mark`` is 8 to 64 random letters or figures, new for every request; anything else raises ``ValueError``.
    """
    if not _MARK.fullmatch(mark):
        raise ValueError("the mark of a fence is 8 to 64 letters or figures, made anew for every request")
    body = "\n".join(_remove_mark(_LINES.sub(" / ", line) if "\n" in line else line, mark) for line in lines)
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def _remove_mark(line: str, mark: str) -> str:
    while mark in line:
        line = line.replace(mark, "…")
    return line
