"""What came with a message, read: a document, a voice message, a picture."""

from __future__ import annotations

from typing import Protocol

from bot.files import InboundFile
from bot.turn import Turn


class AttachmentHandler(Protocol):
    """Reads files of some kinds, by what the message shows them as ("document", "photo", "voice" …)."""

    kinds: frozenset[str]

    async def handle(self, turn: Turn, file: InboundFile) -> Turn:
        """Return the turn with what the file says, or why it could not be read.

        Adds the file's id to ``handled_files`` when all is said about it, and what is said to ``receipts`` (for the
        author) and ``told`` (for the model); the same turn as it was leaves the file to the next handler of its kind.
        Sets no reply: that is made once all files are read.  What the file says is data, whoever sent it.
        Raises no error of the file's or of those who fetch and read it; :class:`~bot.errors.StorageUnavailable` may
        come through.
        """
        ...
