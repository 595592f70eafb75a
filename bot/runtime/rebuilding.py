"""What the memory server has lost is made again from the conversation store, chat by chat.

Every answer of our server says which incarnation of a workspace it is about.  Another one than before, or none, means
that the file was damaged, deleted or replaced by another server's: everything of that scope is queued once more.
Documents keep their names, so that whatever is there already is recognised.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from adapters.sqlite.outbox.reindexing import WorkspaceRecords
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
