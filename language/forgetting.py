"""Requests of one language to forget something, as a person types them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingPatterns:
    """The words of requests to forget.  Patterns match in either case and bound every repetition.

    They decide whether a model may erase: a sentence that may mean anything else must match none of ``requests``.
    """

    please: str = ""
    """Words of courtesy, before, inside or behind a request: "please"."""
    requests: tuple[str, ...] = ()
    """The requests from the beginning of a sentence; the group ``object`` is what each is about."""
    orders: tuple[str, ...] = ()
    """More forms of it, for whom they are only shown what would go: the group ``object`` is what each is about."""
    polite_questions: str = ""
    """Beginnings of questions that ask for the favour, whatever they are about: "would you mind"."""
    favours: str = ""
    """Beginnings of questions that may as well ask whether it can be done: "can you"."""
    about: str = ""
    """Prepositions before what is to be forgotten: "about"."""
    ours: str = ""
    """Words with which the object begins where such a question asks for the favour: "my", "everything"."""
    clauses: str = ""
    """Words with which a clause of the object begins: "what" of "forget what I said"."""
    denials: str = ""
    """Pattern of negations and exceptions, which make a request one to be asked about; it says where words end."""
    from_memory: str = ""
    """Words at the end that only say where it is to be forgotten: "from memory"."""
    empty_words: frozenset[str] = frozenset()
    """Words of a request that name nothing, beside the stop words: "everything"."""
    sweeping_words: frozenset[str] = frozenset()
    """Words of a search for what to forget that say nothing of what it is about: "delete", "all"."""
