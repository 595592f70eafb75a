"""Question words of one language, by what they ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrogatives:
    """The question words of one language.  All patterns are of small letters and stand between word borders."""

    what: str = ""
    """Asks for a thing of a kind that is named beside it: "what", "which", "how"."""
    where: str = ""
    who: str = ""
    other: str = ""
    """Begins a question that asks for no kind of thing: "when", "why", "whose"."""
    when: str = ""
    """Begins a question that is answered by a time: "when", "which month", "how long"."""
    how_many: str = ""
    """Asks for a number, wherever it stands."""
    named: str = ""
    """Asks for what has a name, wherever it stands: "where", "who", "which", "what book"."""
    why: str = ""
    """Asks for a reason or a feeling, wherever it stands."""
    several: str = ""
    """Asks for what was told piece by piece, wherever it stands: "how many", "has"."""
    several_begin: str = ""
    """The same, at the beginning of a question: "which books does"."""
    copula: str = ""
    """Forms of "to be" that stand between a question word and what is asked about."""
    verb: str = ""
    """Other verbs that stand there: "does", "has", "will"."""
