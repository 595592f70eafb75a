"""How people of one language put right what they said before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPatterns:
    """The words of corrections.  Patterns match in either case, stand for whole words and bound every repetition.

    What a correction replaces is looked for among the author's own earlier words and must stand there; these patterns
    alone change nothing.
    """

    interjections: str = ""
    """Sounds before one of ``openers`` that say nothing by themselves: "oh"."""
    openers: str = ""
    """Phrases at the beginning of a message that take back what was said: "no, wait", "I meant"."""
    denials: str = ""
    """Whole messages that say that something is wrong and no more: "that's not right"."""
    topics: tuple[str, ...] = ()
    """Phrases there that name what is corrected, with a group ``topic``: "I was wrong about the flight"."""
    weak_openers: str = ""
    """Phrases there that may as well begin something new: "actually"."""
    contrasts: tuple[str, ...] = ()
    """Sentences that name both, with ``{wrong}`` and ``{right}``: "not {wrong} but {right}"."""
    fillers: str = ""
    """Phrases before the new value that say nothing: "it's", "should be"."""
    courtesies: str = ""
    """Phrases behind it that say nothing: "sorry", "of course"."""
    closers: str = ""
    """Phrases at the end of a short sentence that take back what was said: "easyJet, sorry"."""
    additions: str = ""
    """Words by which a sentence adds to what was said and takes nothing back: "also"."""
    copulas: str = ""
    """Words between a thing and what it is: "is"."""
    prepositions: str = ""
    """Words that begin another part of a sentence, conjunctions too: "in", "with", "and"."""
    clocks: str = ""
    """Pattern of a time of day."""
