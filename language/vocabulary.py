"""Sets of words of one language that readers of any text need; all are case-folded, with "ё" as "е"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The word sets of one language."""

    stop_words: frozenset[str] = frozenset()
    """Words that carry no subject; left out, they are those of :mod:`stopwordsiso`."""
    ambiguous_words: frozenset[str] = frozenset()
    """Those of them that are content words of another language: a search index keeps them."""
    contrast_words: frozenset[str] = frozenset()
    """Stop words that tell one thing from another of its kind: "my other number" is not "my number"."""
    negations: str = ""
    """Pattern of the words that turn a sentence into its opposite: "not"; it says where words end."""
    asking_words: frozenset[str] = frozenset()
    """Words beside the stop words that a question to memory is wrapped in: "do you remember what I said"."""
    common_words: frozenset[str] = frozenset()
    """The commonest verbs, adjectives and adverbs beside those: what stands between them is mostly a noun.

    Left out, they are those of :mod:`stopwordsiso`.
    """
    opening_words: frozenset[str] = frozenset()
    """Articles, pronouns and prepositions that a summary may begin with although its source does not hold them."""
    skill_words: frozenset[str] = frozenset()
    """Words beside the stop words in which skills are described and asked for, whatever they do: "help", "use"."""
