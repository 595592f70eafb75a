"""Tells what a file in a conversation is where only its name says it."""

from __future__ import annotations

import mimetypes
from typing import Final

from bot.ports.conversation_import import LeftOut

_KINDS: Final = {"image": LeftOut.PICTURE, "video": LeftOut.VIDEO, "audio": LeftOut.VOICE}


def kind_of_file(name: str) -> LeftOut:
    """Return what a file without words is counted as."""
    kind = mimetypes.guess_type(name)[0] or ""
    return _KINDS.get(kind.partition("/")[0], LeftOut.FILE)
