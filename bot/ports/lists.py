"""Lists: what is to be bought, done or packed, by whom it was put there, and what has become of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Final, Protocol

from bot.memory.scope import Scope, to_number

LONGEST: Final = 120
"""Characters of a thing on a list."""


class ItemState(IntEnum):
    """What has become of something on a list."""

    OPEN = 0
    DONE = 1
    REMOVED = 2
    """Taken off without having been bought or done."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Who did something to a list, when, and by which message.

    ``exchange`` is what the turn makes, "" for a command; ``origin`` names the message, so that one that is run again
    or edited does the same to the same things once.
    """

    by: int
    name: str
    at: datetime
    exchange: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class ListItem:
    """Something on a list.  ``id`` is 0 until stored; people see its lower half, a number that is never reused.

    ``key`` is what names of lists are compared by, ``title`` what people call it, "" where the key says it.
    """

    key: str
    title: str
    text: str
    added: Deed
    state: ItemState = ItemState.OPEN
    closed: Deed | None = None
    """Who bought, did or removed it; ``None`` while it is open, and where that was forgotten."""
    id: int = 0

    @property
    def number(self) -> int:
        """What people call it."""
        return to_number(self.id)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What one exchange had done to lists and no longer has: what it put there is off, what it closed is open."""

    taken_off: tuple[ListItem, ...] = ()
    opened: tuple[ListItem, ...] = ()

    def __bool__(self) -> bool:
        """Whether it had done anything."""
        return bool(self.taken_off or self.opened)


class Lists(Protocol):
    """The lists of memories.  All of it raises :class:`~bot.errors.StorageUnavailable`; then nothing was changed."""

    async def read(self, scope: Scope) -> tuple[ListItem, ...]:
        """Return what is open, and what was closed of late, in the order in which it was put there."""

    async def add(self, scope: Scope, items: Sequence[ListItem]) -> tuple[ListItem, ...]:
        """Put items on their lists and return each as it stands there; what is open there already stays as it is.

        What the same message has put there before is the same item.  Of more than there is room for the rest is left
        out.
        """

    async def mark(self, scope: Scope, ids: Sequence[int], state: ItemState, deed: Deed) -> tuple[ListItem, ...]:
        """Change the state of items and return those that it was changed of; again for the message that changed it."""

    async def take_back(self, scope: Scope, exchange: str, deed: Deed, *, only_opens: bool = False) -> TakenBack:
        """Undo what an exchange, by its uid, has done to lists; nothing where others have changed it since.

        ``deed`` is whose wish that is; ``only_opens`` leaves there what it has added.
        """

    async def list_in_use(self) -> frozenset[str]:
        """Return the tags of the scopes that have ever had a list."""
