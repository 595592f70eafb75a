"""Standing wishes: how to answer, how to be called, what to prefer and what never to suggest, until taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class WishPatterns:
    """The source of regular expressions; letters match in either case except inside ``(?-i:…)``.

    A pattern is tried where a sentence begins, after its courtesy, and where a clause of it begins.  A wish is in force
    until it is taken back: a request that one answer fulfils ("make it shorter") must match none of them.
    """

    courtesy: str = ""
    """What may stand before a wish at the beginning of a sentence: "please", "could you"."""
    joints: str = ""
    """Words after which a clause begins: "and", "because"."""
    orders: tuple[str, ...] = ()
    """How to answer, tried where a sentence begins: "always", "from now on"."""
    clause_orders: tuple[str, ...] = ()
    """Those of them that are certain enough to be tried where any clause begins."""
    names: tuple[str, ...] = ()
    """How to be called: "call me"; the ``name`` need not be told apart."""
    preferences: tuple[str, ...] = ()
    """What guides suggestions, tried where any clause begins: "I prefer"."""
    withdrawals: tuple[str, ...] = ()
    """What takes a wish back: "you can suggest … again"."""
    once: str = ""
    """Words of a clause that ask for something now and no longer: "this time"."""
    unreal: str = ""
    """Words of a sentence that only supposes: "if I were"."""
    subjects: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Patterns by what a wish is about, of which only the latest can hold: ``{"language": "answer in …"}``.

    The names of subjects are the same in all languages.
    """
    conditions: str = ""
    """The part of a wish that says for what it holds: "when I ask about …"."""
    empty_words: frozenset[str] = frozenset()
    """Words that say whether and how often something is wanted, not what: two wishes that differ in nothing else are
    about the same thing."""
