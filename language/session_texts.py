"""The words of /new, /sessions and /compact, as data: a language is one value of :class:`SessionTexts`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """Conversations of a chat, by their titles."""

    titled: str = ""
    """With {title}, in quotation marks."""
    head: str = ""
    none: str = ""
    line: str = ""
    """With {number}, {title}, {begun} (a day) and {count} of its messages."""
    current: str = ""
    """Behind the title of the one that goes on."""
    untitled: str = ""
    hint: str = ""
    opened: str = ""
    """With {title}, in quotation marks, {active} (a moment) and {count}."""
    already: str = ""
    missing: str = ""
    compacted: str = ""
    """With {count} messages that became a summary, and {staying} that did not."""
    too_short: str = ""
    no_model: str = ""
    not_compacted: str = ""
    """The model did not do it."""
    no_budget: str = ""
