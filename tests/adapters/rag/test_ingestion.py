"""One document on its way into LightRAG, past everything that LIGHTRAG's REST API does to documents."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from adapters.rag.client import LightRagClient
from adapters.rag.transport import document_id
from bot.errors import DocumentRejected, MemoryUnavailable
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome
from bot.turn import IndexDocument
from harness.fakes.faulty_http import Fault, Request
from harness.fakes.lightrag import FakeLightRag
from tests.adapters.rag.fixtures import ANNA, BORIS, client_of, document
from tests.cases import each_row


async def _index_fully(client: LightRagClient, what: IndexDocument, steps: int = 2000) -> IndexOutcome:
    """Repeat ``index`` until it is through, as the indexer does."""
    outcome = IndexOutcome.WAITING
    for _ in range(steps):
        outcome = await client.index(what)
        if outcome is not IndexOutcome.WAITING:
            break
        await asyncio.sleep(0.001)
    return outcome


def _posts(fake: FakeLightRag) -> int:
    return sum(request.path == "/documents/text" for request in fake.http.requests)


async def test_a_document_waits_until_it_is_processed() -> None:
    """The 200 of the POST is not the end: the outcome is ``waiting`` until the status is ``processed``."""
    async with FakeLightRag(delay_s=0.05) as fake:
        client = client_of(fake)
        first = await client.index(document(ANNA, 1))
        stored_at_first = len(fake.processed("tu1"))
        last = await _index_fully(client, document(ANNA, 1))
        await client.close()

    assert (first, stored_at_first) == (IndexOutcome.WAITING, 0)
    assert (last, len(fake.processed("tu1")), _posts(fake)) == (IndexOutcome.PROCESSED, 1, 1)


async def test_a_document_that_is_there_already_is_done() -> None:
    """After a restart of the bot the 409 of the same source says ``processed``, and that is all that was wanted."""
    async with FakeLightRag() as fake:
        for _ in range(2):
            client = client_of(fake)
            outcome = await _index_fully(client, document(ANNA, 1))
            await client.close()

    assert outcome is IndexOutcome.PROCESSED
    assert [stored.source for stored in fake.processed("tu1")] == [document(ANNA, 1).source]


async def test_a_500_after_storing_does_not_store_twice() -> None:
    """The POST that failed may have worked; the next one finds out."""
    faults = [Fault.ERROR_AFTER, Fault.TIMEOUT_AFTER, Fault.RESET_AFTER]
    async with FakeLightRag(fault=lambda _: faults.pop(0) if faults else None) as fake:
        client = client_of(fake, index_timeout_s=lambda: 1.0)
        for _ in range(3):
            with pytest.raises(MemoryUnavailable):
                await client.index(document(ANNA, 1))
        outcome = await _index_fully(client, document(ANNA, 1))
        await client.close()

    assert outcome is IndexOutcome.PROCESSED
    assert len(fake.processed("tu1")) == 1


async def test_a_wrong_track_id_is_found_out() -> None:
    """A track that shows somebody else's document, or none, is dropped and the document posted again."""

    def fault(request: Request) -> Fault | None:
        return Fault.WRONG_TRACK if request.path == "/documents/text" else None

    async with FakeLightRag(delay_s=0.01, fault=fault) as fake:
        client = client_of(fake)
        outcome = await _index_fully(client, document(ANNA, 1))
        await client.close()

    assert (outcome, len(fake.processed("tu1"))) == (IndexOutcome.PROCESSED, 1)


async def test_a_document_lost_in_a_crash_is_posted_again() -> None:
    """LightRAG answered 200 and forgot: the track stays empty, so the document is sent once more."""
    async with FakeLightRag(delay_s=30) as fake:
        client = client_of(fake)
        await client.index(document(ANNA, 1))
        await fake.crash(lose=lambda _: True)
        fake.delay_s = 0
        outcome = await _index_fully(client, document(ANNA, 1))
        await client.close()

    assert (outcome, len(fake.processed("tu1")), _posts(fake)) == (IndexOutcome.PROCESSED, 1, 2)


async def test_a_document_stuck_since_a_crash_is_resumed() -> None:
    """LightRAG resumes nothing by itself: what stays under way for too long is asked to go on.

    Mutation check: without the resuming call the document waits for ever.
    """
    async with FakeLightRag(delay_s=30) as fake:
        client = client_of(fake)
        await client.index(document(ANNA, 1))
        await fake.crash()
        fake.delay_s = 0
        outcome = await _index_fully(client, document(ANNA, 1))
        await client.close()

    assert outcome is IndexOutcome.PROCESSED


@each_row(
    ("failures", "expected"), [(1, IndexOutcome.PROCESSED), (2, IndexOutcome.PROCESSED), (9, IndexOutcome.FAILED)]
)
async def test_a_failed_document_is_processed_again_then_inserted_again_then_given_up(
    failures: int, expected: IndexOutcome
) -> None:
    """One ``reprocess_failed``, one delete and insert, then ``failed``."""
    left = [failures]

    def failing(_: str) -> int:
        left[0] -= len(left) > 1
        left.append(0)
        return left[0] if len(left) == 2 else left[0] - 1

    async with FakeLightRag(failing=failing) as fake:
        client = client_of(fake)
        outcome = await _index_fully(client, document(ANNA, 1))
        await client.close()
        calls = [request.path.rsplit("/", 1)[-1] for request in fake.http.requests]

    assert outcome is expected
    assert calls.count("reprocess_failed") == 1
    assert calls.count("delete_document") == (failures > 1)
    assert len(fake.processed("tu1")) == (expected is IndexOutcome.PROCESSED)


async def test_the_same_text_under_another_name_is_indexed_too() -> None:
    """LightRAG sets a known text aside as ``dup-…``; it is sent again with a line that tells it apart."""
    first = document(ANNA, 1)
    second = replace(first, source="conv_20260207_133200_tu1_x2.txt")
    async with FakeLightRag() as fake:
        client = client_of(fake)
        outcomes = [await _index_fully(client, what) for what in (first, second)]
        await client.close()

    assert outcomes == [IndexOutcome.PROCESSED] * 2
    assert {stored.source for stored in fake.processed("tu1")} == {first.source, second.source}
    assert not [stored for stored in fake.stored("tu1") if stored.original]


async def test_what_lightrag_cannot_bear_is_taken_out_before() -> None:
    """Lone surrogates, NUL and LightRAG's own control tokens never reach the server."""
    nasty = IndexDocument(ANNA, document(ANNA, 1).source, "lone \ud83d nul \x00 <|#|> x <|COMPLETE|> y <SEP> z")
    async with FakeLightRag() as fake:
        client = client_of(fake)
        outcome = await _index_fully(client, nasty)
        await client.close()
        text = fake.processed("tu1")[0].text

    assert outcome is IndexOutcome.PROCESSED
    assert not any(token in text for token in ("\x00", "<|#|>", "<|COMPLETE|>", "<SEP>", "\ud83d"))


@each_row("text", ["   ", "x" * 2_000_000])
async def test_what_lightrag_will_never_take_is_rejected(text: str) -> None:
    """422 for nothing and 413 for too much are not tried again."""
    async with FakeLightRag() as fake:
        client = client_of(fake)
        with pytest.raises(DocumentRejected):
            await client.index(IndexDocument(ANNA, document(ANNA, 1).source, text))
        await client.close()

    assert _posts(fake) == 1


async def test_a_document_that_makes_the_server_sick_is_rejected_in_the_end() -> None:
    """500 five times, while other documents were taken meanwhile: it is the document; else it is the server."""
    sick = document(ANNA, 1)

    def fault(request: Request) -> Fault | None:
        poison = isinstance(request.json, dict) and request.json.get("file_source") == sick.source
        return Fault.ERROR_BEFORE if poison else None

    async with FakeLightRag(fault=fault) as fake:
        client = client_of(fake)
        for _ in range(9):
            with pytest.raises(MemoryUnavailable):
                await client.index(sick)
        for number in range(3):
            await _index_fully(client, document(BORIS, number))
        with pytest.raises(DocumentRejected):
            await client.index(sick)
        await client.close()


async def test_a_busy_server_says_when_to_come_back() -> None:
    """429 and 409 while deleting are passed on with their pause."""
    async with FakeLightRag(max_pending=1, delay_s=30) as fake:
        client = client_of(fake)
        await client.index(document(ANNA, 1))
        with pytest.raises(MemoryUnavailable, match="HTTP 429") as full:
            await client.index(document(ANNA, 2))
        fake.http.fault = lambda _: Fault.CONFLICT
        with pytest.raises(MemoryUnavailable, match="deleting") as deleting:
            await client.index(document(ANNA, 3))
        await client.close()

    assert (full.value.retry_after_s, deleting.value.retry_after_s) == (1.0, 1.0)


async def test_base_names_of_two_scopes_do_not_collide() -> None:
    """On a stock server, where all share one workspace, each exchange still has its own name and id."""
    async with FakeLightRag(ours=False) as fake:
        client = client_of(fake)
        for scope in (ANNA, BORIS, Scope("ttn100_7")):
            await _index_fully(client, document(scope, 1))
        await client.close()

    assert len({stored.id for stored in fake.processed("")}) == 3
    assert {stored.id for stored in fake.processed("")} >= {document_id(document(ANNA, 1).source)}
