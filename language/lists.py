"""Words of lists: what names one, what puts something there, ticks it off or takes it off, and what only frames it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWords:
    """Patterns match in either case and whole words; sets hold words as :func:`language.words.split_words` spells.

    What is put on a list is what a sentence leaves when words of the sets are cut from both of its ends: no sentence is
    written out here.  The words of all languages are tried together.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    """By the kind of list ("shopping", "todo", "packing"): pattern of what names it."""
    other: str = ""
    """Pattern of any other list, its name in the group ``name``, "" for "the list"."""
    onto: str = ""
    """Pattern of the direction of what is named, and a list: "onto the list", and not "on the list"."""
    called: tuple[str, ...] = ()
    """What a list is called whose name is said alone: "{} list"."""
    behind: str = ""
    """Pattern of a name right behind such a list, where what it holds is not meant: "for the trip"."""
    joins: str = ""
    """Pattern of the words between two things: "and"."""
    articles: frozenset[str] = frozenset()
    """Words before a thing behind which nothing more is cut: "a can" is no verb."""
    points: str = ""
    """Pattern of a word that points at one of several things: "the" of "a lightbulb, the small kind"."""
    fleeting: str = ""
    """Pattern of the vowel before the end of a stem that other forms of the word lack: "огурец", "огурцы"."""
    measures: frozenset[str] = frozenset()
    """Words for amounts: "kilo", "bottle"."""
    frames: frozenset[str] = frozenset()
    """Words around a thing that say nothing of it: pronouns, courtesy, "also", what leads to a list."""
    several: str = ""
    """Pattern of the plural of "list"."""
    makes: frozenset[str] = frozenset()
    """Words of an order to make a list: "start", "new"."""
    puts: frozenset[str] = frozenset()
    """Verbs that put something on a list: "add"."""
    buys: frozenset[str] = frozenset()
    """Words by which something is wanted from a shop: "buy", "need"."""
    needed_by_others: str = ""
    """Pattern of what tells that somebody else needs something, and orders nothing: "Maisie needs"."""
    tasks: str = ""
    """Pattern of something that is to be done rather than bought, from its beginning to its end: "call the dentist"."""
    done: str = ""
    """Pattern of words that say that something is bought or done: "got", "done"."""
    ticks: str = ""
    """Those of them that only an order to tick something off, or its answer, has: "tick"."""
    past: str = ""
    """Pattern of the forms of other verbs that say so: "called"."""
    deeds: Mapping[str, str] = field(default_factory=dict)
    """Forms of verbs for what is done → those for what is to be done, where no ending tells: "sent", "send"."""
    prefixes: str = ""
    """Pattern of beginnings that a verb has or lacks once it is done: "звонил", "позвонить"."""
    removes: str = ""
    """Pattern of words that take something off a list undone: "strike", "after all"."""
    instead: str = ""
    """Pattern of words for the place of what was just taken off: "instead"."""
    lands: frozenset[str] = frozenset()
    """Those at an end of an order to put something there, besides its verb: "drauf"."""
    takes: frozenset[str] = frozenset()
    """Words of which one stands at an end of an order to take something off, and not to put it there: "drop"."""
    hands: frozenset[str] = frozenset()
    """Verbs that order that or the other with such a word alone: "mach"."""
    turns: str = ""
    """Pattern of what stands between an order and its opposite, besides what stands between two things: "but"."""
    unneeded: str = ""
    """Pattern of what says in such an order that something is to be off: "we don't need"."""
    swaps: tuple[str, ...] = ()
    """Patterns of an order to put something in the place of another: groups ``old`` and ``new``, or ``both`` where
    nothing stands between them."""
    empties: frozenset[str] = frozenset()
    """Words of an order to take off all that stands on a list, which says nothing else: "clear the …"."""
    whole: frozenset[str] = frozenset()
    """Words for all of a list before its name: "whole"."""
    returns: tuple[str, ...] = ()
    """Patterns of an order, without the name of a list, to put something back that was taken off or ticked, which is in
    the group ``thing``: "put the carrots back"."""
    denies: frozenset[str] = frozenset()
    """Words around what is taken off: "no"."""
    open: str = ""
    """Pattern of words in whose presence nothing is done yet: "not", "will", "tomorrow"."""
    everything: str = ""
    """Pattern of words for all that is on a list."""
    but: str = ""
    """Pattern of what begins the exceptions of that."""
    left: str = ""
    """Pattern of words one of which stands in a question for what is open: "left", "buy"."""
    asks: frozenset[str] = frozenset()
    """Words of questions for a list and for what is on it, besides the frames: "what", "left", "show"."""
    asks_if: str = ""
    """Pattern of verbs that begin a question whether something is there, and no statement: "is"."""
    on_it: str = ""
    """Pattern of "on it", which means the list that was spoken of."""
    follows: frozenset[str] = frozenset()
    """Words with which more is named right behind something: "also"."""


def read_pairs(words: str) -> dict[str, str]:
    """Return what "sent/send went/go" says of its words: the first of each pair, with the second."""
    return dict(pair.split("/") for pair in words.split())
