"""What long-term memory should hold by the conversation store, and what is known of the workspaces that hold it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.installation import UNMOVED
from adapters.sqlite.outbox.reindexing import index_again
from adapters.sqlite.rows.scopes import find_scope, scope_range, scope_tags
from bot.memory.scope import Scope

_INCARNATION: Final = "incarnation of "
_SOURCES: Final = (
    "SELECT source FROM exchanges WHERE id BETWEEN ? AND ? AND source <> '' "
    "UNION SELECT source FROM outbox WHERE scope_no = ? AND source <> ''"
)


class Holdings:
    """Asks and answers for one scope at a time; ``min_length`` gives the setting ``rag.indexMinLength``."""

    def __init__(self, database: Database, min_length: Callable[[], int]) -> None:
        self._database, self._min_length = database, min_length

    async def unmoved(self) -> tuple[Scope, ...]:
        """Return the scopes whose workspaces may still have the names from before there was an installation's name."""
        return await self._database.read(_unmoved)

    async def moved(self) -> None:
        """Note that no workspace has an old name any more."""
        await self._database.write(
            lambda connection: connection.execute("DELETE FROM meta WHERE key = ?", (UNMOVED,)).rowcount
        )

    async def sources(self, scope: Scope) -> frozenset[str]:
        """Return the names of all documents that a scope has, or is about to lose."""
        return await self._database.read(lambda connection: _sources(connection, scope))

    async def queue(self, scope: Scope) -> int:
        """Queue everything that long-term memory should hold of a scope; return how many documents."""
        return await index_again(self._database, min_length=self._min_length(), scope=scope)

    async def incarnations(self) -> dict[Scope, str]:
        """Return which workspace each scope's documents went to, as the server calls it."""
        return await self._database.read(_incarnations)

    async def incarnation_is(self, scope: Scope, incarnation: str) -> None:
        """Remember it."""
        row = (f"{_INCARNATION}{scope.tag}", incarnation)
        await self._database.write(
            lambda connection: connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", row).rowcount
        )


def _unmoved(connection: sqlite3.Connection) -> tuple[Scope, ...]:
    due = connection.execute("SELECT 1 FROM meta WHERE key = ?", (UNMOVED,)).fetchone()
    return tuple(Scope(tag) for tag in scope_tags(connection)) if due else ()


def _sources(connection: sqlite3.Connection, scope: Scope) -> frozenset[str]:
    number = find_scope(connection, scope)
    if number is None:
        return frozenset()
    return frozenset(row[0] for row in connection.execute(_SOURCES, (*scope_range(number), number)))


def _incarnations(connection: sqlite3.Connection) -> dict[Scope, str]:
    ask = "SELECT substr(key, length(?1) + 1), value FROM meta WHERE key LIKE ?1 || '%'"
    return {Scope(tag): value for tag, value in connection.execute(ask, (_INCARNATION,))}
