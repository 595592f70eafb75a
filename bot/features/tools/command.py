"""/tools: the servers that bring tools, what each of those does without a question, and which wait for approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from bot.commands.formatting import escape, quote
from bot.commands.language import Voice, make_reply
from bot.memory.items import Trust
from bot.ports.command import CommandCall
from bot.ports.tool_servers import OfferedTool, ServerState, ToolServer, ToolServers
from bot.turn import Reply
from language.texts import CallTexts

_NAME: Final = 60
_BUTTONS: Final = 20
_TOOLS_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Tools:
    """Lists the servers; ``/tools approve SERVER VERSION TOOL`` lets a tool be used that has changed."""

    texts: Voice
    servers: ToolServers

    name: ClassVar[str] = "tools"
    APPROVE: ClassVar[str] = "approve"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list, or what became of an approval; for the owner alone."""
        texts = self.texts(call.message).calls
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
