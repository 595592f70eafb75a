"""Servers of tools: /tools lists them and approves what has changed, /allow makes a call that was shown.

Exactly what was shown is done, once, for who was asked.  A turn that a crash interrupts is run again; the call is not:
what came of it is told again, or that nobody knows.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

import structlog

from adapters.mcp.servers import McpServers
from adapters.sqlite.tickets import SqliteToolApprovals
from bot.commands.formatting import escape, make_reply, quote, show_verbatim
from bot.commands.status import HealthLine
from bot.config.environment import read_environment
from bot.errors import CommandInvalid, StorageUnavailable
from bot.features.tools.settings import McpSettings
from bot.memory.items import Trust
from bot.memory.sanitise import clean
from bot.memory.secrets.redaction import Source, redact
from bot.ports.system import CommandCall
from bot.ports.tickets import Asked, TicketKind, Tickets, UsedTicket
from bot.ports.tool import OfferedTool, ServerState, ToolOutcome, ToolRequest, ToolServer
from bot.runtime.app import App
from bot.turn import CalledTool, Reply
from language.texts import CallTexts

_STATES: Final[dict[ServerState, Literal["ok", "degraded", "down"]]] = {
    ServerState.READY: "ok",
    ServerState.STARTING: "degraded",
    ServerState.DOWN: "degraded",
}
_NAME: Final = 60
_BUTTONS: Final = 20
_TOOLS_SHOWN: Final = 60
_SHOWN: Final = 3_000
"""Characters of a result that are shown in the chat; the model reads more."""
_FAILED, _UNSURE = "failed", "unsure"
_KEPT: Final = 8_000
"""Characters of a result that stand in the history of the session."""


async def register(app: App) -> None:
    """Add servers of tools to Mneme."""
    servers = McpServers(
        lambda: app.settings.current.of(McpSettings).servers,
        lambda: read_environment(app.places),
        SqliteToolApprovals(app.database),
        app.tickets,
        Allow.name,
        app.clock.now,
    )
    servers.changed = lambda: app.rebuild()  # noqa: PLW0108 - looked up when it is called: it is set later
    app.provide(McpServers, servers)
    app.added.tools.append(lambda _: servers.list_tools())
    app.added.commands += [Allow(app.tickets, servers), Tools(servers)]
    app.added.jobs["tool servers"] = servers
    app.added.changed.append((McpSettings, servers.settings_changed))
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


@dataclass(frozen=True, slots=True)
class Tools:
    """Lists the servers; ``/tools approve SERVER VERSION TOOL`` lets a tool be used that has changed."""

    servers: McpServers

    name: ClassVar[str] = "tools"
    APPROVE: ClassVar[str] = "approve"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, or what became of an approval; for the owner alone."""
        texts = call.texts.calls
        if call.author.trust is not Trust.OWNER:
            return make_reply(texts.owner_only)
        match call.argument.split(maxsplit=3):
            case [verb, server, version, tool] if verb.casefold() == self.APPROVE:
                done = await self.servers.approve(server, tool, version)
                return make_reply((texts.approved if done else texts.changed).format(server=server, tool=escape(tool)))
        servers = self.servers.list_servers()
        if not servers:
            return make_reply(texts.none)
        held = [tool for server in servers for tool in server.tools if tool.held]
        buttons = tuple((texts.approve.format(tool=tool.name[:_NAME]), self._approving(tool)) for tool in held)
        return make_reply(texts.head, *(_write_server(each, texts) for each in servers), buttons=buttons[:_BUTTONS])

    def _approving(self, tool: OfferedTool) -> str:
        """Return the command that approves what was shown of a tool, and nothing that it says later."""
        return f"/{self.name} {self.APPROVE} {tool.server} {tool.version} {tool.name}"


def _write_server(server: ToolServer, texts: CallTexts) -> str:
    state = texts.states[server.state]
    if server.state is not ServerState.READY and server.reason:
        state += f" ({escape(server.reason)})"
    lines = [f"{server.name}: {state}", *(_write_tool(tool, texts) for tool in server.tools[:_TOOLS_SHOWN])]
    lines += ["- …"] if len(server.tools) > _TOOLS_SHOWN else []
    return "\n".join(lines)


def _write_tool(tool: OfferedTool, texts: CallTexts) -> str:
    how = texts.held.format(text=quote(tool.description, 600)) if tool.held else texts.asks if tool.asks else texts.runs
    return f"- {escape(tool.name, _NAME)}: {how}"


@dataclass(frozen=True, slots=True)
class Allow:
    """Makes a call that was shown; in no menu, because only a button knows its argument."""

    tickets: Tickets
    servers: McpServers

    name: ClassVar[str] = "allow"

    async def run(self, call: CommandCall) -> Reply:
        """Make it and show what came of it."""
        texts = call.texts.calls
        asked = Asked(call.scope, call.message.address, call.author.id)
        used = await self.tickets.use(TicketKind.CALL, asked, call.message.update_id, call.now, call.argument)
        if used is None:
            raise CommandInvalid(texts.too_late)
        request = ToolRequest(*used.content)
        return _tell(request, await self._find_outcome(call.argument, request, used), texts)

    async def _find_outcome(self, token: str, request: ToolRequest, used: UsedTicket) -> ToolOutcome:
        """Return what came of a call, which is made only the first time."""
        if not used.first:
            text, failed, unsure = used.outcome or ("", "", _UNSURE)
            return ToolOutcome(text, bool(failed), bool(unsure))
        outcome = await self.servers.carry_out(request)
        kept = redact(clean(outcome.text), Source.DOCUMENT).text
        try:
            await self.tickets.settle(token, (kept, _FAILED * outcome.failed, _UNSURE * outcome.unsure))
        except StorageUnavailable as error:  # it is told now; a second run of the turn would say that nobody knows
            structlog.get_logger().warning("outcome of a call not stored", cause=str(error))
        return outcome


def _tell(request: ToolRequest, outcome: ToolOutcome, texts: CallTexts) -> Reply:
    names = {"server": request.server, "tool": f"`{request.tool.replace('`', '')}`"}
    text = outcome.text.strip()
    if outcome.unsure:
        head = texts.unsure
    elif outcome.failed:
        head = texts.failed
    else:
        head = texts.done if text else texts.nothing
    told = head.format(**names)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    reply = make_reply(told, show_verbatim(shown).strip("\n") if shown else "")
    history = texts.history.format(server=request.server, tool=request.tool)
    source = f"{request.server} {request.tool}"
    return replace(reply, called=CalledTool(source, f"{told}\n\n{history}" if text else told, text[:_KEPT]))
