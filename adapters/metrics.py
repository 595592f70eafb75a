"""Figures for Prometheus, and the address at which they are read.

What happens is counted as events tell it; how long queues are is asked whenever somebody reads.  No figure is of a
chat or of a person, no label holds a text: a label is a platform, a system, a model's name, a part's.
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from prometheus_client import CollectorRegistry, Gauge, Histogram, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client import Counter as Counted
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.errors import ConfigInvalid, MnemeError
from bot.ports.events import AnswerProduced, Event, ExchangeIndexed, MemoryErased, RetrievalCompleted, TurnEnded
from bot.ports.leases import LeaseCounts
from bot.ports.rag import OutboxCounts
from bot.ports.usage import UsageRow

_FAST: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
"""Seconds: a system without a model takes one to ten milliseconds, an answer by one up to minutes."""


class Metrics:
    """Counts what events tell; a registry of its own, so that two in one process keep apart."""

    def __init__(self) -> None:
        self._all = CollectorRegistry()
        PlatformCollector(self._all)
        ProcessCollector(registry=self._all)
        self._turns = Counted("mneme_turns", "Messages answered, by platform.", ["platform"], registry=self._all)
        self._seconds = Histogram(
            "mneme_system_seconds", "Time of each system in a turn.", ["system"], buckets=_FAST, registry=self._all
        )
        self._shown = Counted("mneme_memories_used", "Memories that stood in prompts or answers.", registry=self._all)
        self._searches = Counted(
            "mneme_memory_searches",
            "Questions that memory was asked, by outcome: found, nothing, hindered.",
            ["outcome"],
            registry=self._all,
        )
        self._indexed = Counted("mneme_documents_indexed", "Documents taken to long-term memory.", registry=self._all)
        self._erased = Counted("mneme_erases", "Erases of something, or of all of a memory.", registry=self._all)
        self._waiting = self._gauge("mneme_outbox_waiting", "Documents and removals that wait for long-term memory.")
        self._dead = self._gauge("mneme_dead_letters", "Documents that long-term memory gave up.")
        self._undelivered = self._gauge("mneme_replies_undelivered", "Replies that did not surely arrive.", "fate")
        self._tokens = self._gauge("mneme_tokens_today", "Tokens since midnight UTC.", "model", "kind", "direction")
        self._cost = self._gauge("mneme_cost_today", "Reported cost since midnight UTC.", "model", "kind")
        self._trouble = self._gauge("mneme_trouble", "1 where something is wrong with a part.", "part")

        self._leases = self._gauge("mneme_leases_held", "Chats that this worker answers, and the lead.")
        self._silent = self._gauge("mneme_heartbeat_age_seconds", "Since this worker's last sign of life was heard.")
        self._happened = self._gauge(
            "mneme_lease_events",
            "Since the worker's start: chats taken up, writes refused, workers declared gone.",
            "event",
        )

    def _gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(name, meaning, labels, registry=self._all)

    async def __call__(self, event: Event) -> None:
        match event:
            case AnswerProduced(turn):
                self._turns.labels(turn.address.platform).inc()
                self._shown.inc(len(turn.trace.memories))
            case TurnEnded(turn):
                for system, ms in turn.trace.durations_ms.items():
                    self._seconds.labels(system).observe(ms / 1000)
            case RetrievalCompleted():
                outcome = "hindered" if event.notes else "found" if event.found else "nothing"
                self._searches.labels(outcome).inc()
            case ExchangeIndexed():
                self._indexed.inc()
            case MemoryErased():
                self._erased.inc()

    def set_queues(self, outbox: OutboxCounts, undelivered: Mapping[str, int]) -> None:
        """Note what waits now; ``undelivered`` counts replies by fate."""
        self._waiting.set(outbox.waiting)
        self._dead.set(outbox.dead)
        self._undelivered.clear()
        for fate, count in undelivered.items():
            self._undelivered.labels(fate).set(count)

    def set_spent(self, rows: Iterable[UsageRow]) -> None:
        """Note what the day has used so far, all chats together."""
        tokens: Counter[tuple[str, str, str]] = Counter()
        cost: Counter[tuple[str, str]] = Counter()
        for row in rows:
            key = (row.model, row.kind.value)
            tokens[*key, "read"] += row.used.prompt
            tokens[*key, "read before"] += row.used.cached
            tokens[*key, "written"] += row.used.completion
            cost[key] += row.used.cost or 0
        self._tokens.clear()
        self._cost.clear()
        for labels, count in tokens.items():
            self._tokens.labels(*labels).set(count)
        for paid, billionths in cost.items():
            self._cost.labels(*paid).set(billionths / 1e9)

    def set_leases(self, counts: LeaseCounts) -> None:
        self._leases.set(counts.held)
        self._silent.set(counts.silent_s)
        events = {"taken up": counts.taken, "refused": counts.refused, "declared gone": counts.reaped}
        for event, count in events.items():
            self._happened.labels(event).set(count)

    def set_troubles(self, wrong: Collection[str], parts: Iterable[str]) -> None:
        """Note which of the parts something is wrong with."""
        for part in parts:
            self._trouble.labels(part).set(part in wrong)

    def render(self) -> bytes:
        return generate_latest(self._all)


@asynccontextmanager
async def serve_metrics(
    listen: str, read: Callable[[], Awaitable[bytes]], troubles: Callable[[], tuple[str, ...]]
) -> AsyncIterator[None]:
    """Serve ``/metrics``, and ``/healthz`` (503 with the parts that are not well), for as long as this lasts.

    Raises :class:`~bot.errors.ConfigInvalid` where ``listen`` cannot be listened on.
    """

    async def answer_metrics(_request: web.Request) -> web.Response:
        try:
            figures = await read()
        except MnemeError as error:
            return web.Response(status=503, text=f"{type(error).__name__}\n")
        return web.Response(body=figures, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def answer_health(_request: web.Request) -> web.Response:
        wrong = troubles()
        return web.Response(status=503 if wrong else 200, text="".join(f"{part}\n" for part in wrong) or "ok\n")

    app = web.Application()
    app.add_routes([web.get("/metrics", answer_metrics), web.get("/healthz", answer_health)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    host, _, port = listen.rpartition(":")
    try:
        try:
            await web.TCPSite(runner, host.strip("[]"), int(port)).start()
        except OSError as error:
            raise ConfigInvalid(f"cannot listen on {listen} ({error.strerror}); set metrics.listen") from error
        yield
    finally:
        await runner.cleanup()
