"""A recorder between a program and the server: some clients take an error for an answer, the wire does not lie."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

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
