"""English: the words that ask for a page to be read."""

from __future__ import annotations

from typing import Final

from language.links import LinkWords

LINKS: Final = LinkWords(
    reading=r"(?:please,?\s+)?(?:can you\s+|could you\s+)?"
    r"(?:read|open|fetch|look at|have a look at|take a look at|go through|summari[sz]e|explain)\b",
)
