"""Keeps the memory server's workspaces in step with the conversation store.

What the server has lost is queued once more, scope by scope: every answer of our server says which incarnation of a
workspace it is about, and another one than before, or none, means that the file was damaged, deleted or replaced by
another server's.  Documents keep their names, so that whatever is there already is recognised.
A store from before workspaces carried the installation's name is indexed once more under the new ones, and the old ones
are dropped where the server is ours alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from adapters.rag.client import LightRagClient
from adapters.sqlite.outbox import WorkspaceRecords
from bot.errors import MemoryUnavailable
from bot.memory.scope import Scope

_NOWHERE: Final = "none"
"""What a server calls a workspace that does not exist."""
_PAUSE_S: Final = 1.0


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

    async def run(self, client: LightRagClient, alone: Callable[[], bool]) -> None:
        """Queue again what was lost, until cancelled; raises :class:`~bot.errors.StorageUnavailable`.

        ``alone`` says whether nobody but us uses the server.
        """
        if self._known is None:
            self._known = await self._records.list_incarnations()
        await self._take_over(client, alone)
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

    async def _take_over(self, client: LightRagClient, alone: Callable[[], bool]) -> None:
        """Queue all that is known under the bare tags, then drop those workspaces; repeated until both are done."""
        unmoved = await self._records.list_unmoved()
        for scope in unmoved:
            count = await self._records.queue_documents(scope)
            structlog.get_logger().info("indexed again under a new name", scope=scope.tag, documents=count)
        for scope in unmoved:
            while alone() and not await _is_dropped(client, scope.tag):  # noqa: ASYNC110 - it waits for a server
                await asyncio.sleep(_PAUSE_S)
        if unmoved:
            await self._records.mark_moved()


async def _is_dropped(client: LightRagClient, workspace: str) -> bool:
    try:
        return await client.drop(workspace)
    except MemoryUnavailable:
        return False
