"""The sentences of looking at memory in the chat, as data: a language is one value of :class:`MemoryViewTexts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class MemoryViewTexts:
    """/memory by kind, person and time, one memory with its history, and the buttons below; counts follow a colon."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    """By the value of an item's type."""
    times: Mapping[str, str] = field(default_factory=dict)
    """By "week", "month", "year" and "older"."""
    by_kind: str = ""
    by_person: str = ""
    by_time: str = ""
    pinned: str = ""
    history: str = ""
    home: str = ""
    back: str = ""
    people_head: str = ""
    times_head: str = ""
    kinds_head: str = ""
    counted: str = ""
    """``{name}`` and ``{total}``: a line or a heading."""
    said_by: str = ""
    about: str = ""
    nobody: str = ""
    """In place of a name: nobody is known to have said it."""
    gone: str = ""
    none_here: str = ""
    opened: str = ""
    """``{id}`` and ``{kind}``."""
    from_message: str = ""
    cut: str = ""
    """Behind a text of which only the beginning is shown; ``{count}`` characters are left out."""
    replaced_head: str = ""
    replaced_by: str = ""
    withdrawn: str = ""
    used: str = ""
    used_last: str = ""
    never_used: str = ""
    restated: str = ""
    edit: str = ""
    pin: str = ""
    unpin: str = ""
    forget: str = ""
    cancel: str = ""
    put_back: str = ""
    ask_edit: str = ""
    """``{id}`` and ``{minutes}``."""
    ask_edit_group: str = ""
    """The same where the bot hears only what is said to it."""
    changed: str = ""
    confirm_forget: str = ""
    answered: str = ""
    learned: str = ""
    open_number: str = ""
    """``{number}``: opens the source of that number."""
    pressed: str = ""
    """In the terminal, ``{label}``: a key was taken for a press."""
