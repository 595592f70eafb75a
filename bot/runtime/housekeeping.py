"""Storage's work besides turns: finishing erases, deriving anew, tidying, embedding what has no vector yet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import structlog

from adapters.sqlite.chronicle import SqliteChronicle
from adapters.sqlite.conversations.retention import Retention, delete_outdated
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items.store import SqliteItems
from adapters.sqlite.names import SqliteNames
from adapters.sqlite.outbox import index_deferred, reindex_exchanges
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.config.live import LiveSettings
from bot.memory.scope import Scope
from bot.ports.clock import Clock

_EMBEDDED_AT_ONCE = 32
"""Of documents: so many at a time that a question which comes meanwhile does not wait long for the model."""


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Every method may be called at any time and finds out from the database what is left to do."""

    database: Database
    turns: SqliteTurns
    items: SqliteItems
    recall: SqliteRecall
    chronicle: SqliteChronicle
    backlog: tuple[Callable[[int], Awaitable[int]], ...]
    """Each embeds at most so many texts that wait for it and returns how many; 0 when none is left."""
    names: SqliteNames
    eraser: SqliteEraser
    settings: LiveSettings
    clock: Clock
    wake: Callable[[], None]
    """Tells long-term memory that there is something to do."""

    async def resume(self) -> None:
        """Finish erases that a crash interrupted or a back-up undid; to be awaited before anything is answered."""
        if again := await self.eraser.resume():
            structlog.get_logger().warning("erases finished after an interruption", count=again)

    async def rebuild(self) -> None:
        """Derive anew what a damaged file lost."""
        if count := await self.turns.rebuild():
            structlog.get_logger().warning("memory derived anew from a recovered file", exchanges=count)

    async def index_again(self) -> int:
        """Queue everything that long-term memory should hold, for a server that lost it; return how many documents."""
        return await reindex_exchanges(self.database, min_length=self.settings.current().rag.index_min_length)

    async def index_deferred(self) -> None:
        """Queue what was said while long-term memory was switched off, if it is on now."""
        settings = self.settings.current()
        if settings.rag.enabled and settings.memory.enabled and (count := await index_deferred(self.database)):
            structlog.get_logger().info("rag index: deferred documents queued", documents=count)

    async def remake_if_lost(self, server: Path) -> None:
        """Queue everything if the embedded server's folder is new: it was deleted, or this is the first start."""
        mark = server / "filled-from-store"
        if mark.exists():
            return
        if count := await self.index_again():
            structlog.get_logger().warning("long-term memory is made again from the store", documents=count)
        _make(mark)

    async def lapse(self, *, everything: bool = False) -> None:
        """Make erases final that can no longer be taken back; ``everything`` also those that still could."""
        if await self.eraser.lapse(everything=everything):
            self.wake()

    async def scrub(self) -> None:
        """Take the last bytes of what was erased off the disk."""
        await self.eraser.clean()

    async def back_up(self) -> None:
        """Make the day's back-up of the store if there is none yet."""
        await self.database.backups.make_if_due(self.clock.now(), self.settings.current().retention.backups)

    async def tidy(self) -> None:
        """Delete what has served its purpose, by the retention settings in force."""
        settings = self.settings.current().retention
        keep = Retention(
            journal_days=settings.journal_days,
            delivery_days=settings.delivery_days,
            trace_days=settings.trace_days,
        )
        await delete_outdated(self.database, keep, self.clock.now())
        await self.database.checkpoint()

    async def catch_up(self) -> None:
        """Embed everything that has no vector yet; write down what is not in the chronicle, or among the names, yet."""
        await self.chronicle.make_missed()
        await self.names.make_missed()
        for embed in self.backlog:
            while await embed(_EMBEDDED_AT_ONCE):
                pass

    async def lay_out(self, scope: Scope) -> None:
        """Make a scope's verbatim turns ready to be searched, if they are searched at all."""
        if self.settings.current().memory.recall_enabled:
            await self.recall.lay_out(scope)


def _make(mark: Path) -> None:
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
