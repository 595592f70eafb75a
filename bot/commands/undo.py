"""/undo: take back what /forget took, while that is possible."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from bot.commands.language import Voice, make_reply
from bot.core.rights import May, Whose
from bot.ports.command import CommandCall
from bot.ports.eraser import ErasureUndo
from bot.turn import Reply


@dataclass(frozen=True, slots=True)
class Undo:
    """Brings back the caller's newest erase, of an admin's anybody's; a button names the one that it stands under."""

    texts: Voice
    eraser: ErasureUndo
    may: May

    name: ClassVar[str] = "undo"

    async def run(self, call: CommandCall) -> Reply:
        """Bring it back and say what came back."""
        texts = self.texts(call.message).forget
        anyones = await self.may(self.name, call.message, call.scope, Whose.OTHERS)
        back = await self.eraser.undo(call.scope, call.author.id, call.argument, anyones=anyones)
        if back is None:
            return make_reply(texts.nothing_to_undo)
        return make_reply(texts.undone, "\n".join(f"- {line}" for line in texts.list_back(asdict(back))))
