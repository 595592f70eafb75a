"""Who begins a request and does not end it keeps nobody out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from adapters.page import site as connection
from adapters.page.gate import Visitor
from harness.page import OpenedPage

HALVES = {
    "nothing": b"",
    "a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-",
    "a form": b"POST /leave HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nkey=",
    "the second": b"GET /",
}


@asynccontextmanager
async def hold(page: OpenedPage, half: str, count: int = 1) -> AsyncIterator[list[asyncio.StreamReader]]:
    """Begin requests and keep their connections."""
    port = int(page.origin.rpartition(":")[2])
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(count)]
    for reader, writer in held:
        if half == "the second":
            writer.write(b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            with suppress(asyncio.IncompleteReadError):  # it has given way already
                await reader.readuntil(b"\r\n\r\n")
        writer.write(HALVES[half])
    try:
        yield [reader for reader, _ in held]
    finally:
        for _, writer in held:
            writer.close()


@pytest.mark.parametrize("half", HALVES)
async def test_the_page_answers_whoever_asks_beside_half_requests(page: OpenedPage, half: str) -> None:
    """More of them than there are connections, and more than one turn of them.

    Seen to fail without the place that the next one takes.
    """
    async with page.visit(Visitor(None)) as visitor:
        for _ in range(2):
            async with hold(page, half, connection.MOST + 20), page.call() as fresh:
                fresh.cookies = visitor.http.cookies
                assert (await fresh.get("/m/cu42/timeline")).status_code == 200


@pytest.mark.parametrize("half", HALVES)
async def test_a_request_must_be_there_in_time(page: OpenedPage, half: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its connection is closed; one that is answered stays.  Seen to fail without the time."""
    monkeypatch.setattr(connection, "_PATIENCE_S", 0.5)
    async with page.visit(Visitor(None)) as visitor, hold(page, half) as (reader,), asyncio.timeout(60):
        with suppress(ConnectionError):
            await reader.read()
        assert (await visitor.get("/m/cu42/timeline")).status_code == 200
