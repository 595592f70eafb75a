"""One tool of a server as a tool of Mneme: it runs by itself only where the operator vouches for it.

Whatever the server says of itself ("read only", "harmless") is outside text and changes nothing.
Everything else asks, with the server, the tool and the exact arguments on the screen; a press of the button makes just
that call.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from adapters.mcp.offers import Offer
from bot.errors import CommandInvalid
from bot.memory.items import Trust
from bot.memory.secrets.redaction import redact
from bot.ports.chat_model import ToolSpec
from bot.ports.pending_calls import PendingCalls
from bot.ports.tool import ConfirmationRequest
from bot.ports.tool_servers import ToolOutcome, ToolRequest
from bot.turn import Turn

_ASKED_CHARS: Final = 2_000
"""As much as people read before they press a button."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Unicode categories of what cannot be seen or moves what can: https://www.unicode.org/reports/tr44/"""

CarryOut = Callable[[ToolRequest], Awaitable[ToolOutcome]]


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool of a server.

    ``vouched`` says that the operator's settings let it run without a question; ``owner_only`` that nobody else may
    use it.
    """

    server: str
    offer: Offer
    carry_out: CarryOut
    pending: PendingCalls
    now: Callable[[], datetime]
    vouched: bool
    owner_only: bool

    outside: ClassVar[bool] = True

    @property
    def spec(self) -> ToolSpec:
        """Name, description and parameters for the model."""
        return self.offer.spec

    @property
    def writes(self) -> bool:
        """Whether it may change anything: all do that nobody has vouched for."""
        return not self.vouched

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ConfirmationRequest:  # Any: JSON from the model
        """Make the call if the operator vouches for the tool, else ask."""
        if not self.vouched:
            return await self.ask(turn, arguments)
        self._check_user(turn)
        outcome = await self.carry_out(self._build_request(arguments))
        return f"[the tool reports an error]\n{outcome.text}" if outcome.failed else outcome.text

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:  # Any: as above
        """Do nothing and return what would be done, every character of it visible."""
        self._check_user(turn)
        request = self._build_request(arguments)
        if len(request.arguments) > _ASKED_CHARS:
            raise CommandInvalid(
                f"the arguments are too long to be shown with a button: {_ASKED_CHARS} characters at most"
            )
        if kinds := redact(request.arguments).kinds:
            raise CommandInvalid(
                f"the arguments hold what looks like a secret ({', '.join(kinds)}); no tool is told any"
            )
        command = await self.pending.propose(turn.scope, turn.message.author.id, request, self.now())
        text = f"{self.server} → {show_visibly(self.offer.name)}\n{request.arguments}"
        return ConfirmationRequest(text, command, calls=True)

    def _check_user(self, turn: Turn) -> None:
        if self.owner_only and turn.message.author.trust is not Trust.OWNER:
            raise CommandInvalid("only the owner of this bot may use this tool; tell the user so")

    def _build_request(self, arguments: dict[str, Any]) -> ToolRequest:  # Any: as above
        written = show_visibly(json.dumps(arguments, ensure_ascii=False, indent=2))
        return ToolRequest(self.server, self.offer.name, self.offer.version, written)


def show_visibly(written: str) -> str:
    r"""Return JSON text with every character that cannot be seen written as ``\uXXXX``, which means the same."""
    return "".join(
        char if char == "\n" or unicodedata.category(char) not in _UNSEEN else json.dumps(char)[1:-1]
        for char in written
    )
