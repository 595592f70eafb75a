"""Gives what was stored before workspaces carried an installation's name its new name.

A workspace that holds nothing but this installation's documents is renamed.  One that another bot has used as well
cannot be: there the documents are indexed again from the conversation store, and then each of ours is removed by name,
so that nothing of the other bot's is touched.  Every step may be repeated, and none loses the only copy of anything.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import structlog

from adapters.rag.names import Names
from adapters.rag.records import Records, delete
from adapters.rag.wire import Wire, refused
from bot.memory.scope import Scope

_BATCH: Final = 100
_NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})
_IN_THE_WAY: Final = 409


class Move(StrEnum):
    """What became of a scope's old workspace."""

    DONE = "done"
    AGAIN = "again"
    """Some of it is being removed: to be asked again."""
    REINDEX = "reindex"
    """It cannot be renamed: everything of the scope has to be queued once more, then asked again."""


class Moving:
    """Moves scope after scope; ``old`` reaches workspaces by the names they had."""

    def __init__(self, wire: Wire, old: Wire, names: Names, deadline_s: Callable[[], float]) -> None:
        self._wire, self._old, self._names = wire, old, names
        self._records = Records(old, deadline_s)
        self._deadline_s = deadline_s
        self._queued: set[Scope] = set()

    async def step(self, scope: Scope, ours: frozenset[str], *, alone: bool) -> Move:
        """Move a scope's documents as far as one call can.

        ``ours`` are the names of the scope's documents by the conversation store; ``alone`` says that nobody else uses
        the server.  Raises :class:`~bot.errors.MemoryUnavailable`.
        """
        listed = await self._records.all(scope)
        mine = tuple(record.id for record in listed if alone or record.source in ours)
        if not listed:
            return Move.DONE
        if not mine:
            structlog.get_logger().warning("old workspace left alone: nothing in it is ours", scope=scope.tag)
            return Move.DONE
        if len(mine) == len(listed) and not self._names.shared() and await self._renamed(scope):
            structlog.get_logger().info("workspace renamed", scope=scope.tag, documents=len(listed))
            return Move.DONE
        if scope not in self._queued:
            self._queued.add(scope)
            return Move.REINDEX
        await delete(self._old, scope, mine[:_BATCH], deadline_s=self._deadline_s())
        return Move.AGAIN

    async def _renamed(self, scope: Scope) -> bool:
        """Rename the workspace; ``False`` if this server cannot, or the new name is taken already."""
        path, asked = f"/workspaces/{scope.tag}/rename", {"to": self._names.workspace(scope)}
        reply = await self._wire.call("POST", path, None, deadline_s=self._deadline_s(), json=asked)
        if reply.status in {*_NO_SUCH_ROUTE, _IN_THE_WAY}:
            return False
        if reply.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            raise refused(reply)
        return True
