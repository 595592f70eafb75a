"""The words around a remembered answer, as data: a language is one value of :class:`AnswerPhrases`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerPhrases:
    """The words around a remembered answer, in one language; fields in braces are filled in.

    ``{date}`` comes from ``date`` (``{day}``, ``{month}``, ``{year}``) and ``months``, January first; where the
    question is about time, from ``weekday_date``, which has ``{weekday}`` as well, one of ``weekdays``, Monday first.
    """

    greeting: str = ""
    thanks: str = ""
    farewell: str = ""
    wellbeing: str = ""
    """To "How are you?"."""
    introduction: str = ""
    """To "Who are you?" and "What can you do?"."""
    other_smalltalk: str = ""
    noted: str = ""
    """``{text}``: what was stated."""
    wish_noted: str = ""
    """``{text}``: a standing wish, which only a language model can keep to."""
    heard: str = ""
    """For a statement that holds nothing definite."""
    secret_left_out: str = ""
    told: str = ""
    """``{date}``, ``{text}``: the asker's own words."""
    told_undated: str = ""
    said: str = ""
    """``{name}``, ``{date}``, ``{text}``: another person's words."""
    said_undated: str = ""
    forwarded: str = ""
    """``{name}``, ``{date}``, ``{text}``: what the asker, or another, passed on; ``{date}`` is when they did."""
    forwarded_undated: str = ""
    forward_noted: str = ""
    """``{name}``: a forwarded message was kept; whoever wrote it, it is no word of the asker's."""
    answered: str = ""
    """``{date}``, ``{text}``: the assistant's own words."""
    answered_undated: str = ""
    found: str = ""
    """``{text}``: from long-term memory, nobody known to have said it."""
    earlier: str = ""
    """``{date}``, ``{text}``: an older word of the same person on the same matter, which the one before replaces."""
    earlier_undated: str = ""
    perhaps: str = ""
    """``{line}``: a sentence that shares something with the question but may not answer it."""
    unknown: str = ""
    unread: str = ""
    """In place of ``unknown`` when what was told could not be read to the end in time."""
    not_answered: str = ""
    """``{count}``: how many more questions a message asked than are answered at once."""
    how_to_forget: str = ""
    """To "Forget my old address": nothing is erased on the strength of a sentence that was only understood by rule."""
    needs_model: str = ""
    """For what cannot be answered by quoting."""
    in_order: str = ""
    """Stands above sentences in order of time, for "in what order …"."""
    gathered: str = ""
    """The same for "summarise what I told you about …"."""
    decided: str = ""
    """The same for "what did we decide"."""
    no_model: str = ""
    """A hint: no language model is configured, and how to add one."""
    another: str = ""
    """In place of a name: somebody who is neither the asker nor ourselves, at the beginning of ``said``."""
    another_source: str = ""
    """The same within ``forwarded``."""
    numbered: str = ""
    """``{id}``: in place of a name, somebody of whom only the number is known, at the beginning of ``said``."""
    date: str = ""
    weekday_date: str = ""
    months: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()
