"""/allow: the button under the call of a foreign tool.

Exactly what was shown is done, once, for who was asked.  A turn that a crash interrupts is run again; the call is not:
what came of it is told again, or that nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import structlog

from bot.commands.formatting import show_verbatim
from bot.commands.language import Voice, make_reply
from bot.errors import CommandInvalid, StorageUnavailable
from bot.ports.command import CommandCall
from bot.ports.pending_calls import PendingCalls, TakenCall
from bot.ports.tool_servers import ToolOutcome, ToolRequest, ToolServers
from bot.turn import CalledTool, Reply
from language.texts import CallTexts

_SHOWN: Final = 3_000
"""Characters of a result that are shown in the chat; the model reads more."""
_KEPT: Final = 8_000
"""Characters of a result that stand in the history of the session."""


@dataclass(frozen=True, slots=True)
class Allow:
    """Makes a call that was shown; in no menu, because only a button knows its argument."""

    texts: Voice
    calls: PendingCalls
    servers: ToolServers

    name: ClassVar[str] = "allow"

    async def run(self, call: CommandCall) -> Reply:
        """Make it and show what came of it."""
        texts = self.texts(call.message).calls
        taken = await self.calls.take(call.argument, call.scope, call.author.id, call.message.update_id, call.now)
        if taken is None:
            raise CommandInvalid(texts.too_late)
        return _tell(taken.request, await self._find_outcome(call.argument, taken), texts)

    async def _find_outcome(self, token: str, taken: TakenCall) -> ToolOutcome:
        """Return what came of a call, which is made only the first time."""
        if not taken.first:
            return taken.outcome or ToolOutcome("", unsure=True)
        outcome = await self.servers.carry_out(taken.request)
        try:
            await self.calls.settle(token, outcome)
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
