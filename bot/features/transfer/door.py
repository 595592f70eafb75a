"""Imports asked for in a chat: what stands in a file that was sent, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.core.prices import Reading
from bot.features.transfer.importing import Seen, Survey
from bot.files import InboundFile
from bot.memory.scope import Scope
from bot.messages import InboundMessage
from bot.ports.import_jobs import ImportJob


@dataclass(frozen=True, slots=True)
class ImportLook:
    """A file that was looked into; nothing of it is stored.

    ``own`` is who in it is surely the user, ``None`` where that has to be asked.  ``ours`` says that it is this
    installation's own export of this memory.  ``reading`` is about what a language model will be given to read.
    """

    job: ImportJob
    format: str
    survey: Survey
    own: tuple[Seen, ...] | None
    ours: bool
    reading: Reading


class ImportDoor(Protocol):
    """Takes files of one memory in, for whoever sent them."""

    async def look(self, message: InboundMessage, scope: Scope, file: InboundFile) -> ImportLook:
        """Fetch a file and say what stands in it; it waits below the data folder for a word to begin.

        Raises :class:`~bot.errors.ImportRefused` for what cannot be imported, and
        :class:`~bot.errors.FileUnavailable`; then nothing is left of it.
        """
        ...

    async def begin(self, message: InboundMessage, scope: Scope, token: str, own: tuple[str, ...]) -> ImportJob | None:
        """Have a file imported that was looked into by the same person; ``None`` if it is not there any more."""
        ...

    async def cancel(self, message: InboundMessage, scope: Scope, token: str) -> ImportJob | None:
        """End an import of the same person, begun or not; ``None`` if it is over."""
        ...

    async def find(self, scope: Scope) -> ImportJob | None:
        """Return the import of a memory that waits or is under way."""
        ...
