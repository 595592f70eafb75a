"""All configured servers: started in the background, adjusted to the settings, their tools offered once approved.

What a server said of a tool when it was first connected to is approved with it; a description or schema that changes
later, and a tool that appears later, is held until the owner agrees: a server that earns trust and then changes what
it asks of the model must not be heard.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

import structlog

from adapters.mcp.options import McpServer
from adapters.mcp.tools import McpTool, Offer, read_offers
from bot.errors import StorageUnavailable, ToolUnavailable
from bot.ports.tickets import Tickets
from bot.ports.tool import OfferedTool, ServerState, Tool, ToolApprovals, ToolOutcome, ToolRequest, ToolServer
from bot.retry import Backoff

if TYPE_CHECKING:  # the library takes a second to import, and most run without a server
    from mcp_types import Tool as ServerTool

    from adapters.mcp.connection import McpConnection

_STOP_S: Final = 6.0
"""How long servers may take to end; what is left then is killed with us."""


@dataclass
class _Served:
    """A server that is kept connected, what it offers, and which of that is held."""

    server: McpServer
    connection: McpConnection
    task: asyncio.Task[None] | None = None
    offers: tuple[Offer, ...] = ()
    held: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class McpServers:
    """The servers of the settings in force.

    ``agree`` is the name of the command that makes a call that was shown.
    ``changed`` is called whenever other tools are to be offered to the model.
    """

    servers: Callable[[], tuple[McpServer, ...]]
    environment: Callable[[], Mapping[str, str]]
    approvals: ToolApprovals
    tickets: Tickets
    agree: str
    now: Callable[[], datetime]
    _: KW_ONLY
    backoff: Backoff | None = None
    changed: Callable[[], None] = field(init=False, default_factory=lambda: lambda: None)
    _served: dict[str, _Served] = field(init=False, default_factory=dict)
    _adjusting: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _moved: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    async def run(self) -> None:
        """Keep the servers of the settings connected until this is cancelled; then end them, within some seconds."""
        try:
            while True:
                self._adjusting.clear()
                await self._adjust()
                await self._adjusting.wait()
        finally:
            await self._stop(tuple(self._served))

    def settings_changed(self) -> None:
        self._adjusting.set()

    async def settle(self) -> None:
        """Wait until each server has been connected to, or has failed to be, while :meth:`run` runs."""
        while any(each.state is ServerState.STARTING for each in self.list_servers()):
            self._moved.clear()
            await self._moved.wait()

    def list_servers(self) -> tuple[ToolServer, ...]:
        return tuple(self._describe(server) for server in self._list_wanted().values())

    def list_tools(self) -> tuple[Tool, ...]:
        """Return the tools that may be offered; those of a server that is away for a moment stay."""
        tools: list[Tool] = []
        for server in self._list_wanted().values():
            served = self._served.get(server.name)
            if served is None or served.server != server:
                continue
            tools += [self._build_tool(server, each) for each in served.offers if each.name not in served.held]
        return tuple(tools)

    async def carry_out(self, request: ToolRequest) -> ToolOutcome:
        """Make exactly this call, if the tool still is what it was when it was asked for.

        Never raises but on cancellation.
        """
        served = self._served.get(request.server)
        offer = next((each for each in served.offers if each.name == request.tool), None) if served else None
        if served is None or offer is None or offer.version != request.version or offer.name in served.held:
            return ToolOutcome(f"the tool {request.tool} of {request.server} is not what it was", failed=True)
        try:
            return await served.connection.call(request.tool, json.loads(request.arguments))
        except ToolUnavailable as error:
            return ToolOutcome(str(error), failed=not error.unsure, unsure=error.unsure)

    async def approve(self, server: str, tool: str, version: str) -> bool:
        """Let a version of a tool be used; ``False`` if that is not what the server offers now.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        served = self._served.get(server)
        if served is None or (tool, version) not in {(each.name, each.version) for each in served.offers}:
            return False
        await self.approvals.approve(_compute_origin(served.server), tool, version)
        served.held -= {tool}
        self.changed()
        return True

    def trouble(self) -> str:
        """Return what the operator should know, "" when nothing is wrong."""
        held = {each.server.name: sorted(each.held) for each in self._served.values() if each.held}
        down = [name for name, each in self._served.items() if each.connection.state is ServerState.DOWN]
        told = [f"the tool server {name} changed what it says of {', '.join(tools)}" for name, tools in held.items()]
        told = [f"{each}; held until you approve it: /tools" for each in told]
        return "; ".join((*told, *(f"the tool server {name} cannot be reached" for name in sorted(down))))

    async def _adjust(self) -> None:
        wanted = self._list_wanted()
        ended = tuple(name for name, each in self._served.items() if wanted.get(name) != each.server)
        await self._stop(ended)
        begun = [server for name, server in wanted.items() if name not in self._served]
        for server in begun:
            self._start(server)
        if ended or begun:
            self.changed()

    def _list_wanted(self) -> dict[str, McpServer]:
        return {each.name: each for each in self.servers() if each.enabled and (each.command or each.url)}

    def _start(self, server: McpServer) -> None:
        from adapters.mcp.connection import McpConnection  # noqa: PLC0415 - only whoever has a server waits for it

        async def listed(tools: tuple[ServerTool, ...]) -> None:
            await self._take(served, tools)

        environment = self.environment()
        connection = McpConnection(server, environment, listed, moved=self._moved.set, backoff=self.backoff)
        served = _Served(server, connection)
        self._served[server.name] = served
        served.task = asyncio.create_task(connection.run(), name=f"tool server {server.name}")

    async def _stop(self, names: tuple[str, ...]) -> None:
        tasks = [served.task for name in names if (served := self._served.pop(name)).task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_STOP_S)

    async def _take(self, served: _Served, tools: tuple[ServerTool, ...]) -> None:
        """Note what a server offers now; a store that cannot be read holds all of it."""
        server = served.server
        allowed = [tool for tool in tools if not server.tools or tool.name in server.tools]
        offers = read_offers(server.name, allowed)
        versions = {each.name: each.version for each in offers}
        try:
            approved = await self.approvals.check(_compute_origin(server), versions)
        except StorageUnavailable as error:
            structlog.get_logger().warning("approved tools not read", server=server.name, cause=str(error))
            approved = frozenset()
        held = frozenset(versions) - approved
        if held - served.held:
            structlog.get_logger().warning("tools held", server=server.name, count=len(held))
        if (offers, held) != (served.offers, served.held):
            served.offers, served.held = offers, held
            self.changed()

    def _build_tool(self, server: McpServer, offer: Offer) -> McpTool:
        return McpTool(
            server.name,
            offer,
            self.carry_out,
            self.tickets,
            self.agree,
            self.now,
            vouched=offer.name in server.read_only,
            owner_only=server.users == "owner",
        )

    def _describe(self, server: McpServer) -> ToolServer:
        served = self._served.get(server.name)
        if served is None or served.server != server:
            return ToolServer(server.name, ServerState.STARTING)
        tools = tuple(
            OfferedTool(
                server.name,
                each.name,
                each.version,
                each.description,
                held=each.name in served.held,
                asks=each.name not in server.read_only,
            )
            for each in served.offers
        )
        return ToolServer(server.name, served.connection.state, served.connection.reason, tools)


def _compute_origin(server: McpServer) -> str:
    """Return what stands for a server and how it is reached: another program or address is trusted anew."""
    written = json.dumps([server.name, server.command, server.args, server.url])
    return hashlib.sha256(written.encode()).hexdigest()
