"""Who may see what on the page of memory: closed by default, by the way somebody came in."""

from __future__ import annotations

from adapters.console.plain import AUTHOR
from adapters.page.sessions import Visitor
from bot.memory.speakers import Reader


def open_everything() -> Visitor:
    """Return whoever can open the data folder: they may choose from every memory, and "you" is the terminal's user."""
    return Visitor(None, Reader(AUTHOR.id, AUTHOR.name), author_id=0)
