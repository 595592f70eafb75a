"""Questions to a LightRAG server, by the rules of its REST API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.rag.client import LightRagClient
from adapters.rag.query import QuerySize
from adapters.rag.transport import ServerNames
from bot.ports.rag import IndexOutcome, QueryMode, RagAnswer
from harness.fakes.faulty_http import Fault
from harness.fakes.lightrag import INSTALLATION, FakeLightRag
from harness.processes import until
from tests.adapters.rag.fixtures import ANNA, BORIS, client_of, document

_LONG = "Where does my sister Vera live now, after all that has happened to her since the spring?"


@pytest.fixture
async def fake() -> AsyncIterator[FakeLightRag]:
    async with FakeLightRag() as server:
        yield server


@pytest.fixture
async def client(fake: FakeLightRag) -> AsyncIterator[LightRagClient]:
    client = client_of(fake)
    yield client
    await client.close()


async def _know(client: LightRagClient, *facts: str) -> None:
    for number, fact in enumerate(facts):
        outcome = IndexOutcome.WAITING
        while outcome is not IndexOutcome.PROCESSED:
            outcome = await client.index(document(ANNA, number, fact))


async def _ask(client: LightRagClient, question: str, **changes: Any) -> RagAnswer:
    asked: dict[str, Any] = {"scope": ANNA, "mode": QueryMode.HYBRID, "deadline_s": 10, **changes}
    return await client.query(question=question, **asked)


@pytest.mark.parametrize("mode", list(QueryMode))
async def test_what_was_said_is_found_without_a_language_model(
    fake: FakeLightRag, client: LightRagClient, mode: QueryMode
) -> None:
    """Every mode finds the exchange and costs no call of a model, also for long questions, which LightRAG chokes on."""
    await _know(client, "My sister Vera lives in Porto.")

    answer = await _ask(client, _LONG, mode=mode)

    assert answer.note == ""
    assert answer.found[0].text == "My sister Vera lives in Porto."
    assert answer.chars == sum(len(memory.text) for memory in answer.found)
    assert fake.model_calls == 0


async def test_the_request_is_what_lightrag_wants(fake: FakeLightRag, client: LightRagClient) -> None:
    """``X-API-Key`` and the workspace travel with it, ``Authorization`` and proxies' compression never."""
    await _ask(client, "Where does Vera live?")

    headers = fake.http.requests[-1].headers
    assert headers["x-api-key"] == "secret"
    assert headers["lightrag-workspace"] == f"{INSTALLATION.name}_tu1"
    assert "authorization" not in headers
    assert headers["accept-encoding"] == "identity"


async def test_a_question_for_more_is_another_question(fake: FakeLightRag) -> None:
    """After a change of ``topK`` or ``chunkTopK`` the answer to the old question is not served.

    Mutation check: with the size taken out of the cache's key the server is asked once.
    """
    sizes = [QuerySize(60, 20), QuerySize(60, 5), QuerySize(10, 5), QuerySize(10, 5)]
    client = client_of(fake, size=lambda: sizes[0])
    for _ in range(4):
        await _ask(client, "Where does Vera live?")
        sizes.pop(0)
    await client.close()

    asked = [request.json for request in fake.http.requests if request.path == "/query/data"]
    assert [(body["top_k"], body["chunk_top_k"]) for body in asked if isinstance(body, dict)] == [
        (60, 20), (60, 5), (10, 5),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("length", "note"), [(9_000, ""), (20_000, "asked of long-term memory: 16000 of 20000 characters")]
)
async def test_a_long_question_is_sent_whole_or_the_answer_says_so(
    fake: FakeLightRag, client: LightRagClient, length: int, note: str
) -> None:
    """A piece of a long message is asked to its last word; what is over any piece's length is noted, also later."""
    question = ("Where does Vera live? " * length)[: length - 1] + "!"

    answer, again = await _ask(client, question), await _ask(client, question)

    body = fake.http.requests[-1].json
    assert isinstance(body, dict)
    assert body["query"] == question[:16_000]
    assert answer.note == again.note == note


async def test_a_question_without_content_words_is_asked_naively(fake: FakeLightRag, client: LightRagClient) -> None:
    """Without keywords only ``naive`` costs no model call and cannot fail."""
    await _ask(client, "And what about it, is it so, was it really and why would it have been so then?")

    body = fake.http.requests[-1].json
    assert isinstance(body, dict)
    assert body["mode"] == "naive"
    assert fake.model_calls == 0


@pytest.mark.parametrize("question", ["", "ab", " \x00 ", "?"])
async def test_a_tiny_question_is_not_asked(fake: FakeLightRag, client: LightRagClient, question: str) -> None:
    """LightRAG would refuse it; nothing is sent and nothing is noted."""
    answer = await _ask(client, question)

    assert answer == RagAnswer()
    assert fake.http.requests == []


@pytest.mark.parametrize(
    "question", ["lone \ud83d surrogate", "nul \x00 here", "<SEP><|COMPLETE|>", "\u202ertl and so", "x" * 10_000]
)
async def test_strange_questions_are_questions(client: LightRagClient, question: str) -> None:
    """Whatever people type, the answer is empty and not an error."""
    answer = await _ask(client, question)

    assert answer == RagAnswer()


async def test_nothing_found_is_no_failure(client: LightRagClient) -> None:
    """LightRAG's ``status: failure`` with empty data means that it knows nothing."""
    answer = await _ask(client, "Where does Vera live?")

    assert answer == RagAnswer()
    assert client.asking


async def test_scopes_do_not_see_each_other(client: LightRagClient) -> None:
    """What one scope said is nothing to the other."""
    await _know(client, "My sister Vera lives in Porto.")

    answer = await _ask(client, "Where does Vera live?", scope=BORIS)

    assert answer.found == ()


async def test_relations_can_be_left_out(fake: FakeLightRag) -> None:
    """``relations=False`` takes them out of the answer before they are mapped."""
    client = client_of(fake, size=lambda: QuerySize(relations=False, top_k=5, chunk_top_k=3))
    await _ask(client, "Where does Vera live?")
    await client.close()

    body = fake.http.requests[-1].json
    assert isinstance(body, dict)
    assert (body["top_k"], body["chunk_top_k"], body["enable_rerank"]) == (5, 3, False)


async def test_a_repeated_question_is_answered_from_memory(fake: FakeLightRag, client: LightRagClient) -> None:
    """A second time costs no request, until the scope learns something new or its cache is dropped."""
    await _know(client, "My sister Vera lives in Porto.")
    first = await _ask(client, "Where does Vera live?")
    asked = len(fake.http.requests)
    again = await _ask(client, "Where does Vera live?")
    repeated = len(fake.http.requests)
    client.cache.forget(ANNA)
    await _ask(client, "Where does Vera live?")

    assert first == again
    assert (repeated, len(fake.http.requests)) == (asked, asked + 1)


_NOTES = {
    Fault.ERROR_BEFORE: "long-term memory unavailable: HTTP 500",
    Fault.UNAVAILABLE: "long-term memory unavailable: HTTP 503",
    Fault.TOO_MANY: "long-term memory unavailable: HTTP 429",
    Fault.RESET_BEFORE: "long-term memory unavailable: the connection broke",
    Fault.GARBAGE: "long-term memory unavailable: the connection broke",
    Fault.HTML: "long-term memory unavailable: an answer that is not JSON",
    Fault.TIMEOUT_BEFORE: "long-term memory unavailable: no answer within 1 s",
    Fault.DRIP: "long-term memory unavailable: no answer within 1 s",
    Fault.FLOOD: "long-term memory unavailable: an answer of more than 4194304 bytes",
}


@pytest.mark.parametrize("fault", list(_NOTES))
async def test_a_fault_costs_the_memories_and_says_why(
    fake: FakeLightRag, client: LightRagClient, fault: Fault
) -> None:
    """Every kind of bad answer becomes an empty one with its cause, sent once and never repeated."""
    fake.http.fault = lambda _: fault

    hangs = fault in {Fault.TIMEOUT_BEFORE, Fault.DRIP}
    answer = await _ask(client, "Where does Vera live?", deadline_s=1 if hangs else 10)

    assert answer == RagAnswer(note=_NOTES[fault])
    assert len(fake.http.requests) == 1


async def test_a_wrong_key_names_the_setting(fake: FakeLightRag) -> None:
    """403 says what to look at, without showing the key."""
    client = LightRagClient(fake.url, "wrong-key", names=ServerNames(INSTALLATION))
    answer = await _ask(client, "Where does Vera live?")
    await client.close()

    assert "rag.apiKey" in answer.note
    assert "wrong-key" not in answer.note


async def test_a_dead_server_is_a_note(fake: FakeLightRag, client: LightRagClient) -> None:
    """Nobody listens: the note asks the right question."""
    await fake.http.stop()

    answer = await _ask(client, "Where does Vera live?")

    assert answer.note == "long-term memory unavailable: no connection (is it running, is rag.url right?)"


async def test_a_server_without_an_address_yet_is_starting() -> None:
    """While the embedded server starts, nothing is asked, nothing is counted, nothing waits."""
    client = LightRagClient(lambda: "", lambda: "", names=ServerNames(INSTALLATION))
    answers = [await _ask(client, "Where does Vera live?") for _ in range(9)]
    available = client.asking
    await client.close()

    assert {answer.note for answer in answers} == {"long-term memory is starting"}
    assert not available


async def test_an_open_breaker_asks_nothing_and_probes_in_the_background(
    fake: FakeLightRag, client: LightRagClient
) -> None:
    """After five failures turns get their answer without a request; once the server is back, so is memory.

    Mutation check: with the breaker taken out of ``query`` the requests go on.
    """
    await _know(client, "My sister Vera lives in Porto.")
    fake.http.fault = lambda _: Fault.UNAVAILABLE
    for _ in range(5):
        await _ask(client, "Where does Vera live?")
    asked = len(fake.http.requests)
    notes = {(await _ask(client, f"Where does Vera live, {n}?")).note for n in range(20)}
    unasked = len(fake.http.requests) - asked
    fake.http.fault = lambda _: None
    client.hurry()
    await until(lambda: client.asking)
    answer = await _ask(client, "Where does Vera live?")

    assert notes == {"long-term memory unavailable: HTTP 503 (not asked again until it recovers)"}
    assert unasked == 0
    assert answer.found[0].text == "My sister Vera lives in Porto."


async def test_a_failed_probe_keeps_the_breaker_open(fake: FakeLightRag, client: LightRagClient) -> None:
    """A probe that fails is not counted as a turn's query, and the next pause begins."""
    fake.http.fault = lambda _: Fault.UNAVAILABLE
    for _ in range(5):
        await _ask(client, "Where does Vera live?")
    asked = len(fake.http.requests)
    client.hurry()
    await until(lambda: len(fake.http.requests) > asked)

    assert not client.asking


async def test_a_cancelled_question_lets_go_of_everything(fake: FakeLightRag, client: LightRagClient) -> None:
    """600 questions cancelled after different numbers of steps leave no connection, no task and no mark on the breaker.

    Mutation check: without retiring the pool, connections stay lost in it and the last question waits in vain.
    """
    fake.http.hanging = True
    tasks_before = len(asyncio.all_tasks())
    for step in range(30):
        asked = [asyncio.create_task(_ask(client, f"Where does Vera live, {n}?")) for n in range(20)]
        for _ in range(2 * step):
            await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    await until(lambda: fake.http.open_connections == 0)
    tasks_after = len(asyncio.all_tasks())
    fake.http.hanging = False
    answer = await _ask(client, "Where does Vera live?")

    assert tasks_after <= tasks_before
    assert answer.note == ""
