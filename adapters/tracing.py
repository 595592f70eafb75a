"""Tells an OpenTelemetry collector of each turn: a span, and one below it for each system.

They are made when the turn has ended, of times that were taken anyway, so that a turn waits for nothing.  No text, no
name and no chat is in them: what ties them to the log is the number of the journal's entry.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

from opentelemetry.context import Context
from opentelemetry.trace import SpanKind, StatusCode, Tracer, set_span_in_context

from bot.errors import ConfigInvalid
from bot.ports.events import Event, TurnEnded

_MS: Final = 1_000_000
"""Nanoseconds."""


class Spans:
    """Hears of turns that have ended and tells ``tracer`` of them."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    async def __call__(self, event: Event) -> None:
        if not isinstance(event, TurnEnded):
            return
        trace, end = event.turn.trace, _count_ns(event.ended_at)
        took = {system: round(ms * _MS) for system, ms in trace.durations_ms.items()}
        at = end - sum(took.values())  # they follow each other; before them stands what finds session and kind
        whole = self._tracer.start_span(
            "turn",
            Context(),
            kind=SpanKind.CONSUMER,
            start_time=min(at, _count_ns(event.turn.started_at)),
            attributes={
                "mneme.platform": event.turn.address.platform,
                "mneme.entry": event.turn.accepted[0].id,
                **{f"mneme.{name}": count for name, count in trace.figures.items()},
            },
        )
        for system, ns in took.items():
            span = self._tracer.start_span(system, set_span_in_context(whole, Context()), start_time=at)
            if any(note.startswith(f"{system} failed: ") for note in trace.notes):
                span.set_status(StatusCode.ERROR)
            at += ns
            span.end(at)
        whole.end(end)


def _count_ns(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6) * 1000


@asynccontextmanager
async def send_spans(url: str) -> AsyncIterator[Spans]:
    """Send what is told of turns to ``url`` by OTLP over HTTP for as long as this lasts, and the rest at its end.

    ``OTEL_SERVICE_NAME``, ``OTEL_RESOURCE_ATTRIBUTES``, ``OTEL_EXPORTER_OTLP_HEADERS`` and the sampler's variables are
    OpenTelemetry's own.  A collector that is away costs spans, never a turn.

    Raises :class:`~bot.errors.ConfigInvalid` where the packages of the extra are not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigInvalid("metrics.tracesUrl needs OpenTelemetry: pip install 'mneme[tracing]'") from error
    provider = TracerProvider(
        resource=Resource({"service.name": "mneme"}).merge(OTELResourceDetector().detect()), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, timeout=5)))
    try:
        yield Spans(provider.get_tracer("mneme"))
    finally:
        await asyncio.to_thread(provider.shutdown)
