"""Storage's work besides turns, and keeping Mneme answering while the disk does not write or the database is damaged.

Turns and the fates of replies wait in memory until the disk writes again; a damaged database is recovered while Mneme
runs.  A full disk must not keep an answer from its reader: while the process lives nothing is sent twice; a crash
during the outage may repeat a reply, because nothing could be written down to prevent it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.chronicle import SqliteChronicle
from adapters.sqlite.conversations.deliveries import remove_unclaimed_files
from adapters.sqlite.conversations.journal import delete_outdated
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database, patiently
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.names import SqliteNames
from adapters.sqlite.outbox import index_deferred, reindex_exchanges
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.config.live import LiveSettings
from bot.errors import LeaseLost, StorageUnavailable
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.eraser import ErasureTarget, KeptText, KeptTexts
from bot.ports.leases import LEASE, under
from bot.ports.messenger import Deliveries, Delivery, DeliveryOutcome, Fate
from bot.ports.turn_store import TurnRecord, TurnStore
from bot.ports.when import Clock
from bot.retry import Backoff, Pauses

TOGETHER_S: Final = 0.2
"""How long what follows an answer looks for company on its way to the disk: the fate of a reply, vectors, names."""
_EMBEDDED_AT_ONCE = 32
"""Of documents: so many at a time that a question which comes meanwhile does not wait long for the model."""


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Every method may be called at any time and finds out from the database what is left to do."""

    database: Database
    turns: SqliteTurns
    recall: SqliteRecall
    chronicle: SqliteChronicle
    backlog: tuple[Callable[[int], Awaitable[int]], ...]
    """Each puts at most so many texts that wait to the model and returns how many; fewer when none is left.

    They go at once: what a turn leaves is read in one snapshot, and stored in one transaction.
    """
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

    async def index_deferred(self) -> None:
        """Queue what was said while long-term memory was switched off, if it is on now."""
        settings = self.settings.current
        if settings.rag.enabled and settings.memory.enabled and (count := await index_deferred(self.database)):
            structlog.get_logger().info("rag index: deferred documents queued", documents=count)

    async def remake_if_lost(self, server: Path) -> None:
        """Queue everything if the embedded server's folder is new: it was deleted, or this is the first start."""
        mark = server / "filled-from-store"
        if mark.exists():
            return
        least = self.settings.current.rag.index_min_length
        if count := await reindex_exchanges(self.database, min_length=least):
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
        await self.database.backups.make_if_due(self.clock.now(), self.settings.current.retention.backups)

    async def tidy(self) -> None:
        """Delete what has served its purpose, by the retention settings in force."""
        await delete_outdated(self.database, self.settings.current.retention, self.clock.now())
        await self.database.checkpoint()

    async def tidy_files(self) -> None:
        """Delete what lies here of replies that were never planned, or sent elsewhere."""
        await remove_unclaimed_files(self.database)

    async def embed(self) -> None:
        """Embed everything that has no vector yet, and tell the names that wait for the model."""
        if max(await self._embed_some()) == _EMBEDDED_AT_ONCE:
            with patiently(0.0):  # more than a turn leaves: an import is not to wait again and again
                while max(await self._embed_some()) == _EMBEDDED_AT_ONCE:
                    pass

    async def _embed_some(self) -> list[int]:
        """Return how many texts of each backlog were taken; an error is raised when all of it has ended."""
        done = await asyncio.gather(*(embed(_EMBEDDED_AT_ONCE) for embed in self.backlog), return_exceptions=True)
        for one in done:
            if isinstance(one, BaseException):
                raise one
        return [one for one in done if isinstance(one, int)]

    async def catch_up(self) -> None:
        """Do all that waits for the embedding model, and what was missed."""
        await self.embed()
        await self.note_missed()

    async def note_missed(self) -> None:
        """Write down what is not in the chronicle, or among the names, yet."""
        await self.chronicle.make_missed()
        if await self.names.make_missed():
            await self.embed()

    async def lay_out(self, scope: Scope) -> None:
        """Make a scope's verbatim turns ready to be searched, if they are searched at all."""
        if self.settings.current.memory.recall_enabled:
            await self.recall.lay_out(scope)

    async def list_long_scopes(self) -> tuple[Scope, ...]:
        """Return the scopes that are worth laying out before anybody asks; see :meth:`SqliteRecall.list_long`."""
        return await self.recall.list_long() if self.settings.current.memory.recall_enabled else ()


def _make(mark: Path) -> None:
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


_LIMIT = 1000


class PendingTurns:
    """Turns that were answered and could not be stored.

    At most 1,000 records, oldest dropped first (and logged); nothing here survives the process, and users know.
    Where the store is ``shared`` none is kept: another worker may answer the message meanwhile.
    """

    def __init__(self, turns: TurnStore, *, shared: bool = False) -> None:
        self._turns = turns
        self._shared = shared
        self._records: deque[TurnRecord] = deque()
        self._told: set[Address] = set()
        self._storing = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._records)

    def trouble(self) -> str:
        """Return what the operator should know, "" when everything is stored."""
        count = len(self._records)
        return f"the disk does not take writes; {count} turns wait in memory to be stored" if count else ""

    def add(self, record: TurnRecord) -> bool:
        """Keep a record; ``True`` if its place has not been told about this outage yet.

        Raises :class:`~bot.errors.StorageUnavailable` where none is kept; then nothing may be sent.
        """
        if self._shared:
            raise StorageUnavailable("the turn was not stored, and is answered anew")
        self._records.append(record)
        if len(self._records) > _LIMIT:
            self._records.popleft()
            structlog.get_logger().error("turn lost: the disk has refused writes for too long")
        first = record.address not in self._told
        self._told.add(record.address)
        return first

    def holds(self, scope: Scope) -> bool:
        """Return whether something that was said in a scope waits."""
        return any(record.scope == scope for record in self._records)

    async def retry(self) -> None:
        """Store what can be stored now, in order; who asks meanwhile waits for the same."""
        async with self._storing:
            while self._records:
                record = self._records[0]
                try:
                    await self._turns.commit(record)
                except StorageUnavailable:
                    return
                if self._records and self._records[0] is record:  # else it was given up for a newer one meanwhile
                    self._records.popleft()
                structlog.get_logger().info("turn stored late", waiting=len(self._records))
            self._told.clear()


@dataclass(frozen=True, slots=True)
class WholeKeptTexts:
    """Implements :class:`~bot.ports.eraser.KeptTexts` over what is stored.

    Where something waits to be stored nobody is told that there is nothing: it will be there.
    """

    stored: KeptTexts
    pending: PendingTurns

    async def find(self, scope: Scope, words: tuple[str, ...]) -> tuple[KeptText, ...]:
        if self.pending.holds(scope):
            raise StorageUnavailable("what was said waits in memory to be stored, and cannot be looked through")
        return await self.stored.find(scope, words)

    async def list_texts(self, scope: Scope, named: ErasureTarget) -> tuple[str, ...]:
        return await self.stored.list_texts(scope, named)


class PendingDeliveries:
    """Implements :class:`~bot.ports.messenger.Deliveries` over another one that may fail to write.

    No chat waits until it is written that a reply was sent: that goes to the disk with what else follows an answer.
    After a crash before that the fate of the reply is unknown, as it is after one between sending and writing.
    Where the store is ``shared`` nothing is sent that is not marked there: another worker may send it.
    """

    def __init__(
        self, deliveries: Deliveries, *, shared: bool = False, hurry: Callable[[], None] = lambda: None
    ) -> None:
        self._deliveries = deliveries
        self._shared, self._hurry = shared, hurry
        self._begun: set[int] = set()
        self._ended: dict[int, tuple[DeliveryOutcome, str | None]] = {}
        """What is to be recorded yet, each under the lease that it was sent under."""
        self._recording: set[asyncio.Task[None]] = set()
        self._retrying = asyncio.Lock()

    async def begin_attempt(self, delivery_id: int) -> bool:
        """Mark an attempt, in memory if it cannot be on disk; see the port."""
        if delivery_id in self._begun:
            return False
        try:
            return await self._deliveries.begin_attempt(delivery_id)
        except StorageUnavailable as error:
            if self._shared:
                raise
            structlog.get_logger().error("attempt not recorded, sending all the same", cause=str(error))
            self._begun.add(delivery_id)
            return True

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        """Record the outcome, later if it cannot be now; that a reply was sent, beside the conversation."""
        if outcome.fate is not Fate.SENT:
            await self._record(delivery_id, outcome)
            return
        with patiently(TOGETHER_S):
            recording = asyncio.create_task(self._record(delivery_id, outcome), name=f"record delivery {delivery_id}")
        self._recording.add(recording)
        recording.add_done_callback(self._recording.discard)

    async def _record(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        try:
            await self._deliveries.finish(delivery_id, outcome)
            self._begun.discard(delivery_id)
        except StorageUnavailable:
            self._ended[delivery_id] = outcome, LEASE.get()
            if self._shared and outcome.fate is Fate.UNKNOWN:
                raise  # its chat is offered it once that is stored, by who takes the chat up

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        """Take the attempt back."""
        self._begun.discard(delivery_id)
        try:
            await self._deliveries.postpone(delivery_id, reason, draft_gone=draft_gone)
        except StorageUnavailable as error:
            if self._shared:
                raise
            # On disk it stays "sending": after a restart nobody knows its fate, and it is listed, not repeated.
            structlog.get_logger().error("postponed attempt not recorded", cause=str(error))

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        """Return what a restart must send; see the port.  What is known to have been sent is not called in doubt."""
        await self.retry()
        return await self._deliveries.list_unsent(address)

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        """Remember a draft; one that cannot be remembered is only lost to a crash."""
        try:
            await self._deliveries.draft(entry_id, message_id)
        except StorageUnavailable as error:
            structlog.get_logger().error("draft not recorded", cause=str(error))

    async def find_draft(self, entry_id: int) -> int | None:
        return await self._deliveries.find_draft(entry_id)

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        await self._recorded()
        return await self._deliveries.find_answer(address, message_id)

    async def retry(self) -> None:
        """Record what can be recorded now; who asks meanwhile waits for the same."""
        await self._recorded()
        async with self._retrying:
            for delivery_id, (outcome, lease) in list(self._ended.items()):
                try:
                    with suppress(LeaseLost), under(lease):  # who has the chat by now has settled it
                        await self._deliveries.finish(delivery_id, outcome)
                except StorageUnavailable:
                    return
                del self._ended[delivery_id]
                self._begun.discard(delivery_id)

    async def _recorded(self) -> None:
        """Wait until what is being recorded is, which waits for company no more."""
        if self._recording:
            await asyncio.sleep(0)  # the newest has only been started
            self._hurry()
        if self._recording:
            await asyncio.wait(self._recording)


_BACKOFF: Final = Backoff(2.0, 600.0)
"""Pauses before each recovery but the first, because a dying disk would be filled with set-aside files."""
_STEADY_S: Final = 3600.0
"""After so long without damage the next recovery comes at once again."""


class StorageRecovery:
    """Waits for damage; ``recovered`` is awaited after each recovery (it stores what was refused meanwhile)."""

    def __init__(self, housekeeping: Housekeeping, recovered: Callable[[], Awaitable[None]]) -> None:
        self._housekeeping = housekeeping
        self._recovered = recovered
        self._pauses = Pauses(_BACKOFF)
        self._pause_s = 0.0
        self._last = -_STEADY_S

    def trouble(self) -> str:
        """Return what the operator should know, "" if nothing was found damaged, at the start or since."""
        if self._housekeeping.database.damaged.is_set():
            return "the database is damaged and is being recovered"
        return "; ".join(self._housekeeping.database.problems)

    async def run(self) -> None:
        """Recover whenever damage is met, until cancelled.

        Raises :class:`~bot.errors.StorageUnavailable` when that fails for now; to be run again after a pause.
        """
        database = self._housekeeping.database
        while True:
            await database.damaged.wait()
            if time.monotonic() - self._last >= _STEADY_S:
                self._pauses.reset()
                self._pause_s = 0.0
            await asyncio.sleep(self._pause_s)
            self._pause_s = self._pauses.next_s()
            self._last = time.monotonic()
            found = await database.recover()
            structlog.get_logger().error("database recovered while running", found=list(found))
            await self._housekeeping.resume()
            await self._housekeeping.rebuild()
            await self._recovered()
