"""Small HTTP/1.1 servers on real sockets: one that misbehaves as networks and servers can, one that is a web site.

Written on asyncio streams, because a real framework cannot be made to reset a connection or to drip a byte at a time.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import orjson

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
    {
        Fault.ERROR_BEFORE,
        Fault.TIMEOUT_BEFORE,
        Fault.RESET_BEFORE,
        Fault.TOO_MANY,
        Fault.CONFLICT,
        Fault.UNAVAILABLE,
    }
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
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.hanging = False
        self.late_s = 0.15
        self.requests: list[Request] = []
        self.open_connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen, on the same port as before if there was one."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, limit=2**22)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Refuse connections and drop the open ones, as a killed process does."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.open_connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
            writer.transport.abort()
        finally:
            self.open_connections -= 1
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _read(reader)
        self.requests.append(request)
        fault = self.fault(request)
        if self.hanging:
            return await _hang(reader)
        if fault is Fault.LATE:
            asyncio.get_running_loop().call_later(self.late_s, self._answer, request)
            return await _hang(reader)
        response = _INSTEAD.get(fault) if fault in _NOT_REACHED else self._answer(request)
        if fault in _SILENT:
            return await _hang(reader)
        if fault in _BROKEN or response is None:
            writer.transport.abort()
            return False
        if fault in _NONSENSE:
            await self._nonsense(fault, reader, writer)
            return False
        if fault is Fault.WRONG_TRACK and isinstance(response.json, dict) and "track_id" in response.json:
            response = Response(response.status, {**response.json, "track_id": "insert_of_somebody_else"})
        writer.write(_rendered(_INSTEAD.get(fault, response)))
        await writer.drain()
        return True

    async def _nonsense(self, fault: Fault | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        match fault:
            case Fault.GARBAGE:
                writer.write(self._random.randbytes(200))
            case Fault.HTML:
                page = b"<html><body>Welcome to nginx!</body></html>"
                writer.write(head + b"Content-Length: %d\r\n\r\n" % len(page) + page)
            case Fault.DRIP:
                writer.write(head + b"Content-Length: 1000\r\n\r\n")
                while not reader.at_eof():
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.02)
            case _:
                announced = self._random.random() < 0.5
                writer.write(head + (b"Content-Length: %d\r\n" % _FLOOD_BYTES if announced else b"") + b"\r\n")
                for _ in range(_FLOOD_BYTES // len(_BLOCK)):
                    writer.write(_BLOCK)
                    await writer.drain()
        await writer.drain()


async def _hang(reader: asyncio.StreamReader) -> bool:
    await reader.read()
    return False


async def _read(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    size = int(headers.get("content-length", "0"))
    body = await reader.readexactly(size)
    return Request(method, path, headers, orjson.loads(body) if body else None, size)


def _rendered(response: Response) -> bytes:
    body = orjson.dumps(response.json)
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **response.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {response.status} Status\r\n{lines}\r\n".encode("latin-1") + body


@dataclass
class FakeSite:
    """A server that answers each path with bytes of its own and keeps what it was sent."""

    answers: dict[str, bytes]
    port: int = 0
    requests: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
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
    """Return an answer with a body."""
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(place: str) -> bytes:
    """Return a redirection."""
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
