"""Ways to a server: a child process, or streamable HTTP.

A child gets the few variables that every program needs and those that the settings name, never a secret of ours.  What
a server sends at once is bounded, and the end of what a child says is noticed at once.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx2
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from adapters.mcp import launch
from bot.config.mcp_schema import OWN_VARIABLES, McpServer
from bot.errors import ToolUnavailable
from bot.memory.sanitise import flatten

_MOST_BYTES: Final = 16 * 1024 * 1024
"""Of one HTTP response."""
_LAST_WORDS: Final = 2_000
_SHOWN: Final = 200

_Message = SessionMessage | Exception


class LastWords:
    """The end of what a child writes to its standard error, for whoever asks why it does not run; kept nowhere else."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        self.file = os.fdopen(self._write, "w")
        self._text = b""
        asyncio.get_running_loop().add_reader(self._read, self._take)

    @property
    def last_line(self) -> str:
        """The last line that says something, short."""
        lines = [line for line in self._text.decode("utf-8", "replace").splitlines() if line.strip()]
        return flatten(lines[-1], _SHOWN) if lines else ""

    def close(self) -> None:
        """Read what is left and let go."""
        self._take()
        asyncio.get_running_loop().remove_reader(self._read)
        with suppress(OSError):
            self.file.close()
        os.close(self._read)

    def _take(self) -> None:
        with suppress(BlockingIOError):
            while piece := os.read(self._read, 65_536):
                self._text = (self._text + piece)[-_LAST_WORDS:]
            asyncio.get_running_loop().remove_reader(self._read)  # nobody writes any more


class WatchedStream:
    """The messages of a server; ``ended`` is told when there will be no more."""

    def __init__(self, inner: AsyncIterator[_Message], ended: Callable[[], None]) -> None:
        self._inner = inner
        self._ended = ended

    async def receive(self) -> _Message:
        """Return the next message."""
        try:
            return await self._inner.__anext__()
        except BaseException:
            self._ended()
            raise

    async def aclose(self) -> None:
        """Close it."""
        await self._inner.aclose()  # type: ignore[attr-defined]  # the library's streams have it

    def __aiter__(self) -> WatchedStream:
        """Return itself."""
        return self

    async def __anext__(self) -> _Message:
        """Return the next message."""
        return await self.receive()

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        await self.aclose()


@asynccontextmanager
async def open_transport(
    server: McpServer, environment: Mapping[str, str], words: LastWords, ended: Callable[[], None]
) -> AsyncGenerator[tuple[WatchedStream, object]]:
    """Connect to a server and yield its streams; ``ended`` is called when nothing will come any more.

    Raises :class:`~bot.errors.ToolUnavailable` for a variable that is not set or one of our own secrets.
    """
    if server.command:
        async with stdio_client(_describe_child(server, environment), words.file) as (read, write):
            yield WatchedStream(aiter(read), ended), write
        return
    headers = {each.name: f"{each.prefix}{_find_variable(each.variable, environment)}" for each in server.headers}
    timeouts = httpx2.Timeout(server.timeout_seconds)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeouts, event_hooks={"response": [_bound]}) as client,
        streamable_http_client(server.url, http_client=client, terminate_on_close=False) as (read, write),
    ):
        yield WatchedStream(aiter(read), ended), write


def _describe_child(server: McpServer, environment: Mapping[str, str]) -> StdioServerParameters:
    variables = {name: _find_variable(name, environment) for name in server.environment}
    guard = ("-I", str(Path(launch.__file__)), str(os.getpid()))
    return StdioServerParameters(
        command=sys.executable,
        args=[*guard, server.command, *server.args],
        env=variables,
        encoding_error_handler="replace",
    )


def _find_variable(name: str, environment: Mapping[str, str]) -> str:
    if name in OWN_VARIABLES:
        raise ToolUnavailable(f"the variable {name} is a secret of Mneme's own and is given to no server")
    if not environment.get(name):
        raise ToolUnavailable(f"the environment variable {name} is not set")
    return environment[name]


async def _bound(response: httpx2.Response) -> None:
    """Let a response break off that is larger than anything a tool may say."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _BoundedStream(response.stream)


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the pieces, as many as may be."""
        size = 0
        async for piece in self._inner:
            size += len(piece)
            if size > _MOST_BYTES:
                raise httpx2.ReadError(f"more than {_MOST_BYTES} bytes")
            yield piece

    async def aclose(self) -> None:
        """Close it."""
        await self._inner.aclose()
