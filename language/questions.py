"""Patterns of questions for what is remembered, in one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPatterns:
    """The questions of one language.

    Patterns match in either case, except inside ``(?-i:…)``; word sets are case-folded.  A question asks for the first
    kind of thing whose pattern stands in it: ``place``, ``time``, ``number``, ``person``, ``reason``, ``yes_no``.
    """

    place: str = ""
    """Words that ask for a place; between word borders, as all patterns up to ``reason``."""
    time: str = ""
    number: str = ""
    person: str = ""
    reason: str = ""
    yes_no: str = ""
    """Pattern of a question that is answered by yes or no; it says itself where it stands."""
    place_words: frozenset[str] = frozenset()
    """Words that only say that a place is asked for, so that an answer need not share them: "city"."""
    time_words: frozenset[str] = frozenset()
    person_words: frozenset[str] = frozenset()
    number_words: frozenset[str] = frozenset()
    which: str = ""
    """Words before the kind of thing that is asked for, at the beginning: "which" of "which book did I read"."""
    no_kind: str = ""
    """Words after ``which`` that name no kind of thing: "is"."""
    about_asker: str = ""
    """Pattern that asks, wherever it stands, for all that is known about the asker: "about me"."""
    own_name: str = ""
    """Pattern, from the beginning, of a question for the asker's own name: "what is my name"."""
    occupation: str = ""
    """Pattern, from the beginning, of a question for somebody's work that has no word for it: "what does Max do"."""
    occupied: frozenset[str] = frozenset()
    """Words of such a question that an answer need not share: "living" of "what does Max do for a living"."""
    first_person: frozenset[str] = frozenset()
    """Words that mean another person in another mouth: "I", "my", "we"."""
    asker: frozenset[str] = frozenset()
    """Those of them that mean the asker alone: "I", "me"."""
    begins: str = ""
    """Pattern of how a question begins."""
    joins: frozenset[str] = frozenset()
    """Words that join two questions in one sentence: "and"."""
    too: frozenset[str] = frozenset()
    """Words that may stand behind those: "also"."""
    continues: str = ""
    """Pattern of how a question begins after ``joins``."""
    listed: str = ""
    """Pattern of how one begins after a mere comma, where most question words begin a clause of the one before."""
    who: str = ""
    """Question words after which a verb and ``determined`` go on about the same: "who is … and was my …"."""
    determined: str = ""
    """Words that begin what a sentence is about: "my", "the"."""
    supposes: str = ""
    """Words that begin a clause which a question follows: "when", "if"."""
    refers: frozenset[str] = frozenset()
    """Words that stand for somebody named before: "she", "her"."""
