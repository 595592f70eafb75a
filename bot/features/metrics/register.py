"""Serves figures for Prometheus, and whether Mneme is well, where ``metrics.listen`` says, and sends spans of turns.

Without that nothing is counted, and no library for it is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC
from typing import TYPE_CHECKING

from bot.features.metrics.settings import MetricsSettings
from bot.ports.usage import UsageLedger
from bot.runtime.app import App

if TYPE_CHECKING:
    from adapters.metrics import Metrics


async def register(app: App) -> None:
    """Add the figures to Mneme."""
    settings = app.settings.current.of(MetricsSettings)

    @asynccontextmanager
    async def trace() -> AsyncIterator[None]:
        from adapters.tracing import send_spans  # noqa: PLC0415 - few installations are watched

        async with send_spans(settings.traces_url) as spans:
            app.events.subscribe(spans)
            yield

    @asynccontextmanager
    async def serve() -> AsyncIterator[None]:
        from adapters.metrics import Metrics, serve_metrics  # noqa: PLC0415 - few installations are watched

        metrics = Metrics()
        app.events.subscribe(metrics)
        async with serve_metrics(settings.listen, lambda: _read(app, metrics), lambda: _list_troubles(app)):
            yield

    if settings.listen:
        app.added.serving.append(serve)
    if settings.traces_url:
        app.added.serving.append(trace)


async def _read(app: App, metrics: Metrics) -> bytes:
    waiting = await app.outbox.counts()
    undelivered: Counter[str] = Counter()
    for each in await app.doubts.list_undelivered():
        undelivered[each.fate] += each.count
    today = app.clock.now().astimezone(UTC).date()
    ledger = app.find(UsageLedger)
    spent = await ledger.add_up(today, today) if ledger is not None else ()
    metrics.set_queues(waiting, undelivered)
    metrics.set_spent(spent)
    if app.leases is not None:
        metrics.set_leases(await app.leases.count())
    metrics.set_troubles(_list_troubles(app), tuple(app.troubles))
    return metrics.render()


def _list_troubles(app: App) -> tuple[str, ...]:
    """Return the parts that something is wrong with, by name; what it is stays with `mneme check`."""
    return tuple(part for part, ask in app.troubles.items() if ask())
