"""Patterns of the statements that can answer a question in one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPatterns:
    """How the statements of one language answer.  Patterns match in either case, except inside ``(?-i:…)``."""

    place: str = ""
    """Pattern of what names a place: "in Porto"; as those up to ``reason`` it says itself where words end."""
    time: str = ""
    number: str = ""
    reason: str = ""
    no_names: frozenset[str] = frozenset()
    """Words, as written, that have a capital and name nobody: "I"."""
    before_nouns: frozenset[str] = frozenset()
    """Words behind which a capital, or an adjective and a capital, is no sign of a name; empty where it always is."""
    noun_ending: str = ""
    """Pattern of the end of words that have a capital and are no names: "ung"."""
    adjective: str = ""
    """Pattern of an adjective as it stands before a noun: "kleine"."""
    introduces: str = ""
    """Pattern by which somebody says their own name: "my name is"."""
    is_called: str = ""
    """Pattern of a whole sentence, as written, that most probably says the speaker's name: "I'm Sam"."""
    is_a: str = ""
    """Pattern by which somebody most probably says their occupation: "I'm a baker"."""
    age: str = ""
    """Pattern by which an age is told without a word for it: "Tom is 40"."""
    near: str = ""
    """Words, or their beginnings, one of which stands in everything that one of ``aliases`` matches: "my"."""
    aliases: tuple[str, ...] = ()
    """Patterns, as written, of a relation and a name for the same person (``kin``, ``name``): "my sister Vera"."""
    corrects: str = ""
    """Words that begin a correction of something said earlier: "actually"."""
    amends: str = ""
    """Pattern of what puts right the sentence before it, and says nothing without it: "no, on Monday"."""
    pronouns: str = ""
    """Words that begin a sentence about whom the one before named: "she", "there"."""
    never_lowered: frozenset[str] = frozenset()
    """Words whose capital says something, so that they keep it inside a sentence: "I"."""
