"""/help: list the commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.ports.command import CommandCall
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Help:
    """Lists the commands called ``names``, in that order."""

    texts: Voice
    names: tuple[str, ...]

    name: ClassVar[str] = "help"

    async def run(self, call: CommandCall) -> Reply:
        """Return the list."""
        texts = self.texts(call.message).basic
        lines = [f"- /{name} – {texts.commands[name]}" for name in self.names if name in texts.commands]
        return make_reply(texts.help_head, "\n".join(lines), texts.help_tail)
