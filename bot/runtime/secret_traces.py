"""Takes secrets that were told off the disk.

What is remembered has none, but a message waits whole in the journal until it is answered, and its reply until it is
sent.  Both are dropped then; the write-ahead log keeps their bytes until it is emptied, which can take days.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from bot.errors import StorageUnavailable
from bot.memory.secrets.redaction import redact
from bot.turn import Address, Turn

_PAUSE_S = 0.5
"""Between attempts: somebody reads the log, or the disk does not write."""


class TracesOfSecrets:
    """Empties the write-ahead log after the answer to whoever told a secret; nobody waits for it."""

    def __init__(self, empty_log: Callable[[], Awaitable[None]]) -> None:
        self._empty_log = empty_log
        self._told: set[str] = set()
        self._due = False
        self._task: asyncio.Task[None] | None = None

    def committed(self, turn: Turn) -> None:
        """Remember where a secret was told or answered."""
        masked = turn.trace.figures.get("secrets_masked")  # absent for commands
        reply = turn.reply.text if turn.reply is not None else ""
        if masked or (masked is None and (redact(turn.text).kinds or redact(reply).kinds)):
            self._told.add(turn.address.key)

    def answered(self, address: Address) -> None:
        """Begin, if a secret was told there."""
        if address.key not in self._told:
            return
        self._told.discard(address.key)
        self._due = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._empty(), name="traces of secrets")

    async def close(self) -> None:
        """Stop; closing the database empties the log, too."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _empty(self) -> None:
        while self._due:
            self._due = False
            try:
                await self._empty_log()
            except StorageUnavailable as error:
                structlog.get_logger().warning("log not emptied after a secret", cause=str(error))
                self._due = True
                await asyncio.sleep(_PAUSE_S)
