"""Words of one language by which speakers mean themselves, each other and others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """The persons of one language.  Fields that say "as written" are patterns that tell capitals apart."""

    asker: str = ""
    """Words by which an asker means themselves, as written: "I", "my"."""
    speakers: str = ""
    """Words by which a speaker means themselves and theirs, as written: "I", "my", "we"."""
    first_person: frozenset[str] = frozenset()
    """All words of the first person, in small letters: they mean another person in another mouth."""
    listener: str = ""
    """Words by which an asker means who is asked: "you", "your"."""
    asks_what_was_answered: str = ""
    """Pattern of a question for what the assistant said before: "what did you recommend", "remind me"."""
    asks_what_was_told: str = ""
    """Pattern of a question for what the asker said, as written: "did I tell you"."""
    asks_what_was_done: str = ""
    """Pattern, from the beginning, of a question for what the assistant did: "which hotel did you find"."""
    together: str = ""
    """Words that join two names so that the question is about both: "both", "and"."""
    name_vowels: str = ""
    """Letters that a name loses before the ending of a case; "" where names are not declined.

    A declined name is written with the language's own ``letters``.
    """
