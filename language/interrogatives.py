"""Question words of one language, by what they ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrogatives:
    """The question words of one language.  All patterns are of small letters and stand between word borders."""

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
    advice: str = ""
    """Asks for help or advice, wherever it stands: "how should I", "help me"."""
    advice_begin: str = ""
    """The same, at the beginning of a message: "could you", "explain"."""
