"""/undo: take back what /forget took, or else what was edited or corrected last, while that is possible."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import ClassVar, Final

from bot.commands.language import Voice, make_reply
from bot.commands.memory_card import tell_corrected
from bot.core.rights import May, Whose
from bot.ports.command import CommandCall
from bot.ports.eraser import ErasureUndo
from bot.ports.memory_store import MemoryEditor
from bot.turn import BUTTONS_LAST_S, Reply
from language.texts import Texts

_EDITS_LAST: Final = timedelta(seconds=BUTTONS_LAST_S)


@dataclass(frozen=True, slots=True)
class Undo:
    """Brings back the caller's newest erase, of an admin's anybody's; a button names the one that it stands under.

    Where there is none, the caller's newest edit of the last ten minutes is taken back, which is their word again.
    """

    texts: Voice
    eraser: ErasureUndo
    editor: MemoryEditor
    may: May

    name: ClassVar[str] = "undo"

    async def run(self, call: CommandCall) -> Reply:
        """Bring it back and say what came back."""
        voice = self.texts(call.message)
        texts = voice.forget
        anyones = await self.may(self.name, call.message, call.scope, Whose.OTHERS)
        back = await self.eraser.undo(call.scope, call.author.id, call.argument, anyones=anyones)
        if back is None:
            return make_reply(texts.nothing_to_undo) if call.argument else await self._take_back(call, voice)
        return make_reply(texts.undone, "\n".join(f"- {line}" for line in texts.list_back(asdict(back))))

    async def _take_back(self, call: CommandCall, texts: Texts) -> Reply:
        """Put back what the caller's newest edit has replaced."""
        at, since = call.message.address, call.now - _EDITS_LAST
        edit = await self.editor.take_back(call.scope, since, call.now, call.author, at)
        return make_reply(texts.forget.nothing_to_undo) if edit is None else tell_corrected((edit,), texts)
