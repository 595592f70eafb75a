"""One server, kept connected: started, asked for its tools, asked again when they may have changed, started again.

The way to it is a child process or streamable HTTP.  Everything of a connection is opened and closed in one task.
Nobody waits for it: a call to a server that is not there fails at once.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO

import httpx2
import structlog
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    Implementation,
    PaginatedRequestParams,
    ResourceLink,
    TextContent,
    Tool,
    ToolListChangedNotification,
)

from adapters.mcp import launch
from adapters.mcp.options import McpServer
from bot.config.environment import OWN_VARIABLES
from bot.errors import MnemeError, ToolUnavailable
from bot.memory.sanitise import flatten, remove_hidden
from bot.ports.tool import ServerState, ToolOutcome
from bot.retry import Backoff, Pauses

_BACKOFF: Final = Backoff(1.0, 300.0, jitter=0.2)
"""Pauses before a server is connected to again."""
_RELIST_S: Final = 600.0
"""How often a server is asked for its tools though it said nothing of a change."""
_PAGES: Final = 20
_TOOLS: Final = 200

Listed = Callable[[tuple[Tool, ...]], Awaitable[None]]


class McpConnection:
    """Keeps a server connected while :meth:`run` runs.

    ``listed`` is told its tools, again after each change; ``moved`` is called when ``state`` has changed.
    """

    def __init__(
        self,
        server: McpServer,
        environment: Mapping[str, str],
        listed: Listed,
        *,
        moved: Callable[[], None] = lambda: None,
        backoff: Backoff | None = None,
    ) -> None:
        self.server = server
        self.state = ServerState.STARTING
        self.reason = ""
        self._environment = environment
        self._listed = listed
        self._moved = moved
        self._pauses = Pauses(backoff or _BACKOFF)
        self._client: Client | None = None
        self._look = asyncio.Event()
        self._last_words = ""
        self._ended = False

    async def run(self) -> None:
        """Connect, and again whenever the connection ends, until this is cancelled."""
        while True:
            try:
                await self._serve()
            except Exception as error:  # noqa: BLE001 - the edge to foreign code: whatever ends it, it is tried again
                self.reason = _describe(error) or self._last_words or type(error).__name__
                cause = type(error).__name__
            else:
                self.reason = self._last_words or "it has ended"
                cause = "ended"
            self.state = ServerState.DOWN
            self._moved()
            structlog.get_logger().warning("tool server lost", server=self.server.name, cause=cause)
            await asyncio.sleep(self._pauses.next_s())

    async def call(self, tool: str, arguments: dict[str, Any]) -> ToolOutcome:  # Any: JSON
        """Make one call and return what the server answers.

        Raises :class:`~bot.errors.ToolUnavailable`, ``unsure`` when it may have been carried out.
        """
        name, client = self.server.name, self._client
        if client is None:
            raise ToolUnavailable(f"the tool server {name} is not there now")
        try:
            async with asyncio.timeout(self.server.timeout_seconds):
                result = await client.call_tool(tool, arguments)
        except TimeoutError as error:
            self._look.set()
            waited = f"{self.server.timeout_seconds:g} seconds"
            raise ToolUnavailable(f"the tool server {name} did not answer within {waited}", unsure=True) from error
        except MCPError as error:
            refused = error.code in (INVALID_PARAMS, METHOD_NOT_FOUND)
            if not refused:
                self._look.set()
            how = "refused the call" if refused else "broke off"
            raise ToolUnavailable(f"the tool server {name} {how} (code {error.code})", unsure=not refused) from error
        except Exception as error:  # the edge to foreign code
            self._look.set()
            kind = type(error).__name__
            raise ToolUnavailable(f"the tool server {name} gave no usable answer ({kind})", unsure=True) from error
        return ToolOutcome(render_result(result), failed=bool(result.is_error))

    async def _serve(self) -> None:
        """Connect, tell the tools, and return or raise when the connection has ended."""
        self._ended, self._last_words = False, ""
        self._look.clear()
        words = LastWords() if self.server.command else None
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self.server.start_seconds):
                    client = await stack.enter_async_context(self._open(words))
                    tools = await _list_tools(client)
                self._client = client
                await self._listed(tools)
                self.state, self.reason = ServerState.READY, ""
                self._moved()
                self._pauses.reset()
                structlog.get_logger().info("tool server ready", server=self.server.name, tools=len(tools))
                await self._watch(client)
        finally:
            self._client = None
            if words is not None:
                words.close()
                self._last_words = words.last_line

    async def _watch(self, client: Client) -> None:
        """Tell the tools again whenever they may have changed; return when the connection has ended."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_RELIST_S):
                    await self._look.wait()
            self._look.clear()
            if self._ended:
                return
            async with asyncio.timeout(self.server.timeout_seconds):
                tools = await _list_tools(client)
            await self._listed(tools)

    def _open(self, words: LastWords | None) -> Client:
        transport = open_transport(self.server, self._environment, words.file if words else sys.stderr, self._note_end)
        return Client(
            transport,  # type: ignore[arg-type]  # an async context manager of two streams, as the library's own are
            cache=None,
            message_handler=self._hear,
            client_info=Implementation(name="mneme", version="1"),
        )

    async def _hear(self, message: object) -> None:
        """Look again when the server says that its tools have changed; it may say nothing else."""
        if isinstance(message, ToolListChangedNotification):
            self._look.set()

    def _note_end(self) -> None:
        self._ended = True
        self._look.set()


async def _list_tools(client: Client) -> tuple[Tool, ...]:
    """Return all tools of a server, as many as anybody can mean."""
    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        found += page.tools
        cursor = page.next_cursor
        if not cursor or len(found) >= _TOOLS:
            break
    return tuple(found[:_TOOLS])


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


_LAST_WORDS: Final = 2_000


_SHOWN: Final = 200


def _describe(error: BaseException) -> str:
    """Return why a connection failed in words that hold nothing of what a server said, "" where it may know better."""
    if isinstance(error, BaseExceptionGroup):
        return next((told for each in error.exceptions if (told := _describe(each))), "")
    if isinstance(error, MnemeError):
        return str(error)
    if isinstance(error, TimeoutError):
        return "it did not say in time what tools it has"
    return ""


_MOST_BYTES: Final = 16 * 1024 * 1024
"""Of one HTTP response."""

_Message = SessionMessage | Exception


class WatchedStream:
    """The messages of a server; ``ended`` is told when there will be no more."""

    def __init__(self, inner: AsyncIterator[_Message], ended: Callable[[], None]) -> None:
        self._inner = inner
        self._ended = ended

    async def receive(self) -> _Message:
        try:
            return await self._inner.__anext__()
        except BaseException:
            self._ended()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()  # type: ignore[attr-defined]  # the library's streams have it

    def __aiter__(self) -> WatchedStream:
        return self

    async def __anext__(self) -> _Message:
        return await self.receive()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


@asynccontextmanager
async def open_transport(
    server: McpServer, environment: Mapping[str, str], errors: TextIO, ended: Callable[[], None]
) -> AsyncGenerator[tuple[WatchedStream, object]]:
    """Connect to a server and yield its streams.

    ``errors`` takes what a child writes there; ``ended`` is called when nothing will come any more.
    Raises :class:`~bot.errors.ToolUnavailable` for a variable that is not set or one of our own secrets.
    """
    if server.command:
        async with stdio_client(_describe_child(server, environment), errors) as (read, write):
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
        await self._inner.aclose()


_MOST: Final = 20_000
"""Characters of one result."""
_MOST_PIECES: Final = 50
_NAMED: Final = 300


def render_result(result: CallToolResult) -> str:
    """Return the text of a result, "" if it says nothing."""
    pieces = [piece for content in result.content[:_MOST_PIECES] if (piece := _render(content)).strip()]
    if not pieces and result.structured_content is not None:
        pieces = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = remove_hidden("\n\n".join(pieces))
    if len(text) > _MOST:
        return f"{text[:_MOST]}\n[cut: the first {_MOST} of {len(text)} characters]"
    return text


def _render(content: object) -> str:
    match content:
        case TextContent():
            return content.text
        case ImageContent() | AudioContent():
            kind = flatten(content.mime_type, _NAMED)
            return f"[{kind}, about {len(content.data) * 3 // 4} bytes, which cannot be shown here]"
        case ResourceLink():
            return f"[a link to {flatten(content.name, _NAMED)}: {flatten(str(content.uri), _NAMED)}]"
        case EmbeddedResource(resource=BlobResourceContents() as blob):
            return f"[{flatten(str(blob.uri), _NAMED)}: {len(blob.blob) * 3 // 4} bytes, which cannot be shown here]"
        case EmbeddedResource():
            return f"[{flatten(str(content.resource.uri), _NAMED)}]\n{getattr(content.resource, 'text', '')}"
    return ""
