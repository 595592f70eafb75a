"""Who said a memory, in the reader's words."""

from __future__ import annotations

from bot.commands.quoting import escaped
from bot.ports.commands import CommandCall
from bot.texts.texts import MemoryTexts

_NAME_SHOWN = 60


def author_of(author_id: int, name: str, role: str, call: CommandCall, texts: MemoryTexts) -> str:
    """Return "you" for the reader, "assistant" for ourselves, else the name; "" when nobody knows.

    ``role`` is as in :class:`~bot.memory.items.Recalled`.  The id decides, not the name.
    """
    if role == "assistant":
        return texts.assistant
    if role == "forwarded":
        return texts.forwarded.format(name=escaped(name, _NAME_SHOWN) or "?")
    if author_id and author_id == call.author.id:
        return texts.you
    return escaped(name, _NAME_SHOWN)
