"""The last look at a text before it goes to LightRAG.

LightRAG answers 500 to a lone surrogate, passes its own control tokens through from the text to its prompts, and drops
a text that it has seen under another name.
"""

from __future__ import annotations

import re
from typing import Final

from bot.memory.sanitise import clean

_TOKEN: Final = re.compile(r"<\|[^\n|<>]{0,40}\|>|<\s*SEP\s*>", re.IGNORECASE)


def indexable(text: str) -> str:
    """Return ``text`` without control characters, lone surrogates and LightRAG's control tokens."""
    return _TOKEN.sub(" ", clean(text))


def told_apart(text: str, source: str) -> str:
    """Return ``text`` with a header line that no other document has."""
    return f"Source: {source}\n{text}"
