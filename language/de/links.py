"""German: the words that ask for a page to be read."""

from __future__ import annotations

from typing import Final

from language.links import LinkWords

LINKS: Final = LinkWords(
    reading=r"(?:bitte,?\s+)?(?:kannst du\s+|könntest du\s+)?(?:mal\s+)?"
    r"(?:lies|lese|öffne|schau|sieh|guck|fass|erklär)\w*\b(?:\s+(?:bitte|mal|dir|das|diese[ns]?|hier|an|zusammen))*",
)
