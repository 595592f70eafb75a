"""Names: the people, places and things that are named in what was said, and which of them are named together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.memory.names import NameKind
from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class KnownName:
    """Somebody or something that is named: by how many messages, and from when to when.

    ``id`` counts within the scope; ``relation`` is a concept ("sister"), "" where nobody said who they are, ``own``
    whether they are the author's own.
    """

    id: int
    shown: str
    kind: NameKind
    count: int
    first: datetime
    last: datetime
    relation: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class NamePage:
    """Names, the most named first, of ``total``."""

    names: tuple[KnownName, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NameLink:
    """Two names, by id, and in how many messages they stand together."""

    one: int
    other: int
    count: int


@dataclass(frozen=True, slots=True)
class OpenedName:
    """A name with those that it is named together with, most often first, and a page of where it is named.

    ``exchanges`` are uids, newest first; ``more`` says that there are older ones.
    """

    name: KnownName
    others: tuple[tuple[KnownName, int], ...]
    exchanges: tuple[str, ...]
    more: bool = False


class Names(Protocol):
    """Shows whom and what a scope knows by name; names appear and vanish with the exchanges that hold them.

    Everything raises :class:`~bot.errors.StorageUnavailable`.
    """

    async def list_names(self, scope: Scope, *, search: str = "", offset: int = 0, size: int = 50) -> NamePage:
        """Return a page of names; ``search`` keeps those that hold it, in whatever case."""
        ...

    async def list_links(self, scope: Scope, ids: tuple[int, ...]) -> tuple[NameLink, ...]:
        """Return which of these names stand together in messages, the most often first."""
        ...

    async def open_name(self, scope: Scope, number: int, *, offset: int = 0, size: int = 20) -> OpenedName | None:
        """Return a name by its number, with where it is named; ``None`` if the scope has none."""
        ...

    async def named_in(self, scope: Scope, uid: str) -> tuple[KnownName, ...]:
        """Return the names that one exchange holds."""
        ...
