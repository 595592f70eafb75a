"""What is learned from a sentence: facts, tastes, work, and wishes about answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Everything that learning needs of a language.  Word sets are case-folded, patterns match in either case."""

    rules: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Patterns by the form of a sentence: a key of :data:`bot.memory.learning.statements.FORMS`, "live" or "taste".

    They are tried where a sentence begins, after "by the way" and its like.  Letters match in either case, except
    inside ``(?-i:…)``.  Named groups, each of which may stand in several patterns: ``who`` the subject, ``what`` the
    object that belongs to the key, ``how`` a preposition that does.
    """
    name: str = ""
    """Pattern of one to three words that name a person; common words that begin a sentence with a capital are none."""
    nouns_have_capitals: bool = False
    """Whether a capital inside a sentence is no sign of a name."""
    mine: frozenset[str] = frozenset()
    """Words by which people speak of themselves and of what is theirs."""
    pronouns: frozenset[str] = frozenset()
    """Subjects that stand for somebody in the sentence before."""
    articles: frozenset[str] = frozenset()
    """Articles and possessives: they say nothing of which thing is meant."""
    opinions: str = ""
    """What stands before a statement that somebody only thinks to be true: "I think", "maybe"."""
    vague: str = ""
    """Beginnings of sentences that state nothing definite: "I don't know"."""
    passing: str = ""
    """Words for what holds for a day or so: "today", "right now"."""


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
    orders: str = ""
    """How to answer, tried where a sentence begins: "always", "from now on"."""
    clause_orders: str = ""
    """Those of them that are certain enough to be tried where any clause begins."""
    names: str = ""
    """How to be called: "call me"; the ``name`` need not be told apart."""
    preferences: str = ""
    """What guides suggestions, tried where any clause begins: "I prefer"."""
    withdrawals: str = ""
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
