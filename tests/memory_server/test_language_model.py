"""With a language model: LightRAG's own extraction, keywords and answers, through a real HTTP endpoint."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from harness.fakes.openai import Fails, FakeOpenAi, Json, Says, Step
from memory_server.indexing import ingest as document_queue
from memory_server.options import LlmOptions
from tests.memory_server.serving import Served, exchange, served, texts_of
from tests.memory_server.test_erase import bytes_in

ROWS = (
    ("entity", "zanzibar project", "project", "The zanzibar project moves the archive."),
    ("entity", "Maria", "person", "Maria leads the zanzibar project."),
    ("relation", "Maria", "zanzibar project", "leadership", "Maria leads it since March."),
)
HEADERS = {"LIGHTRAG-WORKSPACE": "w"}


def model(body: Json) -> Step:
    """Answer as a model does: extraction rows, keywords as JSON, or a sentence."""
    asked = "\n".join(message["content"] for message in body["messages"])
    if "high_level_keywords" in asked:
        return Says(json.dumps({"high_level_keywords": ["leadership"], "low_level_keywords": ["zanzibar project"]}))
    if "<|#|>" in asked:
        return Says("\n".join(["<|#|>".join(row) for row in ROWS] + ["<|COMPLETE|>"]))
    return Says("Maria leads it, says the memory.")


@asynccontextmanager
async def with_model(
    folder: Path, endpoint: FakeOpenAi, key: str = "k-1", **options: Any
) -> AsyncIterator[Served]:  # Any: options
    """Run a server that has a language model."""
    async with served(folder, llm=LlmOptions(endpoint.url, key, "fake-model"), **options) as ours:
        yield ours


async def test_extraction_keywords_and_answers_are_the_models(tmp_path: Path) -> None:
    """What the model extracts is found by the keywords it makes, and the answer is its own."""
    async with FakeOpenAi(api_key="k-1", default=model) as endpoint, with_model(tmp_path, endpoint) as ours:
        await ours.post("w", "a.txt", exchange(1, "the plan for the coast begins on Monday, as agreed."))
        await ours.wait_until_idle()
        extraction = endpoint.requests[:]
        data = await ours.ask("w", "Who leads the plan for the coast?", "hybrid")
        body = {"query": "Who leads the plan for the coast?", "mode": "hybrid"}
        answer = (await ours.http.post("/query", json=body, headers=HEADERS)).json()
        entity = (await ours.http.get("/workspaces/w/entities/zanzibar project")).json()
        counts = await ours.statuses("w")

    assert counts["processed"] == 1
    assert any("begins on Monday" in str(request["messages"]) for request in extraction)
    assert {request["model"] for request in endpoint.requests} == {"fake-model"}
    assert "The zanzibar project moves the archive." in texts_of(data)
    assert "Maria leads it since March." in texts_of(data)
    assert answer["response"] == "Maria leads it, says the memory."
    assert entity["documents"] == [document_queue.document_id("a.txt")]


async def test_what_a_model_wrote_of_an_erased_text_is_gone(tmp_path: Path) -> None:
    """Its descriptions are the document's, and no cache of its answers keeps them."""
    async with FakeOpenAi(default=model) as endpoint, with_model(tmp_path, endpoint) as ours:
        await ours.post("w", "a.txt", exchange(1, "the plan for the coast begins on Monday, as agreed."))
        await ours.wait_until_idle()
        receipt = await ours.erase("w", document_queue.document_id("a.txt"))
        left = await asyncio.to_thread(bytes_in, tmp_path, "zanzibar")
        data = await ours.ask("w", "Who leads the zanzibar project?", "mix")

    assert receipt["residue"] == []
    assert receipt["entities_removed"] == 2
    assert left == []
    assert "zanzibar" not in texts_of(data)


async def test_an_outage_of_the_model_makes_documents_wait(tmp_path: Path) -> None:
    """Whether it is down, limits our rate or refuses our key: the document waits with the reason and is indexed later.

    Mutation check: with a refused key counted as the document's failure this test is red.
    """
    async with FakeOpenAi(default=model) as endpoint:
        for number, status in enumerate((503, 429, 401)):
            async with with_model(tmp_path / str(status), endpoint, attempts=1) as ours:
                endpoint.script.extend([Fails(status)] * 40)
                await ours.post("w", "a.txt", exchange(number, "the plan for the coast begins on Monday, as agreed."))
                await ours.wait_until_idle()
                during = await ours.statuses("w")
                endpoint.script.clear()
                await _due_now(ours)
                after = await ours.statuses("w")

            assert during.get("pending") == 1, status
            assert after.get("processed") == 1, status


async def test_a_text_the_model_rejects_is_set_aside(tmp_path: Path) -> None:
    """HTTP 400 to one text is that text's failure: tried so many times, then visible with the reason."""
    async with FakeOpenAi(default=model) as endpoint, with_model(tmp_path, endpoint, attempts=2) as ours:
        endpoint.script.extend([Fails(400)] * 40)
        await ours.post("w", "a.txt", exchange(1, "the plan for the coast begins on Monday, as agreed."))
        await ours.wait_until_idle()
        await _due_now(ours)
        endpoint.script.clear()
        page = await ours.http.post("/documents/paginated", json={"page": 1, "page_size": 10}, headers=HEADERS)
    (document,) = page.json()["documents"]

    assert document["status"] == "failed"
    assert "rejects the prompt: HTTP 400" in document["error_msg"]


async def _due_now(ours: Served) -> None:
    """Let everything that waits for a retry be tried at once."""
    async with ours.server.workspaces.lease("w") as workspace:
        await workspace.write(
            lambda tx: tx.db.execute("UPDATE status SET data = json_remove(data, '$.metadata.next_at')")
        )
    ours.server.worker.wake("w")
    await asyncio.sleep(0)
    await ours.wait_until_idle()


async def test_a_model_that_is_down_costs_a_question_its_words_only(tmp_path: Path) -> None:
    """``/query/data`` and ``/query`` find by rules what they find without a model, and say that no model has answered.

    Mutation check: without the rules behind the model's roles ``/query/data`` answers 500 and ``/query`` "no context".
    """
    question = "Who leads the zanzibar project?"
    async with FakeOpenAi(default=model) as endpoint, with_model(tmp_path, endpoint) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria leads the zanzibar project since March."))
        await ours.wait_until_idle()
        endpoint.script.extend([Fails(503)] * 40)
        found = {mode: await ours.ask("w", question, mode) for mode in ("local", "global", "hybrid", "mix", "naive")}
        said = {
            mode: (await ours.http.post("/query", json={"query": question, "mode": mode}, headers=HEADERS)).json()
            for mode in found
        }
        endpoint.script.clear()
        after = (await ours.http.post("/query", json={"query": question}, headers=HEADERS)).json()

    assert {mode: "since March" in texts_of(data) for mode, data in found.items()} == dict.fromkeys(found, True)
    assert {mode: "since March" in answer["response"] for mode, answer in said.items()} == dict.fromkeys(said, True)
    assert {answer["llm_generated"] for answer in said.values()} == {False}
    assert after["llm_generated"]


async def test_without_a_model_no_answer_passes_for_a_models(tmp_path: Path) -> None:
    """``llm_generated`` is false in every mode, also where nothing is searched."""
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
        answers = [
            (
                await ours.http.post("/query", json={"query": "Where does Maria live?", "mode": mode}, headers=HEADERS)
            ).json()
            for mode in ("mix", "naive", "local", "bypass")
        ]

    assert [answer["llm_generated"] for answer in answers] == [False] * 4
    assert "Lisbon" in answers[0]["response"]
