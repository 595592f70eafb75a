"""How people say that something has changed, put right what they said, and have it forgotten."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The words of change in a language.  Patterns are of small letters and match at the borders of words."""

    ends: str = ""
    """Pattern of words that say plainly that something holds no more: "sold", "cancelled", "no longer"."""
    pays: str = ""
    """Pattern of words that say that a debt, or some of it, was paid back."""
    owes: str = ""
    """Pattern of words that tell what is owed or lent."""
    past: str = ""
    """Pattern of words in a question that ask for what was before: "used to"."""
    speaker: str = ""
    """Pattern of words by which people speak of themselves as the subject: "I", "we"."""
    implied: str = ""
    """Pattern of how a sentence begins that leaves that word out: "been to …", "hab …"."""
    others: str = ""
    """Pattern of words by which people speak of what is somebody else's: "his"."""
    joins: str = ""
    """Pattern of words by which a sentence tells of two things: "and"."""
    now: str = ""
    """Pattern of words that say that something holds at this time: "these days"."""


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
    merged: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Prepositions that hold an article or another vowel → as they are without: "im" → "in"."""
    clocks: str = ""
    """Pattern of a time of day."""


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
    undoes: str = ""
    """Whole messages that take back what was done or told last: "undo that"."""
    drops_last: str = ""
    """Orders to drop the last thing, with or without a word for what it was: "scratch that last one"."""
    restores: str = ""
    """Pattern of words by which something that is gone is to be there again: "bring it back"."""
    denials: str = ""
    """Pattern of negations and exceptions, which make a request one to be asked about; it says where words end."""
    keeps: str = ""
    """Pattern of what asks for the opposite in a request's own words, anywhere in a sentence: "don't let me forget"."""
    imports: str = ""
    """The word for what was imported together."""
    from_memory: str = ""
    """Words at the end that only say where it is to be forgotten: "from memory"."""
    empty_words: frozenset[str] = frozenset()
    """Words of a request that name nothing, beside the stop words: "everything"."""
    sweeping_words: frozenset[str] = frozenset()
    """Words of a search for what to forget that say nothing of what it is about: "delete", "all"."""
    order_words: frozenset[str] = frozenset()
    """More words of an order to forget, which in what it names may mean something: "drop", "away", "rather"."""
