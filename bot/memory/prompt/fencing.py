"""Puts remembered text into a prompt so that it stays data: one escaped line per memory, behind a random fence.

A memory may hold anything that somebody once wrote, also words meant to command the model.  Nothing here tries to
recognise such words; what holds is structural: a memory is one line, cannot open a heading, a role or a tag, and cannot
know the mark of the fence, which is new for every request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from bot.memory.sanitise import visible

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
_TIMED_DAYS: Final = 7
_TICKS: Final = re.compile(r"`{3,}|~{3,}")


def escaped(text: str) -> str:
    """Return ``text`` as one line without hidden characters, tags, chat template marks, code fences and images.

    A line end becomes " / "; what a person reads stays the same but for the signs that machines read.
    """
    if text.isascii() and text.isprintable() and not _SIGNS.search(text):
        return text.strip()  # most memories, and a prompt holds a hundred of them
    line = _LINES.sub(" / ", visible(text).strip())
    line = _TAG_END.sub("›", _TAG.sub("‹", line))
    return _TICKS.sub("'''", _IMAGE.sub("", _ROLE.sub("(", line)))


def speaker(name: str) -> str:
    """Return an escaped author's name of at most 40 characters that cannot end the head of its line."""
    return escaped(name).translate(_BRACKETS)[:_LONGEST_NAME].strip()


def fence_block(label: str, lines: Iterable[str], mark: str) -> str:
    """Return ``lines`` between two lines that carry ``mark``; the mark itself is taken out of the lines.

    ``mark`` is 8 to 64 random letters or figures, new for every request; anything else raises ``ValueError``.
    """
    if not _MARK.fullmatch(mark):
        raise ValueError("the mark of a fence is 8 to 64 letters or figures, made anew for every request")
    body = "\n".join(_without(_LINES.sub(" / ", line) if "\n" in line else line, mark) for line in lines)
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def dated(moment: datetime | None, now: datetime) -> str:
    """Return the day of a memory in the zone of ``now``, for a week with the time; "undated" for ``None``.

    Later nobody asks for the minute, and every memory in a prompt pays for it.
    """
    if moment is None:
        return "undated"
    if moment.tzinfo is not None and now.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    day = f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
    return f"{day} {moment.hour:02d}:{moment.minute:02d}" if (now.date() - moment.date()).days < _TIMED_DAYS else day


def _without(line: str, mark: str) -> str:
    while mark in line:
        line = line.replace(mark, "…")
    return line
