"""Where in a text a secret stands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at ``text[start:end]``; ``kind`` is a word for people, such as "API key"."""

    start: int
    end: int
    kind: str
