"""The worker between outbox and LightRAG."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.rag.indexer import Indexer, IndexerTimes
from bot.errors import DocumentRejected, MemoryUnavailable, StorageUnavailable
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, OutboxCounts, OutboxRow, QueryMode, RagAnswer
from bot.turn import IndexDocument
from harness.fakes.lightrag import FakeLightRag
from harness.processes import until
from tests.adapters.rag.fixtures import ANNA, BORIS, BRISK, SystemClock, client_of, document
from tests.adapters.rag.memory_outbox import MemoryOutbox
from tests.adapters.rag.virtual_time import run_virtually
from tests.cases import each_row


class ScriptedRag:
    """Long-term memory that does what ``does`` says, and remembers in which order it was asked."""

    def __init__(self, does: Callable[[IndexDocument], IndexOutcome] = lambda _: IndexOutcome.PROCESSED) -> None:
        self.does = does
        self.asked: list[str] = []
        self.erased: list[tuple[str, str]] = []
        self.run_at_once = 0
        self.most_at_once = 0

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        return RagAnswer()

    async def index(self, document: IndexDocument) -> IndexOutcome:
        self.asked.append(document.source)
        self.run_at_once += 1
        self.most_at_once = max(self.most_at_once, self.run_at_once)
        try:
            await asyncio.sleep(0.001)
            return self.does(document)
        finally:
            self.run_at_once -= 1

    async def erase(self, scope: Scope, source: str) -> bool:
        self.erased.append((scope.tag, source))
        return True

    async def erase_scope(self, scope: Scope) -> bool:
        self.erased.append((scope.tag, "*"))
        return True


class LoopClock:
    """The event loop's time, real or virtual; the wall clock can be moved."""

    def __init__(self) -> None:
        self.shift = timedelta(0)

    def now(self) -> datetime:
        return datetime(2026, 2, 7, tzinfo=UTC) + timedelta(seconds=self.monotonic()) + self.shift

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()


@asynccontextmanager
async def _running(outbox: MemoryOutbox, rag: ScriptedRag, **options: Any) -> AsyncIterator[Indexer]:
    indexer = Indexer(outbox, rag, rag, options.pop("clock", LoopClock()), **{"times": BRISK, **options})
    worker = asyncio.create_task(indexer.run())
    try:
        yield indexer
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


async def test_scopes_go_in_parallel_and_each_in_order() -> None:
    """Eight scopes of five documents: at most four at once, each scope in its order."""
    outbox, rag = MemoryOutbox(), ScriptedRag()
    for number in range(40):
        outbox.put(document(Scope(f"tu{number % 8}"), number))
    async with _running(outbox, rag, workers=lambda: 4) as indexer:
        settled = await indexer.settle(30)

    assert settled
    assert rag.most_at_once == 4
    for scope in range(8):
        numbers = [int(source.split("_x")[1][:-4]) for source in rag.asked if f"_tu{scope}_" in source]
        assert numbers == sorted(numbers)


async def test_a_commit_wakes_it() -> None:
    """A row that comes while nothing is to do is taken at once, not at the next idle look."""
    outbox, rag = MemoryOutbox(), ScriptedRag()
    async with _running(outbox, rag, times=replace(BRISK, idle_s=3600)) as indexer:
        await asyncio.sleep(0.01)
        outbox.put(document(ANNA, 1))
        indexer.wake()
        await until(lambda: bool(outbox.closed))

    assert outbox.closed == [document(ANNA, 1).source]


async def test_switched_off_it_writes_nothing() -> None:
    """``rag.enabled=false`` stops writing before the next request; the rows wait and go on afterwards."""
    outbox, rag = MemoryOutbox(), ScriptedRag()
    enabled = False
    outbox.put(document(ANNA, 1))
    async with _running(outbox, rag, enabled=lambda: enabled) as indexer:
        settled = await indexer.settle(0.05)
        asked = list(rag.asked)
        enabled = True
        settled_later = await indexer.settle(30)

    assert (settled, asked) == (False, [])
    assert settled_later


async def test_without_a_server_it_tells_that_rows_wait() -> None:
    """While nothing can be sent ``begin`` is asked for rows, and for none when there are none."""
    outbox, told = MemoryOutbox(), asyncio.Event()

    def begin() -> bool:
        told.set()
        return False

    async with _running(outbox, ScriptedRag(), begin=begin) as indexer:
        await asyncio.sleep(0.02)
        before = told.is_set()
        outbox.put(document(ANNA, 1))
        indexer.wake()
        await until(told.is_set)

    assert not before


async def test_what_long_term_memory_rejects_is_set_aside() -> None:
    """A dead letter keeps its reason, and the rows behind it go on."""

    def does(document: IndexDocument) -> IndexOutcome:
        if "_x1." in document.source:
            raise DocumentRejected("HTTP 413")
        return IndexOutcome.FAILED if "_x2." in document.source else IndexOutcome.PROCESSED

    outbox, rag = MemoryOutbox(), ScriptedRag(does)
    for number in (1, 2, 3):
        outbox.put(document(ANNA, number))
    async with _running(outbox, rag) as indexer:
        settled = await indexer.settle(30)

    assert settled
    assert outbox.closed == [document(ANNA, 3).source]
    assert list(outbox.list_dead()) == [document(ANNA, 1).source, document(ANNA, 2).source]


async def test_a_defect_costs_a_row_not_the_worker() -> None:
    """An error that nobody foresaw is tried five times and set aside; other scopes do not notice."""

    def does(document: IndexDocument) -> IndexOutcome:
        if document.scope == ANNA:
            raise ZeroDivisionError
        return IndexOutcome.PROCESSED

    outbox, rag = MemoryOutbox(), ScriptedRag(does)
    for scope in (ANNA, BORIS):
        outbox.put(document(scope, 1))
    async with _running(outbox, rag) as indexer:
        settled = await indexer.settle(30)

    assert settled
    assert rag.asked.count(document(ANNA, 1).source) == 5
    assert outbox.closed == [document(BORIS, 1).source]
    assert "ZeroDivisionError" in outbox.list_dead()[document(ANNA, 1).source]


async def test_erase_rows_go_to_the_eraser() -> None:
    """A row with a name removes a document, one without a name the whole scope; both in their place in the order."""
    outbox, rag = MemoryOutbox(), ScriptedRag()
    outbox.put(document(ANNA, 1))
    outbox.put(IndexDocument(ANNA, document(ANNA, 1).source, ""), erase=True)
    outbox.put(IndexDocument(ANNA, "", ""), erase=True)
    async with _running(outbox, rag) as indexer:
        await indexer.settle(30)

    assert rag.asked == [document(ANNA, 1).source]
    assert rag.erased == [("tu1", document(ANNA, 1).source), ("tu1", "*")]


async def test_a_disk_that_does_not_write_is_waited_for() -> None:
    """The outbox cannot close a row: the worker lives on, and the row is closed once it can."""

    class Failing(MemoryOutbox):
        broken = True

        async def close(self, row_id: int) -> None:
            if self.broken:
                raise StorageUnavailable("disk full")
            await super().close(row_id)

        async def due(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
            if self.broken and self.reads > 3:
                raise StorageUnavailable("disk full")
            self.reads += 1
            return await super().due(now, limit)

        reads = 0

    outbox, rag = Failing(), ScriptedRag()
    outbox.put(document(ANNA, 1))
    async with _running(outbox, rag) as indexer:
        settled = await indexer.settle(0.1)
        outbox.broken = False
        settled_later = await indexer.settle(30)

    assert (settled, settled_later) == (False, True)


def test_an_outage_costs_one_request_per_pause() -> None:
    """The server is dead for an hour with 1,000 scopes waiting: about 120 requests, and all is indexed after it.

    Mutation check: without the gate there are thousands.
    """

    async def outage() -> tuple[int, bool, float]:
        dead = True

        def does(_: IndexDocument) -> IndexOutcome:
            if dead:
                raise MemoryUnavailable("no connection")
            return IndexOutcome.PROCESSED

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        for number in range(1000):
            outbox.put(document(Scope(f"tu{number}"), number))
        async with _running(outbox, rag, times=IndexerTimes()) as indexer:
            await asyncio.sleep(3600)
            asked, dead = len(rag.asked), False
            indexer.hurry()
            began = asyncio.get_running_loop().time()
            return asked, await indexer.settle(60), asyncio.get_running_loop().time() - began

    asked, settled, took_s = run_virtually(outage())

    assert 100 <= asked <= 300
    assert settled
    assert took_s < 5


def test_without_being_told_it_notices_within_a_minute() -> None:
    """Nobody says that the server is back: the next probe finds out, and then everything goes at once."""

    async def outage() -> float:
        dead = True

        def does(_: IndexDocument) -> IndexOutcome:
            if dead:
                raise MemoryUnavailable("no connection")
            return IndexOutcome.PROCESSED

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        for number in range(20):
            outbox.put(document(ANNA, number))
        async with _running(outbox, rag, times=IndexerTimes()) as indexer:
            await asyncio.sleep(3600)
            dead = False
            began = asyncio.get_running_loop().time()
            assert await indexer.settle(600)
            return asyncio.get_running_loop().time() - began

    assert run_virtually(outage()) <= 61


def test_a_wall_clock_that_jumps_back_a_day_delays_nothing() -> None:
    """Pauses are kept by the monotonic clock (promise P14)."""

    async def jump() -> bool:
        clock, failures = LoopClock(), 4

        def does(_: IndexDocument) -> IndexOutcome:
            nonlocal failures
            failures -= 1
            clock.shift -= timedelta(days=1)
            if failures >= 0:
                raise MemoryUnavailable("a blip")
            return IndexOutcome.PROCESSED

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        outbox.put(document(ANNA, 1))
        async with _running(outbox, rag, clock=clock, times=IndexerTimes()) as indexer:
            return await indexer.settle(120)

    assert run_virtually(jump())


def test_the_pause_that_the_server_asks_for_is_kept() -> None:
    """``Retry-After: 20`` means that the document is not sent again for 20 seconds."""

    async def asked_to_wait() -> list[float]:
        times: list[float] = []

        def does(_: IndexDocument) -> IndexOutcome:
            times.append(asyncio.get_running_loop().time())
            if len(times) == 1:
                raise MemoryUnavailable("HTTP 429", retry_after_s=20)
            return IndexOutcome.PROCESSED

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        outbox.put(document(ANNA, 1))
        async with _running(outbox, rag, times=IndexerTimes()) as indexer:
            await indexer.settle(120)
        return times

    times = run_virtually(asked_to_wait())

    assert 20 <= times[1] - times[0] <= 23


def test_a_slow_document_is_looked_at_ever_more_rarely() -> None:
    """Ten minutes of processing by somebody's language model cost some 130 looks, and other scopes are not held up."""

    async def slow() -> tuple[int, float]:
        loop = asyncio.get_running_loop()
        other_done = 0.0

        def does(document: IndexDocument) -> IndexOutcome:
            nonlocal other_done
            if document.scope == BORIS:
                other_done = loop.time()
                return IndexOutcome.PROCESSED
            return IndexOutcome.PROCESSED if loop.time() > 600 else IndexOutcome.WAITING

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        for scope in (ANNA, BORIS):
            outbox.put(document(scope, 1))
        async with _running(outbox, rag, times=IndexerTimes(), workers=lambda: 1) as indexer:
            assert await indexer.settle(900)
        return len(rag.asked), other_done

    looks, other_done = run_virtually(slow())

    assert looks <= 140
    assert other_done < 1


async def test_a_row_that_leaves_the_outbox_by_itself_is_forgotten() -> None:
    """An erase may take a waiting row away; the worker neither spins nor asks for it again."""
    outbox, rag = MemoryOutbox(), ScriptedRag(lambda _: IndexOutcome.WAITING)
    row = outbox.put(document(ANNA, 1))
    async with _running(outbox, rag) as indexer:
        await until(lambda: len(rag.asked) > 2)
        await outbox.close(row)
        await asyncio.sleep(0.05)
        asked = len(rag.asked)
        await asyncio.sleep(0.05)

        assert indexer._schedule.size == 0
    assert len(rag.asked) == asked


def test_memory_stays_bounded_while_the_server_is_down() -> None:
    """Promise P6 in small: 20,000 scopes wait for an hour; the worker keeps next to nothing of them in memory."""

    async def outage() -> tuple[int, int, OutboxCounts]:
        def does(_: IndexDocument) -> IndexOutcome:
            raise MemoryUnavailable("no connection")

        outbox, rag = MemoryOutbox(), ScriptedRag(does)
        for number in range(20_000):
            outbox.put(IndexDocument(Scope(f"tu{number}"), f"conv_20260207_133000_tu{number}_x1.txt", "text"))
        async with _running(outbox, rag, times=IndexerTimes()) as indexer:
            await asyncio.sleep(60)
            gc.collect()
            tracemalloc.start()
            await asyncio.sleep(3600)
            gc.collect()
            grown, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            return grown, indexer._schedule.size + len(indexer._busy), await outbox.counts()

    grown, kept, counts = run_virtually(outage())

    assert kept <= 400
    assert grown < 2_000_000
    assert counts == OutboxCounts(waiting=20_000, dead=0)


@each_row("delay_s", [0.0, 0.02])
async def test_the_whole_way_over_http(delay_s: float) -> None:
    """Outbox, worker, client and server together: documents in, an erase, everything settled."""
    outbox = MemoryOutbox()
    async with FakeLightRag(delay_s=delay_s) as fake:
        client = client_of(fake)
        for number in range(5):
            outbox.put(document(ANNA, number))
        outbox.put(IndexDocument(ANNA, document(ANNA, 2).source, ""), erase=True)
        outbox.put(document(ANNA, 7))
        indexer = Indexer(outbox, client, client, SystemClock(), times=BRISK)
        worker = asyncio.create_task(indexer.run())
        settled = await indexer.settle(30)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        await client.close()
        left = {stored.source for stored in fake.processed("tu1")}

    assert settled
    assert left == {document(ANNA, number).source for number in (0, 1, 3, 4, 7)}


async def test_a_withdrawn_row_that_is_on_its_way_ends_before_the_erase_begins() -> None:
    """One request at a time per scope, also when the row in hand has left the outbox meanwhile.

    Mutation check: with the rows kept apart by their ids instead of their scopes the erase overtakes the document.
    """
    outbox, order = MemoryOutbox(), list[str]()

    class Slow(ScriptedRag):
        async def index(self, document: IndexDocument) -> IndexOutcome:
            order.append("index begins")
            await asyncio.sleep(0.05)
            order.append("index ends")
            return IndexOutcome.WAITING

        async def erase(self, scope: Scope, source: str) -> bool:
            order.append("erase")
            return True

    row = outbox.put(document(ANNA, 1))
    async with _running(outbox, Slow()) as indexer:
        await until(lambda: bool(order))
        await outbox.close(row)
        outbox.put(IndexDocument(ANNA, document(ANNA, 1).source, ""), erase=True)
        indexer.wake()
        settled = await indexer.settle(30)

    assert settled
    assert order == ["index begins", "index ends", "erase"]
