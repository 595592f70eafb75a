"""Memories by the small numbers people type.

A store may give out ids whose upper 32 bits name the scope and whose lower 32 bits count within it; people see and
type the count alone.  With a store that simply counts nothing changes.
"""

from __future__ import annotations

from typing import Final

from bot.memory.scope import Scope
from bot.ports.memory import MemoryEditor, Selector

_BITS: Final = 32


def number_of(item_id: int) -> int:
    """Return the number that people see."""
    return item_id & ((1 << _BITS) - 1)


async def id_of(editor: MemoryEditor, scope: Scope, number: int) -> int:
    """Return the id of the scope's item with this number (a whole id is taken as it is).

    The upper half is any item's of the same scope; a scope without items has nothing that could be meant.
    """
    if number >> _BITS:
        return number
    for selector in (Selector.ALL, Selector.HISTORY):
        page = await editor.page(scope, selector, size=1)
        for item in page.items:
            return item.id >> _BITS << _BITS | number
    return number
