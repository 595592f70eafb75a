"""What a model reads of a chunk: all of it, window by window.

A model ignores what lies beyond its window, and a chunk may be five times as long: a fact at its end had no part in its
vector.  So a chunk that is longer has several vectors, and the nearest of them speaks for it.
"""

from __future__ import annotations

from memory_server.ports import Embedder, WindowedEmbedder


async def windows(embedder: Embedder, text: str, *, topics: bool = True) -> tuple[str, ...]:
    """Return the texts to embed for ``text``: itself for a model that says nothing of a window."""
    return await embedder.windows(text, topics=topics) if isinstance(embedder, WindowedEmbedder) else (text,)
