"""The server's health as the operator is told it: that of ours and that of a foreign one."""

from __future__ import annotations

import pytest

from adapters.rag.client import LightRagClient, ServerKind, health, identify_server
from adapters.rag.transport import ServerNames
from bot.errors import MemoryUnavailable
from bot.ports.rag import QueryMode
from harness.fakes.faulty_http import Fault
from harness.fakes.lightrag import INSTALLATION, FakeLightRag
from tests.adapters.rag.fixtures import ANNA, client_of
from tests.cases import each_row


@each_row(("ours", "kind"), [(True, ServerKind.OURS), (False, ServerKind.STOCK)])
async def test_the_two_kinds_of_server_are_told_apart(ours: bool, kind: ServerKind) -> None:  # noqa: FBT001 - a parameter of the test
    """Only ours keeps workspaces apart; both are fine."""
    async with FakeLightRag(ours=ours) as fake:
        client = client_of(fake)
        found = await identify_server(client)
        state, reason = await health(client)
        await client.close()

    assert found is kind
    assert state == "ok"
    assert ("stock" in reason) == (not ours)


@each_row("ours", [True, False])
async def test_a_wrong_key_is_down_although_the_server_lives(ours: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """``/health`` answers to everybody, so it proves nothing about the key."""
    async with FakeLightRag(ours=ours) as fake:
        client = LightRagClient(fake.url, "wrong", names=ServerNames(INSTALLATION))
        state, reason = await health(client)
        await client.close()

    assert state == "down"
    assert "rag.apiKey" in reason


async def test_a_dead_server_is_down() -> None:
    """Nobody listens: down, with the cause."""
    client = LightRagClient("http://127.0.0.1:9", "key", names=ServerNames(INSTALLATION))
    state, reason = await health(client)
    with pytest.raises(MemoryUnavailable):
        await identify_server(client)
    await client.close()

    assert (state, reason) == (
        "down",
        "long-term memory unavailable: no connection (is it running, is rag.url right?)",
    )


async def test_something_else_at_the_address_is_down() -> None:
    """A web page is no LightRAG server."""
    async with FakeLightRag(fault=lambda _: Fault.HTML) as fake:
        client = client_of(fake)
        state, reason = await health(client)
        await client.close()

    assert (state, "not JSON" in reason) == ("down", True)


async def test_an_open_breaker_is_degraded() -> None:
    """The server lives, but questions failed: memory is degraded, and says so."""
    async with FakeLightRag() as fake:
        client = client_of(fake)
        fake.http.fault = lambda _: Fault.ERROR_BEFORE
        for number in range(5):
            await client.query(ANNA, f"question {number}", QueryMode.MIX, deadline_s=10)
        fake.http.fault = lambda _: None
        state, _ = await health(client)
        await client.close()

    assert state == "degraded"
