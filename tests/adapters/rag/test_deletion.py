"""Documents that must not be found any more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from adapters.rag.client import LightRagClient
from bot.errors import MemoryUnavailable
from bot.ports.rag import IndexOutcome, QueryMode
from harness.fakes.faulty_http import Fault, Request
from harness.fakes.lightrag import INSTALLATION, FakeLightRag
from tests.adapters.rag.fixtures import ANNA, BORIS, client_of, document
from tests.cases import each_row


async def _known(client: LightRagClient, count: int) -> None:
    for scope in (ANNA, BORIS):
        for number in range(count):
            outcome = IndexOutcome.WAITING
            while outcome is not IndexOutcome.PROCESSED:
                outcome = await client.index(document(scope, number))


async def _gone(step: Callable[[], Awaitable[bool]]) -> int:
    """Repeat a step until it says that all is gone; return how often it had to be repeated."""
    for steps in range(2000):
        with contextlib.suppress(
            MemoryUnavailable
        ):  # a busy machine misses a short deadline; the outbox asks again, too
            if await step():
                return steps
        await asyncio.sleep(0.002)
    raise AssertionError("never gone")


@each_row("ours", [True, False])
async def test_an_erased_document_is_gone_when_the_answer_is_yes(ours: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """``True`` comes after the record is gone and a query does not find it; the others stay.

    Mutation check: with ``True`` at ``deletion_started`` the document is still found.
    """
    async with FakeLightRag(ours=ours, delay_s=0.01) as fake:
        client = client_of(fake)
        await _known(client, 5)
        await client.query(ANNA, "Fact number 3", QueryMode.MIX, deadline_s=1)
        steps = await _gone(lambda: client.erase(ANNA, document(ANNA, 3).source))
        answer = await client.query(ANNA, "Fact number 3", QueryMode.MIX, deadline_s=1)
        sources = {stored.source for stored in fake.processed("tu1" if ours else "")}
        await client.close()

    assert steps >= 1
    assert "x3" not in {memory.exchange for memory in answer.found}
    assert document(ANNA, 3).source not in sources
    assert document(ANNA, 2).source in sources


async def test_a_document_that_never_was_is_gone() -> None:
    """Erasing nothing is done at once, and no deletion is asked for."""
    async with FakeLightRag() as fake:
        client = client_of(fake)
        gone = await client.erase(ANNA, document(ANNA, 3).source)
        await client.close()

    assert gone
    assert not [request for request in fake.http.requests if request.method == "DELETE"]


async def test_a_document_is_found_among_thousands_by_few_requests() -> None:
    """The listing is searched by halves: 1,500 documents take a handful of pages."""
    async with FakeLightRag() as fake:
        client = client_of(fake)
        for number in range(1500):
            fake.put(INSTALLATION.workspace(ANNA), document(ANNA, number).source, f"text {number}")
        before = len(fake.http.requests)
        first = await client.erase(ANNA, document(ANNA, 777).source)
        asked = len(fake.http.requests) - before
        await _gone(lambda: client.erase(ANNA, document(ANNA, 777).source))
        await client.close()

    assert not first
    assert asked <= 6
    assert len(fake.processed("tu1")) == 1499


@each_row("ours", [True, False])
async def test_erasing_a_scope_leaves_the_others(ours: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Ours drops the workspace; on a stock server every document of the scope goes, and nobody else's."""
    async with FakeLightRag(ours=ours, delay_s=0.01) as fake:
        client = client_of(fake)
        await _known(client, 5)
        await _gone(lambda: client.erase_scope(ANNA))
        left = [stored.source for tag in ("", "tu1", "tu2") for stored in fake.processed(tag)]
        await client.close()

    assert sorted(left) == sorted(document(BORIS, number).source for number in range(5))


async def test_a_busy_server_is_asked_again() -> None:
    """While anything is processed LightRAG deletes nothing and says so with 200: the erase goes on until it is done."""
    async with FakeLightRag(delay_s=0.05) as fake:
        client = client_of(fake)
        await _known(client, 1)
        await client.index(document(ANNA, 9))
        steps = await _gone(lambda: client.erase(ANNA, document(ANNA, 0).source))
        await client.close()

    assert steps > 1
    assert [stored.source for stored in fake.processed("tu1")] == [document(ANNA, 9).source]


async def test_what_a_query_still_finds_is_not_gone() -> None:
    """A server whose listing forgot the document but whose index did not is not believed."""

    class Liar(FakeLightRag):
        def _page(self, tag: str, body: dict[str, Any]) -> Any:
            return super()._page("nobody", body)

    async with Liar(delay_s=30) as fake:
        client = client_of(fake)
        fake.delay_s = 0
        await _known(client, 2)
        fake.delay_s = 30
        gone = await client.erase(ANNA, document(ANNA, 1).source)
        await client.close()

    assert not gone


@each_row("fault", [Fault.ERROR_AFTER, Fault.HTML, Fault.TIMEOUT_BEFORE, Fault.UNAVAILABLE])
async def test_a_fault_is_never_taken_for_gone(fault: Fault) -> None:
    """Any bad answer raises, for one document and for a scope; the outbox keeps the row."""
    async with FakeLightRag() as fake:
        client = client_of(fake)
        await _known(client, 1)
        await client.close()
        client = client_of(fake, index_timeout_s=lambda: 0.05)

        def broken(_: Request) -> Fault | None:
            return fault

        fake.http.fault = broken
        with pytest.raises(MemoryUnavailable):
            await client.erase(ANNA, document(ANNA, 0).source)
        with pytest.raises(MemoryUnavailable):
            await client.erase_scope(ANNA)
        await client.close()


async def test_a_document_that_arrives_after_its_erase_is_erased_as_well() -> None:
    """A POST without an answer may be stored late; the erase waits for that, for one document and for a scope.

    Mutation check: believing the first "not there" leaves the document in the index.
    """
    for whole in (False, True):
        async with FakeLightRag() as fake:
            client = client_of(fake, index_timeout_s=lambda: 0.25)
            late = document(ANNA, 1)
            fake.http.fault = lambda _: Fault.LATE
            with pytest.raises(MemoryUnavailable):
                await client.index(late)
            fake.http.fault = lambda _: None
            if whole:
                await _gone(partial(client.erase_scope, ANNA))
            else:
                await _gone(partial(client.erase, ANNA, late.source))
            await asyncio.sleep(0.2)
            left = fake.processed("tu1")
            await client.close()

        assert left == []
