"""Requests of other LightRAG clients: Ollama's interface, streamed answers, the WebUI and its login."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from harness.fakes.openai import Breaks, Fails, FakeOpenAi, Says
from memory_server.api.lightrag_api import LIGHTRAG_FILES
from memory_server.api.middleware import LASTS_S, LONGEST_LOGIN, issue_token
from memory_server.indexing.ingest import document_id
from tests.memory_server.serving import KEY, Served, exchange, served
from tests.memory_server.test_language_model import HEADERS, model, with_model

QUESTION = "Who leads the zanzibar project?"


async def told(ours: Served) -> None:
    """Let two workspaces know different things."""
    await ours.post("w", "a.txt", exchange(1, "Maria leads the zanzibar project since March."))
    await ours.post("other", "b.txt", exchange(2, "Ivan leads the zanzibar project since June."))
    await ours.wait_until_idle()


def chat(question: str = QUESTION, *, stream: bool = False) -> dict[str, object]:
    """Return the body of a chat request."""
    return {"model": "lightrag:latest", "messages": [{"role": "user", "content": question}], "stream": stream}


def lines(answer: httpx.Response) -> list[dict[str, object]]:
    """Return the objects of an answer of one JSON object a line."""
    return [json.loads(line) for line in answer.text.splitlines() if line]


async def test_ollamas_routes_ask_for_key_and_workspace(tmp_path: Path) -> None:
    """403 without the key, 400 with a name that is none, an answer with the key as either header."""
    body = {**chat(), "prompt": QUESTION}
    codes = {}
    async with served(tmp_path) as ours:
        key = {"X-API-Key": ours.http.headers.pop("X-API-Key")}
        heads: tuple[dict[str, str], ...] = (
            key,
            {**key, "LIGHTRAG-WORKSPACE": "a b"},
            {"Authorization": f"Bearer {KEY}"},
            {},
        )
        for path in ("/api/version", "/api/tags", "/api/ps", "/api/chat", "/api/generate"):
            method = "POST" if path in {"/api/chat", "/api/generate"} else "GET"
            answers = [await ours.http.request(method, path, json=body, headers=head) for head in heads]
            codes[path] = [answer.status_code for answer in answers]

    assert set(map(tuple, codes.values())) == {(200, 400, 200, 403)}, codes


async def test_without_a_model_ollama_answers_with_what_was_found(tmp_path: Path) -> None:
    """Every mode, streamed or not, answers from the workspace of the request and from no other."""
    modes = ("", "/naive ", "/local ", "/hybrid ", "/bypass ", "/context ")
    async with served(tmp_path) as ours:
        await told(ours)
        answers = [
            await ours.http.post("/api/chat", json=chat(mode + QUESTION, stream=stream), headers=HEADERS)
            for mode in modes
            for stream in (False, True)
        ]

    for answer in answers:
        assert answer.status_code == 200
        assert lines(answer)[-1]["done"]
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
    """``/query/stream`` gives references, then piece after piece; ``/api/chat`` the same pieces."""
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


PAGES = [
    "/", "/webui/", "/workspace/", "/webui/favicon.png", "/pages/choose.js", "/pages/docs.js", "/docs",
    "/static/swagger-ui/swagger-ui.css", "/auth-status", "/ui/customization", "/w/w/webui/", "/w/w/docs",
]  # fmt: skip
CLOSED = ["/openapi.json", "/auth/verify", "/query", "/workspaces", "/documents", "/graphs", "/api/tags"]


@pytest.mark.filterwarnings("ignore:Duplicate Operation ID")
async def test_pages_are_open_and_hold_no_data(tmp_path: Path) -> None:
    """Without the key: every page and file, the same for each workspace; no data route, with an address or without."""
    async with served(tmp_path) as ours:
        await told(ours)
        ours.http.headers.pop("X-API-Key")
        pages = {path: await ours.http.get(path) for path in PAGES}
        script = next((LIGHTRAG_FILES / "webui" / "assets").glob("index-*.js")).name
        asset = await ours.http.get(f"/w/w/webui/assets/{script}")
        closed = [(await ours.http.get(prefix + path)).status_code for path in CLOSED for prefix in ("", "/w/other")]
        written = (await ours.http.post("/webui/")).status_code

    assert {path: answer.status_code for path, answer in pages.items()} == dict.fromkeys(PAGES, 200)
    assert (asset.status_code, asset.headers["content-type"].split(";")[0]) == (200, "text/javascript")
    assert not any("Maria" in answer.text or "Ivan" in answer.text for answer in pages.values())
    assert set(closed) <= {403, 404}
    assert closed.count(404) == 1  # "/workspaces" below a workspace: there is no such address
    assert written == 403
    assert not any("access-control-allow-origin" in answer.headers for answer in (*pages.values(), asset))


async def test_the_web_interface_is_told_its_workspace(tmp_path: Path) -> None:
    """LightRAG's placeholder gives way to the address below which the page is to ask; no other name fits there."""
    async with served(tmp_path) as ours:
        page = await ours.http.get("/w/tu42/webui/")
        plain = await ours.http.get("/webui/")
        slashless = await ours.http.get("/w/tu42/webui")
        front = await ours.http.get("/w/tu42/")
        strange = [await ours.http.get(f"/w/{name}/webui/") for name in ("a b", "%22%3E%3Cscript%3E", "", "..%2f", "ä")]
        health = (await ours.http.get("/health", headers={"X-API-Key": ""})).json()

    assert '{"apiPrefix":"/w/tu42","webuiPrefix":"/w/tu42/webui/","webuiTitle":"Mneme · tu42"}' in page.text
    assert '"apiPrefix":""' in plain.text
    assert "__LIGHTRAG_RUNTIME_CONFIG__" not in page.text + plain.text
    assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
    assert (slashless.status_code, slashless.headers["location"]) == (307, "/w/tu42/webui/")
    assert (front.status_code, front.headers["location"]) == (307, "/w/tu42/webui/")
    assert [answer.status_code for answer in strange] == [400] * 5
    assert [health[name] for name in ("webui_available", "workspace_available", "api_docs_available")] == [True] * 3


async def test_an_address_names_its_workspace(tmp_path: Path) -> None:
    """Below ``/w/NAME`` every data route is about that workspace, for reading, writing and Ollama's interface."""
    async with served(tmp_path) as ours:
        await told(ours)
        body = {"text": "Maria has a parrot.", "file_source": "c.txt"}
        await ours.http.post("/w/w/documents/text", json=body)
        await ours.wait_until_idle()
        counts = {
            name: (await ours.http.get(f"/w/{name}/documents/status_counts")).json()["status_counts"]["all"]
            for name in ("w", "other", "default")
        }
        found = [await ours.http.post(f"/w/{name}/query", json={"query": QUESTION}) for name in ("w", "other")]
        said = await ours.http.post("/w/other/api/chat", json=chat())
        streamed = await ours.http.post("/w/other/query/stream", json={"query": QUESTION})
        moved = await ours.http.post("/w/other/documents/text/", json=body)
        names = (await ours.http.get("/workspaces")).json()["workspaces"]

    assert counts == {"w": 2, "other": 1, "default": 0}
    assert ["since March" in answer.text for answer in found] == [True, False]
    assert "since June" in said.text
    assert "since June" in streamed.text
    assert "Maria" not in said.text + streamed.text
    assert moved.headers["location"].endswith("/w/other/documents/text")
    assert names == ["other", "w"]


async def test_address_and_header_must_not_disagree(tmp_path: Path) -> None:
    """Two names for one request are 400, one name twice is not; workspaces as a whole have no address below one."""
    async with served(tmp_path) as ours:
        path = "/w/w/documents/status_counts"
        answers = [
            await ours.http.get(path, headers={"LIGHTRAG-WORKSPACE": "w"}),
            await ours.http.get(path, headers={"LIGHTRAG-WORKSPACE": "other"}),
            await ours.http.get(path, headers={"LIGHTRAG-WORKSPACE": "w x"}),
            await ours.http.delete("/w/w/workspaces/other"),
            await ours.http.get("/w/w/w/other/documents/status_counts"),
        ]

    assert [answer.status_code for answer in answers] == [200, 400, 400, 404, 404]


@pytest.mark.filterwarnings("ignore:Duplicate Operation ID")
async def test_the_key_is_the_password(tmp_path: Path) -> None:
    """``/login`` gives a token for the key under any name and for nothing else; the token opens what the key opens."""
    async with served(tmp_path) as ours:
        ours.http.headers.pop("X-API-Key")
        status = (await ours.http.get("/auth-status")).json()
        logins = [await ours.http.post("/w/w/login", data={"username": "me", "password": p}) for p in (KEY, "x", "")]
        long = await ours.http.post("/login", data={"password": "x" * LONGEST_LOGIN})
        headers = {"Authorization": f"Bearer {logins[0].json()['access_token']}"}
        verified = [(await ours.http.get("/auth/verify", headers=h)).status_code for h in (headers, {})]
        described = (await ours.http.get("/w/w/openapi.json", headers=headers)).json()
        again = (await ours.http.get("/openapi.json", headers=headers)).json()

    assert (status["auth_configured"], status["auth_mode"], "access_token" in status) == (True, "enabled", False)
    assert [answer.status_code for answer in logins] == [200, 401, 422]
    assert KEY not in logins[1].text + logins[2].text
    assert long.status_code == 413
    assert verified == [200, 403]
    assert described["servers"] == [{"url": "/w/w"}]
    assert again["servers"] == [{"url": "/"}]
    assert {"/query", "/documents/text", "/api/chat"} <= set(described["paths"])


async def test_a_token_ends(tmp_path: Path) -> None:
    """LightRAG's interface keeps a token only that names its end; a forged, a foreign and an old one get 401."""
    good = issue_token(KEY, "me")
    claims = jwt.decode(good, options={"verify_signature": False})
    unsigned = jwt.encode(claims, "", "none")
    old = issue_token(KEY, "me", claims["iat"] - LASTS_S - 1)
    async with served(tmp_path) as ours:
        ours.http.headers.pop("X-API-Key")
        answers = [
            (await ours.http.get("/auth/verify", headers={"Authorization": f"Bearer {token}"})).status_code
            for token in (good, unsigned, old, issue_token(KEY + "x", "me"), good[:-2], "a.b.c", "a")
        ]
        beside = await ours.http.get("/auth/verify", headers={"Authorization": f"Bearer {good}", "X-API-Key": "wrong"})

    assert claims["exp"] == claims["iat"] + LASTS_S
    assert KEY not in good
    assert answers == [200, 401, 401, 401, 401, 401, 403]
    assert beside.status_code in {401, 403}


_CALLS = re.compile(r"\.(get|post|delete)\(`(/[^`?$]+)")
_FETCHED = re.compile(r"fetch\(`\$\{\w+\}(/[^`$]+)")
Call = tuple[str, str, dict[str, Any]]  # Any: httpx's arguments


def list_written_calls() -> set[tuple[str, str]]:
    """Return method and path of every call that the interface's script contains."""
    found: set[tuple[str, str]] = set()
    for path in (LIGHTRAG_FILES / "webui" / "assets").glob("*.js"):
        text = path.read_text("utf-8")
        found |= {(method.upper(), route) for method, route in _CALLS.findall(text)}
        found |= {("POST" if "query" in route else "GET", route) for route in _FETCHED.findall(text)}
    return found


def list_interface_calls(document: str) -> list[Call]:
    """Return every call of the interface, the last of which delete."""
    asked = {"query": QUESTION, "mode": "mix"}
    page = {"page": 1, "page_size": 10, "sort_field": "updated_at", "sort_direction": "desc"}
    edit = {"entity_name": "Maria", "updated_data": {"description": "A sister"}}
    tie = {"source_id": "Maria", "target_id": "Lisbon", "updated_data": {"description": "lives there"}}
    return [
        ("GET", "/auth-status", {}),
        ("GET", "/auth/verify", {}),
        ("GET", "/health", {}),
        ("GET", "/ui/customization", {}),
        ("GET", "/documents/supported_file_types", {}),
        ("GET", "/documents/pipeline_status", {}),
        ("POST", "/documents/paginated", {"json": page}),
        ("POST", "/documents/upload", {"files": {"file": ("more.txt", b"Ivan has a dog.")}}),
        ("POST", "/documents/scan", {}),
        ("POST", "/documents/cancel_pipeline", {}),
        ("POST", "/documents/clear_cache", {"json": {}}),
        ("GET", "/graph/label/popular", {"params": {"limit": 300}}),
        ("GET", "/graph/label/search", {"params": {"q": "Mar", "limit": 50}}),
        ("GET", "/graphs", {"params": {"label": "Maria", "max_depth": 3, "max_nodes": 100}}),
        ("GET", "/graph/entity/exists", {"params": {"name": "Maria"}}),
        ("POST", "/graph/entity/edit", {"json": edit}),
        ("POST", "/graph/relation/edit", {"json": tie}),
        ("POST", "/query", {"json": asked}),
        ("POST", "/query/stream", {"json": asked}),
        ("DELETE", "/documents/delete_document", {"json": {"doc_ids": [document]}}),
        ("DELETE", "/documents", {}),
    ]


async def test_every_call_of_the_web_interface_is_answered(tmp_path: Path) -> None:
    """What LightRAG's script asks for, after a login, but for the folder that there is not."""
    async with served(tmp_path) as ours:
        told = {"text": exchange(1, "My sister Maria lives in Lisbon."), "file_source": "a.txt"}
        (await ours.http.post("/documents/text", json=told)).raise_for_status()
        await ours.wait_until_idle()
        del ours.http.headers["X-API-Key"]
        page = await ours.http.get("/webui/")
        login = await ours.http.post("/login", data={"username": "me", "password": KEY, "grant_type": "password"})
        ours.http.headers["Authorization"] = f"Bearer {login.json()['access_token']}"
        codes = {("GET", "/webui/"): page.status_code, ("POST", "/login"): login.status_code}
        for method, path, given in list_interface_calls(document_id("a.txt")):
            codes[method, path] = (await ours.http.request(method, path, **given)).status_code

    written = list_written_calls()
    assert len(written) > 15
    assert written - set(codes) == set()
    assert {call: code for call, code in codes.items() if code != 200} == {("POST", "/documents/scan"): 501}
