"""The analyser of texts, with Snowball's stemmers."""

from __future__ import annotations

from bot.memory.ranking.terms import Analyser
from language.stemming import Stemmer


def analyser() -> Analyser:
    """Return an analyser with its own stemmers."""
    return Analyser(Stemmer().stem)
