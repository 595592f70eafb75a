"""What other programs ask of a LightRAG server: Ollama's interface, streamed answers, the WebUI and its login."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.adapters.memory_server.serving import KEY, Served, exchange, served
from tests.adapters.memory_server.test_language_model import HEADERS, model, with_model
from tests.fakes.openai import FakeOpenAi
from tests.fakes.openai_steps import Breaks, Fails, Says

QUESTION = "Who leads the zanzibar project?"


async def told(ours: Served) -> None:
    """Let two workspaces know different things."""
    await ours.post("w", "a.txt", exchange(1, "Maria leads the zanzibar project since March."))
    await ours.post("other", "b.txt", exchange(2, "Ivan leads the zanzibar project since June."))
    await ours.settled()


def chat(question: str = QUESTION, *, stream: bool = False) -> dict[str, object]:
    """Return the body of a chat request."""
    return {"model": "lightrag:latest", "messages": [{"role": "user", "content": question}], "stream": stream}


def lines(answer: httpx.Response) -> list[dict[str, object]]:
    """Return the objects of an answer of one JSON object a line."""
    return [json.loads(line) for line in answer.text.splitlines() if line]


@pytest.mark.parametrize("path", ["/api/version", "/api/tags", "/api/ps", "/api/chat", "/api/generate"])
async def test_ollamas_routes_ask_for_key_and_workspace(tmp_path: Path, path: str) -> None:
    """403 without the key, 400 with a name that is none, an answer with the key as either header."""
    body = {**chat(), "prompt": QUESTION}
    method = "POST" if path in {"/api/chat", "/api/generate"} else "GET"
    async with served(tmp_path) as ours:
        known = await ours.http.request(method, path, json=body)
        bad = await ours.http.request(method, path, json=body, headers={"LIGHTRAG-WORKSPACE": "a b"})
        ours.http.headers.pop("X-API-Key")
        bearer = await ours.http.request(method, path, json=body, headers={"Authorization": f"Bearer {KEY}"})
        anonymous = await ours.http.request(method, path, json=body)

    assert [answer.status_code for answer in (known, bad, bearer, anonymous)] == [200, 400, 200, 403]


@pytest.mark.parametrize("prefix", ["", "/naive ", "/local ", "/hybrid ", "/bypass ", "/context "])
@pytest.mark.parametrize("stream", [False, True])
async def test_without_a_model_ollama_answers_with_what_was_found(tmp_path: Path, prefix: str, *, stream: bool) -> None:
    """Every mode, streamed or not, answers from the workspace of the request and from no other."""
    async with served(tmp_path) as ours:
        await told(ours)
        answer = await ours.http.post("/api/chat", json=chat(prefix + QUESTION, stream=stream), headers=HEADERS)
        said = lines(answer)

    assert answer.status_code == 200
    assert said[-1]["done"]
    assert "since March" in answer.text
    assert "Ivan" not in answer.text


async def test_without_a_model_a_prompt_is_answered_with_what_was_found(tmp_path: Path) -> None:
    """``/api/generate``, which LightRAG hands to the model alone, finds too."""
    async with served(tmp_path) as ours:
        await told(ours)
        body = {"model": "lightrag:latest", "prompt": QUESTION}
        answer = await ours.http.post("/api/generate", json=body, headers={"LIGHTRAG-WORKSPACE": "other"})

    assert "since June" in answer.json()["response"]
    assert "Maria" not in answer.text


async def test_ollamas_refusals_repeat_nothing(tmp_path: Path) -> None:
    """An invalid request gets LightRAG's 400 without what was sent; asking leaves no workspace behind."""
    async with served(tmp_path) as ours:
        wrong = await ours.http.post("/api/chat", json={**chat("my secret"), "stream": "sideways secret"})
        broken = await ours.http.post("/api/generate", content=b'{"prompt": "my secret')
        await ours.http.post("/api/chat", json=chat(), headers={"LIGHTRAG-WORKSPACE": "nobody"})
        names = (await ours.http.get("/workspaces")).json()["workspaces"]

    assert (wrong.status_code, broken.status_code) == (400, 400)
    assert "secret" not in wrong.text + broken.text
    assert names == []


async def test_an_answer_is_streamed_as_the_model_makes_it(tmp_path: Path) -> None:
    """``/query/stream`` gives references, then piece after piece; ``/api/chat`` the same pieces.

    Mutation check: without ``stream`` in the request to the endpoint there is one piece.
    """
    async with FakeOpenAi(api_key="k-1", default=model) as endpoint, with_model(tmp_path, endpoint) as ours:
        await told(ours)
        answer = await ours.http.post("/query/stream", json={"query": QUESTION, "mode": "mix"}, headers=HEADERS)
        ollama = await ours.http.post("/api/chat", json=chat(stream=True), headers=HEADERS)
    first, *rest = lines(answer)

    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert "references" in first
    assert len([line for line in rest if "response" in line]) == 3
    assert "".join(str(line.get("response", "")) for line in rest) == "Maria leads it, says the memory."
    assert len(lines(ollama)) == 4


async def test_without_a_model_a_stream_is_one_line(tmp_path: Path) -> None:
    """References and what was found, and that no model has said it."""
    async with served(tmp_path) as ours:
        await told(ours)
        answer = await ours.http.post("/query/stream", json={"query": QUESTION}, headers=HEADERS)
    (line,) = lines(answer)

    assert "since March" in str(line["response"])
    assert line["references"]


async def test_a_stream_that_cannot_begin_is_answered_by_rules(tmp_path: Path) -> None:
    """A model that refuses before the first piece costs its words only; one that breaks off later ends in an error."""
    async with FakeOpenAi(default=model) as endpoint, with_model(tmp_path, endpoint) as ours:
        await told(ours)
        endpoint.script.extend([Fails(503)] * 4)
        down = await ours.http.post("/query/stream", json={"query": QUESTION, "mode": "naive"}, headers=HEADERS)
        generated = await ours.http.post("/api/generate", json={"model": "m", "prompt": QUESTION}, headers=HEADERS)
        endpoint.script.clear()
        endpoint.script.append(Breaks("Maria leads"))
        broken = await ours.http.post("/query/stream", json={"query": QUESTION, "mode": "naive"}, headers=HEADERS)
        endpoint.script.append(Says("once more"))
        after = await ours.http.post("/query/stream", json={"query": QUESTION, "mode": "naive"}, headers=HEADERS)

    assert "since March" in down.text
    assert "error" not in down.text
    assert "since March" in generated.json()["response"]
    assert "error" in lines(broken)[-1]
    assert "".join(str(line.get("response", "")) for line in lines(after)) == "once more"


async def test_an_endpoint_that_cannot_stream_is_read_whole(tmp_path: Path) -> None:
    """An endpoint that answers with one completion gives one piece."""
    async with FakeOpenAi(default=model, streams=False) as endpoint, with_model(tmp_path, endpoint) as ours:
        await told(ours)
        answer = await ours.http.post("/query/stream", json={"query": QUESTION, "mode": "naive"}, headers=HEADERS)

    assert [line["response"] for line in lines(answer) if "response" in line] == ["Maria leads it, says the memory."]
