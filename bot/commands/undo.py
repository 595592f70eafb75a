"""/undo: take back what /forget took, while that is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.ports.command import CommandCall
from bot.ports.eraser import ErasureUndo
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Undo:
    """Brings back the caller's newest erase; a button names the one that it stands under."""

    texts: Voice
    eraser: ErasureUndo

    name: ClassVar[str] = "undo"

    async def run(self, call: CommandCall) -> Reply:
        """Bring it back and say what came back."""
        texts = self.texts(call.message).forget
        back = await self.eraser.undo(call.scope, call.author.id, call.argument)
        if back is None:
            return make_reply(texts.nothing_to_undo)
        exchanges, items = back
        return make_reply(texts.undone.format(exchanges=exchanges, items=items))
