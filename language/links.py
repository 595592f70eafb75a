"""The words that ask for a page to be read, as data: a language is one value of :class:`LinkWords`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkWords:
    """``reading`` is a pattern, in small letters, of what a message begins with that asks to read what it links to."""

    reading: str = ""
