"""``mneme check`` for servers of tools: each is started for the question, asked for its tools, and ended again."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from adapters.mcp.servers import McpServers
from bot.commands.status import HealthLine
from bot.ports.tool_servers import ServerState, ToolServer

_STATES: Final[dict[ServerState, Literal["ok", "degraded", "down"]]] = {
    ServerState.READY: "ok",
    ServerState.STARTING: "degraded",
    ServerState.DOWN: "degraded",
}


async def list_server_lines(servers: McpServers) -> tuple[HealthLine, ...]:
    """Return one line per server with its tools; each has its own time to start, and all start at once."""
    if not servers.list_servers():
        return ()
    running = asyncio.create_task(servers.run(), name="tool servers")
    try:
        await servers.settle()
        return tuple(
            HealthLine(f"tools of {each.name}", _STATES[each.state], describe(each)) for each in servers.list_servers()
        )
    finally:
        running.cancel()
        await asyncio.wait({running})


def describe(server: ToolServer) -> str:
    """Return why a server is not ready, or its tools by what they may do."""
    if server.state is not ServerState.READY:
        return server.reason or server.state.value
    groups = (
        ("run by themselves", [tool.name for tool in server.tools if not tool.asks and not tool.held]),
        ("ask first", [tool.name for tool in server.tools if tool.asks and not tool.held]),
        ("held until approved by /tools", [tool.name for tool in server.tools if tool.held]),
    )
    return "; ".join(f"{what}: {', '.join(names)}" for what, names in groups if names) or "no tools"
