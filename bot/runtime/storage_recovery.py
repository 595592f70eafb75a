"""Recovers the database when damage is met while Mneme runs: the same as a start does, without the start."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.retry import Backoff, Pauses
from bot.runtime.housekeeping import Housekeeping

_BACKOFF: Final = Backoff(2.0, 600.0)
"""Pauses before each recovery but the first, because a dying disk would be filled with set-aside files."""
_STEADY_S: Final = 3600.0
"""After so long without damage the next recovery comes at once again."""


class StorageRecovery:
    """Waits for damage; ``recovered`` is awaited after each recovery (it stores what was refused meanwhile)."""

    def __init__(self, housekeeping: Housekeeping, recovered: Callable[[], Awaitable[None]]) -> None:
        self._housekeeping = housekeeping
        self._recovered = recovered
        self._pauses = Pauses(_BACKOFF)
        self._pause_s = 0.0
        self._last = -_STEADY_S

    def trouble(self) -> str:
        """Return what the operator should know, "" if nothing was found damaged, at the start or since."""
        if self._housekeeping.database.damaged.is_set():
            return "the database is damaged and is being recovered"
        return "; ".join(self._housekeeping.database.problems)

    async def run(self) -> None:
        """Recover whenever damage is met, until cancelled.

        Raises :class:`~bot.errors.StorageUnavailable` when that fails for now; to be run again after a pause.
        """
        database = self._housekeeping.database
        while True:
            await database.damaged.wait()
            if time.monotonic() - self._last >= _STEADY_S:
                self._pauses.reset()
                self._pause_s = 0.0
            await asyncio.sleep(self._pause_s)
            self._pause_s = self._pauses.next_s()
            self._last = time.monotonic()
            found = await database.recover()
            structlog.get_logger().error("database recovered while running", found=list(found))
            await self._housekeeping.resume()
            await self._housekeeping.rebuild()
            await self._recovered()
