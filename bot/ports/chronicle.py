"""Chronicle: what every exchange of a chat was about, in a line or two, for questions over time and over everything."""

from __future__ import annotations

from typing import Protocol

from bot.memory.chronicle import DigestLine
from bot.memory.scope import Scope


class Chronicle(Protocol):
    """Reads the lines of a scope; they appear and vanish with their exchanges."""

    async def read_lines(self, scope: Scope) -> tuple[DigestLine, ...]:
        """Return the lines of the scope's newest exchanges in order of time, some thousands at most.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
