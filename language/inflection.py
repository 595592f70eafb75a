"""Forms that one word of a language takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflection:
    """The inflection of one language; words and endings are case-folded, "ё" as "е"."""

    base_forms: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Irregular forms, each with the form that the search index knows it by."""
    ending: str = ""
    """Pattern of the inflection that is taken off a word when two words are compared."""
    ending_instead: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Endings in place of which another one stands: "ies" gives "y"."""
    possessives: tuple[str, ...] = ()
    """Endings that make the owner of something of a word, with their apostrophe: "'s"."""
    erasable_endings: frozenset[str] = frozenset()
    """Endings by which two words of equal stem are forms of one: what names "cats" may erase what names a "cat"."""
    doubling_endings: frozenset[str] = frozenset()
    """Those of them before which a word may double its last letter: "stopped"."""
    doubtful_endings: frozenset[str] = frozenset()
    """Those of them by which alone a word may as well be another one ("car", "care"): the user is asked."""
