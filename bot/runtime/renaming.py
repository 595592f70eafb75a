"""Workspaces from before they carried the installation's name get their new names, once, before anything is indexed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from adapters.rag.client import LightRagClient
from adapters.rag.renaming import RenamingOutcome
from adapters.sqlite.outbox.reindexing import WorkspaceRecords
from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.memory.scope import Scope


class Renaming:
    """``alone`` says whether nobody but us uses the server; nothing is indexed until this is :attr:`finished`."""

    def __init__(self, records: WorkspaceRecords, client: LightRagClient, *, alone: Callable[[], bool]) -> None:
        self._records, self._client, self._alone = records, client, alone
        self._left: list[Scope] | None = None
        self.finished = False
        """Whether no workspace has an old name any more."""

    async def attempt(self, address: Callable[[], str], known: Callable[[], Awaitable[None]]) -> bool:
        """Do what can be done now; ``False`` while something is left.  What cannot be reached is left for later."""
        try:
            if self._left is None:
                self._left = list(await self._records.list_unmoved())
            while self._left:
                if not address():
                    return False
                await known()
                if not await self._move(self._left[0]):
                    return False
                del self._left[0]
            await self._records.mark_moved()
        except (MemoryUnavailable, StorageUnavailable) as error:
            structlog.get_logger().warning("old workspaces not renamed yet", cause=str(error))
            return False
        self.finished = True
        return True

    async def _move(self, scope: Scope) -> bool:
        move = await self._client.move(scope, await self._records.list_sources(scope), alone=self._alone())
        if move is RenamingOutcome.REINDEX:
            count = await self._records.queue_documents(scope)
            structlog.get_logger().info("indexed again under a new name", scope=scope.tag, documents=count)
        return move is RenamingOutcome.DONE
