"""Adds it to Mneme."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from adapters.mcp.servers import McpServers
from adapters.sqlite.pending import SqlitePendingCalls, SqliteToolApprovals
from bot.commands.status import HealthLine
from bot.config.environment import read_environment
from bot.features.tools.command import Tools
from bot.features.tools.confirm_call import Allow
from bot.ports.pending_calls import PendingCalls
from bot.ports.tool_servers import ServerState, ToolServer
from bot.runtime.app import App

_STATES: Final[dict[ServerState, Literal["ok", "degraded", "down"]]] = {
    ServerState.READY: "ok",
    ServerState.STARTING: "degraded",
    ServerState.DOWN: "degraded",
}


async def register(app: App) -> None:
    """Add servers of tools to Mneme."""
    calls = SqlitePendingCalls(app.database, Allow.name)
    servers = McpServers(
        lambda: app.settings.current().mcp,
        lambda: read_environment(app.places),
        SqliteToolApprovals(app.database),
        calls,
        app.clock.now,
    )
    servers.changed = lambda: app.rebuild()  # noqa: PLW0108 - looked up when it is called: it is set later
    app.provide(PendingCalls, calls)
    app.provide(McpServers, servers)
    app.added.tools.append(lambda _: servers.list_tools())
    app.added.commands += [Allow(app.voice, calls, servers), Tools(app.voice, servers)]
    app.added.jobs["tool servers"] = servers
    app.added.changed.append(lambda _: servers.settings_changed())
    app.added.settling.append(servers.settle)
    app.added.checks.append(lambda: list_server_lines(servers))
    app.troubles["tool servers"] = servers.trouble


async def list_server_lines(servers: McpServers) -> tuple[HealthLine, ...]:
    """Return one line of ``mneme check`` per server: all start at once, each has its own time, and all are ended."""
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
