"""Workspaces from before they carried an installation's name get their new name.

A workspace that holds nothing but this installation's documents is renamed.  One that another bot has used as well
cannot be: there the documents are indexed again from the conversation store, and then each of ours is removed by name,
so that nothing of the other bot's is touched.  Every step may be repeated, and none loses the only copy of anything.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import structlog

from adapters.rag.documents import DocumentRecords, ServerNames, delete_documents
from adapters.rag.transport import Transport, refuse_status
from bot.memory.scope import Scope

_BATCH: Final = 100
_NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})
_IN_THE_WAY: Final = 409


class RenamingOutcome(StrEnum):
    """What became of a scope's old workspace."""

    DONE = "done"
    AGAIN = "again"
    """Some of it is being removed: to be asked again."""
    REINDEX = "reindex"
    """It cannot be renamed: everything of the scope has to be queued once more, then asked again."""


class WorkspaceRenaming:
    """Moves scope after scope; ``old`` reaches workspaces by the names they had."""

    def __init__(
        self, transport: Transport, old: Transport, names: ServerNames, deadline_s: Callable[[], float]
    ) -> None:
        self._transport, self._old, self._names = transport, old, names
        self._records = DocumentRecords(old, deadline_s)
        self._deadline_s = deadline_s
        self._queued: set[Scope] = set()

    async def step(self, scope: Scope, ours: frozenset[str], *, alone: bool) -> RenamingOutcome:
        """Move a scope's documents as far as one call can.

        ``ours`` are the names of the scope's documents by the conversation store; ``alone`` says that nobody else uses
        the server.  Raises :class:`~bot.errors.MemoryUnavailable`.
        """
        listed = await self._records.all(scope)
        mine = tuple(record.id for record in listed if alone or record.source in ours)
        if not listed:
            return RenamingOutcome.DONE
        if not mine:
            structlog.get_logger().warning("old workspace left alone: nothing in it is ours", scope=scope.tag)
            return RenamingOutcome.DONE
        if len(mine) == len(listed) and not self._names.shared() and await self._rename(scope):
            structlog.get_logger().info("workspace renamed", scope=scope.tag, documents=len(listed))
            return RenamingOutcome.DONE
        if scope not in self._queued:
            self._queued.add(scope)
            return RenamingOutcome.REINDEX
        await delete_documents(self._old, scope, mine[:_BATCH], deadline_s=self._deadline_s())
        return RenamingOutcome.AGAIN

    async def _rename(self, scope: Scope) -> bool:
        """Rename the workspace; ``False`` if this server cannot, or the new name is taken already."""
        path, asked = f"/workspaces/{scope.tag}/rename", {"to": self._names.workspace(scope)}
        reply = await self._transport.call("POST", path, None, deadline_s=self._deadline_s(), json=asked)
        if reply.status in {*_NO_SUCH_ROUTE, _IN_THE_WAY}:
            return False
        if reply.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            raise refuse_status(reply)
        return True
