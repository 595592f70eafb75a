"""Questions over time and over everything that was told, in one language: their cues, and what makes them about memory.

"In what order" alone may ask about planets; with "did we" it asks about what was said here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPatterns:
    """The patterns of one language.  Each stands between word borders, matches in either case and is bounded."""

    order: str = ""
    """Asks for the order in which things happened: "in what order"."""
    change: str = ""
    """Asks what became of something: "what has changed about"."""
    summary: str = ""
    """Asks for a summary: "sum up"."""
    decisions: str = ""
    """Asks what those who talk here have decided; it names them: "what did we decide"."""
    everything: str = ""
    """Asks for all that is remembered: "everything I told"."""
    shared: str = ""
    """Says that a question is about those who talk here or what they said: "my", "we"."""
    advice: str = ""
    """Makes a question one for advice or general truth in spite of that: "should I"."""
    given: str = ""
    """Says that what is to be summed up comes with the message: "the following text"."""
    asks: str = ""
    """Beginnings of requests that are for nothing else: "walk me through"."""
    talk: frozenset[str] = frozenset()
    """Words for talking and for time that no such question is about: "told", "conversations"."""
