"""A proxy on loopback that passes requests on to a model server and writes down what they cost.

Time to the first token is measured here, beside bot and server, so that every version of either is measured alike;
token counts are the server's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import httpx

from adapters.llm.stream import SseParser
from adapters.llm.usage import read_usage
from bot.usage import Usage
from harness.fakes.openai import head, read_request

_PATIENCE_S = 600.0
_PASSED_ON = frozenset({"authorization", "content-type", "accept"})


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A completion: the conversation's own bring tools.  Times in milliseconds since the request was whole."""

    conversation: bool
    status: int
    usage: Usage
    first_token_ms: float
    whole_ms: float


@dataclass
class RecordingProxy:
    """``calls`` are the completions in the order in which they ended."""

    upstream: str
    """The server's address without a path."""
    calls: list[RecordedCall] = field(default_factory=list)
    _open: int = 0
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """The base URL for clients."""
        if self._server is None:
            raise ValueError("the proxy is not open")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    @property
    def idle(self) -> bool:
        """Whether no request is under way."""
        return not self._open

    async def __aenter__(self) -> Self:
        self._client = httpx.AsyncClient(trust_env=False, timeout=_PATIENCE_S)
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._open += 1
        try:
            request = await read_request(reader)
            if request is not None:
                await self._pass_on(*request, writer)
        except (ConnectionError, httpx.HTTPError):
            pass  # one of both sides hung up, and sees so itself
        finally:
            self._open -= 1
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _pass_on(
        self, method: str, path: str, headers: dict[str, str], body: Any, writer: asyncio.StreamWriter
    ) -> None:  # Any: JSON of a request
        wanted = {name: value for name, value in headers.items() if name in _PASSED_ON}
        content = json.dumps(body).encode() if body else None
        begun = time.perf_counter()
        parser, used, first = SseParser(), Usage(calls=1), 0.0
        async with self._client.stream(method, f"{self.upstream}{path}", headers=wanted, content=content) as response:
            kind = response.headers.get("content-type", "application/json")
            writer.write(head(response.status_code, kind, {"Transfer-Encoding": "chunked"}))
            async for piece in response.aiter_bytes():
                writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                await writer.drain()
                for event in parser.feed(piece):
                    chunk = _parse(event)
                    first = first or (_since(begun) if _says_something(chunk) else 0.0)
                    used = read_usage(chunk, used)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        if path.endswith("/chat/completions"):
            whole = _since(begun)
            self.calls.append(RecordedCall(bool(body.get("tools")), response.status_code, used, first or whole, whole))


def _parse(event: str) -> dict[str, Any]:  # Any: JSON of a foreign server
    try:
        value = json.loads(event)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _says_something(chunk: dict[str, Any]) -> bool:  # Any: as above
    choices = chunk.get("choices")
    delta = choices[0].get("delta") if isinstance(choices, list) and choices else None
    return isinstance(delta, dict) and bool(delta.get("content") or delta.get("tool_calls"))


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000
