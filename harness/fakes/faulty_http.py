"""Small HTTP/1.1 servers on real sockets: one that misbehaves as networks and servers can, one that is a web site.

The site is written on asyncio streams: its answers are bytes, right or wrong.
"""

import asyncio
import json
import random
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from aiohttp import web

_FLOOD_BYTES: Final = 100 * 1024 * 1024
_BLOCK: Final = bytes(65_536)


class Fault(Enum):
    """What goes wrong with one request."""

    ERROR_BEFORE = auto()
    ERROR_AFTER = auto()
    TIMEOUT_BEFORE = auto()
    TIMEOUT_AFTER = auto()
    RESET_BEFORE = auto()
    RESET_AFTER = auto()
    GARBAGE = auto()
    HTML = auto()
    TOO_MANY = auto()
    CONFLICT = auto()
    UNAVAILABLE = auto()
    DRIP = auto()
    FLOOD = auto()
    WRONG_TRACK = auto()
    LATE = auto()
    """The request is carried out a moment after the client has given up."""


_NOT_REACHED: Final = frozenset(
    {Fault.ERROR_BEFORE, Fault.TIMEOUT_BEFORE, Fault.RESET_BEFORE, Fault.TOO_MANY, Fault.CONFLICT, Fault.UNAVAILABLE}
)


@dataclass(frozen=True, slots=True)
class Request:
    """What came in; header names are lower case, ``json`` is ``None`` without a JSON body."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: object
    size: int


@dataclass(frozen=True, slots=True)
class Response:
    """What goes out."""

    status: int
    json: object
    headers: Mapping[str, str] = field(default_factory=dict)


_SILENT: Final = frozenset({Fault.TIMEOUT_BEFORE, Fault.TIMEOUT_AFTER})
_BROKEN: Final = frozenset({Fault.RESET_BEFORE, Fault.RESET_AFTER})
_NONSENSE: Final = frozenset({Fault.GARBAGE, Fault.HTML, Fault.DRIP, Fault.FLOOD})
_INSTEAD: Final[Mapping[Fault | None, Response]] = {
    Fault.ERROR_BEFORE: Response(500, {"detail": "internal_server_error"}),
    Fault.ERROR_AFTER: Response(500, {"detail": "internal_server_error"}),
    Fault.TOO_MANY: Response(429, {"detail": "Pipeline is at capacity"}, {"Retry-After": "0"}),
    Fault.CONFLICT: Response(409, {"detail": "Cannot enqueue while documents are being deleted"}),
    Fault.UNAVAILABLE: Response(503, {"detail": "Recovery required"}),
}


class FaultyHttp:
    """Serves ``answer`` on a free loopback port; ``fault`` decides per request what goes wrong (``None``: nothing)."""

    def __init__(
        self,
        answer: Callable[[Request], Response],
        fault: Callable[[Request], Fault | None] = lambda _: None,
        *,
        seed: int = 0,
    ) -> None:
        self._answer = answer
        self.fault = fault
        self._random = random.Random(seed)
        self._runner: web.AppRunner | None = None
        self.port = 0
        self.hanging = False
        self.late_s = 0.15
        self.requests: list[Request] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def open_connections(self) -> int:
        server = None if self._runner is None else self._runner.server
        return 0 if server is None else len(server.connections)

    async def start(self) -> None:
        """Listen, on the same port as before if there was one."""
        application = web.Application(client_max_size=2**26)
        application.router.add_route("*", "/{path:.*}", self._exchange)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.01, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Refuse connections and drop the open ones, as a killed process does."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _exchange(self, received: web.Request) -> web.StreamResponse:
        body = await received.read()
        headers = {name.lower(): value for name, value in received.headers.items()}
        request = Request(received.method, received.path_qs, headers, json.loads(body) if body else None, len(body))
        self.requests.append(request)
        fault = self.fault(request)
        if fault is Fault.LATE and not self.hanging:
            asyncio.get_running_loop().call_later(self.late_s, self._answer, request)
        if self.hanging or fault is Fault.LATE:
            await asyncio.Event().wait()
        response = _INSTEAD.get(fault) if fault in _NOT_REACHED else self._answer(request)
        if fault in _SILENT:
            await asyncio.Event().wait()
        assert received.transport is not None
        if fault in _BROKEN or response is None:
            received.transport.abort()
            return web.Response()
        if fault is Fault.GARBAGE:
            received.transport.write(self._random.randbytes(200))
            received.transport.close()
            return web.Response()
        if fault in _NONSENSE:
            return await self._nonsense(fault, received)
        if fault is Fault.WRONG_TRACK and isinstance(response.json, dict) and "track_id" in response.json:
            response = Response(response.status, {**response.json, "track_id": "insert_of_somebody_else"})
        said = _INSTEAD.get(fault, response)
        return web.json_response(said.json, status=said.status, headers=said.headers)

    async def _nonsense(self, fault: Fault | None, received: web.Request) -> web.StreamResponse:
        if fault is Fault.HTML:
            return web.Response(text="<html><body>Welcome to nginx!</body></html>", content_type="application/json")
        sent = web.StreamResponse(headers={"Content-Type": "application/json"})
        sent.force_close()
        if fault is Fault.DRIP:
            sent.content_length = 1000
        elif self._random.random() < 0.5:
            sent.content_length = _FLOOD_BYTES
        await sent.prepare(received)
        while fault is Fault.DRIP:  # until nobody listens
            await sent.write(b" ")
            await asyncio.sleep(0.02)
        for _ in range(_FLOOD_BYTES // len(_BLOCK)):
            await sent.write(_BLOCK)
        return sent


@dataclass
class FakeSite:
    """A server that answers each path with bytes of its own and keeps what it was sent."""

    answers: dict[str, bytes]
    port: int = 0
    requests: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.requests.append(request)
        answer = self.answers.get(request.split(" ")[1], b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.write(answer)
        if b"Content-Length" in answer:
            await writer.drain()
            writer.close()
        else:
            await reader.read()  # answers for ever: until the other side has had enough
            writer.close()


def answer_with(body: bytes = b"<p>hello</p>", *headers: str, kind: str = "text/html; charset=utf-8") -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(place: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()


@asynccontextmanager
async def serving(answers: dict[str, bytes], *, tls: ssl.SSLContext | None = None) -> AsyncIterator[FakeSite]:
    """Run a server on loopback."""
    made = FakeSite(answers)
    listening = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=tls)
    made.port = listening.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        listening.close()
