"""One server, kept connected: started, asked for its tools, asked again when they may have changed, started again.

Everything of a connection is opened and closed in one task.  Nobody waits for it: a call to a server that is not there
fails at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

import structlog
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Implementation,
    PaginatedRequestParams,
    Tool,
    ToolListChangedNotification,
)

from adapters.mcp.results import render_result
from adapters.mcp.transport import LastWords, open_transport
from bot.config.mcp_schema import McpServer
from bot.errors import MnemeError, ToolUnavailable
from bot.ports.tool_servers import ServerState, ToolOutcome
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
        relist_s: float = _RELIST_S,
    ) -> None:
        self.server = server
        self.state = ServerState.STARTING
        self.reason = ""
        self._environment = environment
        self._listed = listed
        self._moved = moved
        self._pauses = Pauses(backoff or _BACKOFF)
        self._relist_s = relist_s
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
                stack.callback(self._forget_client)
                self._client = client
                await self._listed(tools)
                self.state, self.reason = ServerState.READY, ""
                self._moved()
                self._pauses.reset()
                structlog.get_logger().info("tool server ready", server=self.server.name, tools=len(tools))
                await self._watch(client)
        finally:
            if words is not None:
                words.close()
                self._last_words = words.last_line

    async def _watch(self, client: Client) -> None:
        """Tell the tools again whenever they may have changed; return when the connection has ended."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._relist_s):
                    await self._look.wait()
            self._look.clear()
            if self._ended:
                return
            async with asyncio.timeout(self.server.timeout_seconds):
                tools = await _list_tools(client)
            await self._listed(tools)

    def _open(self, words: LastWords | None) -> Client:
        transport = open_transport(self.server, self._environment, words or _NoWords(), self._note_end)
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

    def _forget_client(self) -> None:
        self._client = None


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


class _NoWords(LastWords):
    """Stands for the standard error of what has none."""

    def __init__(self) -> None:
        """Open nothing."""


def _describe(error: BaseException) -> str:
    """Return why a connection failed in words that hold nothing of what a server said, "" where it may know better."""
    if isinstance(error, BaseExceptionGroup):
        return next((told for each in error.exceptions if (told := _describe(each))), "")
    if isinstance(error, MnemeError):
        return str(error)
    if isinstance(error, TimeoutError):
        return "it did not say in time what tools it has"
    return ""
