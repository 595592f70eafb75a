"""What the bot says about files that it sends; see :mod:`language.texts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileTexts:
    """``{name}`` is the file's, ``{size}`` and ``{most}`` are megabytes."""

    whole_answer: str = ""
    """Below the beginning of a long answer."""
    answer: str = ""
    """What the file of an answer is called."""
    too_large: str = ""
    not_here: str = ""
    gone: str = ""
    refused: str = ""
    """The chat's platform did not take it."""
