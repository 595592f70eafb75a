"""Other people's clients in turn against one real memory server that knows something.

Programs are run by a Python in which they are installed; absent ones are skipped and said so.  Each runs in a process
of its own and prints one line of JSON per call: ``[call, "ok" or what went wrong]``.  LightRAG's web interface, as its
script has it, and golemcore are repeated call by call.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from harness.memory_server.serving import KEY, ForkedServer
from memory_server.api.lightrag_api import LIGHTRAG_FILES, VERSIONS
from memory_server.indexing.ingest import document_id

OLLAMA = """
import importlib.metadata, json, sys
import ollama
client = ollama.Client(host=sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
print(json.dumps(["version", importlib.metadata.version("ollama")]))
said = [{"role": "user", "content": "Where does Maria live?"}]
calls = {
    "list": lambda: client.list().models[0].model,
    "ps": lambda: client.ps().models[0].model,
    "chat": lambda: client.chat("lightrag:latest", messages=said).message.content,
    "chat, streamed": lambda: "".join(
        piece.message.content for piece in client.chat("lightrag:latest", messages=said, stream=True)
    ),
    "generate": lambda: client.generate("lightrag:latest", "Where does Maria live?").response,
}
for name, call in calls.items():
    try:
        answer = call()
        found = "Lisbon" in answer or name in ("list", "ps")
        print(json.dumps([name, "ok" if found else "nothing found: " + answer[:80]]), flush=True)
    except Exception as error:
        print(json.dumps([name, repr(error)[:160]]), flush=True)
"""

MCP = """
import asyncio, importlib.metadata, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
port, key, file = sys.argv[1].rsplit(":", 1)[1], sys.argv[2], sys.argv[3]
folder = file.rsplit("/", 1)[0]
person = {"entity_name": "Olga", "entity_type": "person", "description": "A friend", "source_id": "manual"}
town = {"entity_name": "Porto", "entity_type": "place", "description": "A town", "source_id": "manual"}
tie = {"source": "Olga", "target": "Porto", "description": "lives in", "keywords": "home", "weight": 1.0,
       "source_id": "manual", "relation_type": "home"}
calls = [
    ("check_lightrag_health", {}), ("insert_document", {"text": "Petra has a cat."}),
    ("upload_document", {"file_path": file}), ("insert_file", {"file_path": file}),
    ("insert_batch", {"directory_path": folder}), ("scan_for_new_documents", {}), ("get_documents", {}),
    ("get_pipeline_status", {}), ("get_graph_labels", {}), ("query_document", {"query": "Where does Maria live?"}),
    ("create_entities", {"entities": [person, town]}), ("edit_entities", {"entities": [person]}),
    ("create_relations", {"relations": [tie]}), ("edit_relations", {"relations": [tie]}),
    ("merge_entities", {"source_entities": ["Olga"], "target_entity": "Porto", "merge_strategy": {}}),
    ("delete_by_entities", {"entity_names": ["Porto"]}), ("delete_by_doc_ids", {"doc_ids": ["doc-x"]}),
]
async def main():
    given = ["-m", "lightrag_mcp.main", "--host", "127.0.0.1", "--port", port, "--api-key", key]
    started = StdioServerParameters(command=sys.executable, args=given)
    async with stdio_client(started) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        print(json.dumps(["version", importlib.metadata.version("lightrag-mcp")]), flush=True)
        for name, arguments in calls:
            answer = await session.call_tool(name, arguments)
            said = "".join(part.text for part in answer.content)
            bad = answer.isError or '"error"' in said[:60] or "nexpected status code" in said
            print(json.dumps([name, said[:200] if bad else "ok"]), flush=True)
asyncio.run(main())
"""
PROGRAMS = {"ollama": ("ollama", OLLAMA), "lightrag-mcp": ("lightrag_mcp", MCP)}
LONGEST_S = 60


async def program(name: str, python: str, url: str, key: str, file: Path) -> list[Outcome]:
    """Run one program and return what became of its calls."""
    module, script = PROGRAMS[name]
    probe = await asyncio.create_subprocess_exec(python, "-c", f"import {module}", stderr=asyncio.subprocess.DEVNULL)
    if await probe.wait():
        return [Outcome(name, "", "all", "skipped", f"not installed in {Path(python).name}; see --python")]
    async with recording(url) as recorder:
        running = await asyncio.create_subprocess_exec(
            python, "-c", script, recorder.url, key, str(file), stdout=asyncio.subprocess.PIPE, stderr=None
        )
        try:
            return await asyncio.wait_for(_rows(name, running, recorder), LONGEST_S)
        except TimeoutError:
            return [Outcome(name, "", "all", "failed", f"no end within {LONGEST_S} s")]
        finally:
            if running.returncode is None:
                running.kill()
                await running.wait()


async def _rows(name: str, running: asyncio.subprocess.Process, recorder: Recorder) -> list[Outcome]:
    """Read a program's lines as they come: what has passed before a line belongs to its call."""
    rows: list[Outcome] = []
    version = ""
    if running.stdout is not None:
        async for line in running.stdout:
            if not line.startswith(b"["):
                continue
            call, said = json.loads(line)
            if call == "version":
                version = said
            else:
                rows.append(_row(name, version, call, said, recorder.taken()))
    if await running.wait() or not rows:
        rows.append(Outcome(name, version, "all", "failed", f"ended with exit code {running.returncode}"))
    return rows


def _row(name: str, version: str, call: str, said: str, passed: list[Exchange]) -> Outcome:
    """Return a call's outcome: the client's own word, unless the server has answered an error."""
    for exchange in passed:
        if exchange.status >= 400:
            words = f"{exchange.method} {exchange.path}: {exchange.text}"
            return judged(name, version, call, exchange.status, words)
    if not passed:
        return Outcome(name, version, call, "failed", "it asked nothing of the server")
    return Outcome(name, version, call, "ok" if said == "ok" else "failed", "" if said == "ok" else said)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``result`` is ok, refused (the server says that it has no such thing), failed or skipped; ``said`` is why."""

    client: str
    version: str
    call: str
    result: str
    said: str = ""


REFUSED = frozenset({400, 404, 405, 409, 422, 501})


def judged(client: str, version: str, call: str, status: int, said: str) -> Outcome:
    """Return what an HTTP status means for a client."""
    result = "ok" if status in {200, 307} else "refused" if status in REFUSED else "failed"
    return Outcome(client, version, call, result, "" if result == "ok" else f"{status} {said[:100]}")


METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what it was answered."""

    method: str
    path: str
    status: int
    text: str


@dataclass(slots=True)
class Recorder:
    """What has passed; ``url`` is where a program sends its requests."""

    url: str
    passed: list[Exchange] = field(default_factory=list)

    def taken(self) -> list[Exchange]:
        """Return what has passed since the last time."""
        taken, self.passed = self.passed, []
        return taken


@asynccontextmanager
async def recording(url: str) -> AsyncIterator[Recorder]:
    """Listen on a free port of loopback and pass everything on."""
    listening = socket.create_server(("127.0.0.1", 0))
    recorder = Recorder(f"http://127.0.0.1:{listening.getsockname()[1]}")
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:

        async def passed(request: Request) -> Response:
            dropped = {"host", "content-length", "connection"}
            headers = [(name, value) for name, value in request.headers.items() if name not in dropped]
            path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            answer = await http.request(request.method, path, headers=headers, content=await request.body())
            recorder.passed.append(Exchange(request.method, request.url.path, answer.status_code, answer.text))
            return Response(answer.content, answer.status_code, media_type=answer.headers.get("content-type"))

        app = Starlette(routes=[Route("/{path:path}", passed, methods=METHODS)])
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield recorder
        finally:
            server.should_exit = True
            await serving


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
