"""Clients that are repeated call by call: LightRAG's web interface, as its script has them, and golemcore's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx

from harness.lightrag_clients.programs import PROGRAMS, Outcome, judged, program
from harness.memory_server.serving import KEY, ForkedServer
from memory_server.api.lightrag_api import LIGHTRAG_FILES, VERSIONS
from memory_server.indexing.ingest import document_id

_CALLS = re.compile(r"\.(get|post|delete)\(`(/[^`?$]+)")
_FETCHED = re.compile(r"fetch\(`\$\{\w+\}(/[^`$]+)")
Call = tuple[str, str, dict[str, Any]]  # Any: httpx's arguments
QUESTION = {"query": "Where does Maria live?", "mode": "mix"}


def written_in_the_script() -> set[tuple[str, str]]:
    """Return method and path of every call that the interface's script contains."""
    found: set[tuple[str, str]] = set()
    for path in (LIGHTRAG_FILES / "webui" / "assets").glob("*.js"):
        text = path.read_text("utf-8")
        found |= {(method.upper(), route) for method, route in _CALLS.findall(text)}
        found |= {("POST" if "query" in route else "GET", route) for route in _FETCHED.findall(text)}
    return found


def _interface_calls(document: str) -> list[Call]:
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
        ("POST", "/query", {"json": QUESTION}),
        ("POST", "/query/stream", {"json": QUESTION}),
        ("DELETE", "/documents/delete_document", {"json": {"doc_ids": [document]}}),
        ("DELETE", "/documents", {}),
    ]


async def web_interface(url: str, key: str, document: str) -> list[Outcome]:
    """Log in and make every call of the interface; one in its script that is not made here counts as failed."""
    version = f"LightRAG {VERSIONS['core_version']}"
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        page = await http.get("/webui/")
        login = await http.post("/login", data={"username": "me", "password": key, "grant_type": "password"})
        http.headers["Authorization"] = f"Bearer {login.json().get('access_token', '')}"
        made = [("GET", "/webui/", page), ("POST", "/login", login)]
        calls = _interface_calls(document)
        made += [(method, path, await http.request(method, path, **given)) for method, path, given in calls]
    outcomes = [judged("WebUI", version, f"{m} {path}", answer.status_code, answer.text) for m, path, answer in made]
    left = written_in_the_script() - {(method, path) for method, path, _ in made}
    unmade = [Outcome("WebUI", version, f"{m} {path}", "failed", "not tried") for m, path in sorted(left)]
    return [*outcomes, *unmade]


async def golemcore(url: str, key: str) -> list[Outcome]:
    """Make golemcore's calls: a text, a question, health, with the key as a bearer token."""
    calls: list[Call] = [
        ("POST", "/documents/text", {"json": {"text": "Vera plays chess.", "file_source": "golem.txt"}}),
        ("POST", "/query", {"json": QUESTION}),
        ("GET", "/health", {}),
    ]
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as http:
        made = [(method, path, await http.request(method, path, **given)) for method, path, given in calls]
    return [
        judged("golemcore", "its calls", f"{m} {path}", answer.status_code, answer.text) for m, path, answer in made
    ]


SOURCE = "told.txt"


async def run(python: str, work: Path) -> list[Outcome]:
    """Start a server, let it know something, and return what became of every client's calls."""
    data, shared = work / "data", work / "shared"
    data.mkdir()
    shared.mkdir()
    (shared / "note.txt").write_text("Boris has a boat.", "utf-8")
    server = ForkedServer(data)
    await server.start()
    try:
        told = {"text": "User (Anna): My sister Maria lives in Lisbon.", "file_source": SOURCE}
        (await server.http.post("/documents/text", json=told)).raise_for_status()
        await server.wait_until_indexed("")
        outcomes = await golemcore(server.url, KEY)
        for name in PROGRAMS:
            outcomes += await program(name, python, server.url, KEY, shared / "note.txt")
        # Last, as it ends with deleting every document.
        return [*outcomes, *await web_interface(server.url, KEY, document_id(SOURCE))]
    finally:
        await server.kill()
