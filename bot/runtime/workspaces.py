"""Keeps the memory server's workspaces in step with the conversation store.

What the server has lost is queued once more, scope by scope: every answer of our server says which incarnation of a
workspace it is about, and another one than before, or none, means that the file was damaged, deleted or replaced by
another server's.  Documents keep their names, so that whatever is there already is recognised.
Workspaces from before they carried the installation's name get their new names, once, before anything is indexed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from adapters.rag.client import LightRagClient
from adapters.rag.renaming import RenamingOutcome
from adapters.sqlite.outbox.reindexing import WorkspaceRecords
from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.memory.scope import Scope

_NOWHERE: Final = "none"
"""What a server calls a workspace that does not exist."""


class Rebuilding:
    """:meth:`heard` may be called at any time and returns at once; :meth:`run` does the work."""

    def __init__(self, records: WorkspaceRecords) -> None:
        self._records = records
        self._known: dict[Scope, str] | None = None
        self._news: dict[Scope, str] = {}
        self._told = asyncio.Event()

    def heard(self, scope: Scope, incarnation: str) -> None:
        """Note which workspace has answered."""
        if self._known is None or self._known.get(scope) != incarnation:
            self._news[scope] = incarnation
            self._told.set()

    async def run(self) -> None:
        """Queue again what was lost, until cancelled; raises :class:`~bot.errors.StorageUnavailable`."""
        if self._known is None:
            self._known = await self._records.list_incarnations()
        while True:
            await self._told.wait()
            self._told.clear()
            for scope, incarnation in list(self._news.items()):
                await self._compare(self._known, scope, incarnation)
                if self._news.get(scope) == incarnation:
                    del self._news[scope]

    async def _compare(self, known: dict[Scope, str], scope: Scope, incarnation: str) -> None:
        before = known.get(scope, _NOWHERE)
        if before == incarnation:
            return
        if before != _NOWHERE and (count := await self._records.queue_documents(scope)):
            structlog.get_logger().warning(
                "workspace lost; made again from the store", scope=scope.tag, documents=count
            )
        await self._records.record_incarnation(scope, incarnation)
        known[scope] = incarnation


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
