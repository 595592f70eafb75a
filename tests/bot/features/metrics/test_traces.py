"""Spans of turns for OpenTelemetry: received as a collector would."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from bot.compose.entry_points import serving
from bot.errors import ConfigInvalid
from harness.application import NO_RAG, run_console


@asynccontextmanager
async def collector(bodies: list[bytes]) -> AsyncIterator[str]:
    """Take what is posted; give the address."""

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.read())
        return web.Response()

    app = web.Application()
    app.add_routes([web.post("/v1/traces", take)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1/traces"
    await runner.cleanup()


async def test_a_turn_is_a_span_with_one_for_each_system_and_no_text(tmp_path: Path) -> None:
    """They lie within the turn one after the other, sending included; no word and no name is in what is sent."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the extra is not installed")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (  # noqa: PLC0415 - of the extra
        ExportTraceServiceRequest,
    )

    bodies: list[bytes] = []
    async with collector(bodies) as url:
        settings = {**NO_RAG, "metrics": {"tracesUrl": url}}
        async with run_console(tmp_path, settings) as chat, serving(chat.app.parts):
            await chat.say("My sister Vera lives in Porto.")
            await chat.say("Where does my sister live?")

    sent = [
        span
        for body in bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    turns = [span for span in sent if span.name == "turn"]
    systems = [span for span in sent if span.parent_span_id == turns[0].span_id]
    assert len(turns) == 2
    assert [span.name for span in systems][-1] == "ResponseRouting"
    assert "MemoryPersist" in {span.name for span in systems}
    assert turns[0].start_time_unix_nano <= systems[0].start_time_unix_nano
    assert [one.end_time_unix_nano for one in systems[:-1]] == [one.start_time_unix_nano for one in systems[1:]]
    assert systems[-1].end_time_unix_nano == turns[0].end_time_unix_nano
    assert [word for word in (b"Vera", b"Porto", b"sister") if word in b"".join(bodies)] == []


async def test_without_the_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sets the address and has not installed the extra reads what to install."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    settings = {**NO_RAG, "metrics": {"tracesUrl": "http://127.0.0.1:9/v1/traces"}}
    async with run_console(tmp_path, settings) as chat:
        with pytest.raises(ConfigInvalid, match=r"mneme\[tracing\]"):
            async with serving(chat.app.parts):
                pass
