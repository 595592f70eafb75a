"""Words that carry no subject in any language: left out of the lexical index."""

from __future__ import annotations

from typing import Final

from language import languages

STOPWORDS: Final[frozenset[str]] = frozenset().union(*(each.stop_words for each in languages()))
