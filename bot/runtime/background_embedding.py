"""Embeds and lays out what was said right after its answer is out, so that the next question need not wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from bot.errors import MnemeError
from bot.memory.scope import Scope

_FIRST_S = 2.0
"""Seconds of a start that are left to the prompt."""
_LOOK_S = 20.0
"""Seconds between looks without a turn: imports and a changed model leave work, too."""


class Embedding:
    """Runs ``catch_up``, which embeds everything that has no vector yet, when woken and from time to time.

    ``lay_out`` then puts what a scope holds into memory, ready to be searched: who speaks will ask.
    """

    def __init__(self, catch_up: Callable[[], Awaitable[None]], lay_out: Callable[[Scope], Awaitable[None]]) -> None:
        self._catch_up = catch_up
        self._lay_out = lay_out
        self._spoken: dict[Scope, None] = {}
        self._woken = asyncio.Event()
        self._rested = asyncio.Event()

    def wake(self, scope: Scope) -> None:
        """Say that something was stored in a scope; returns at once."""
        self._spoken[scope] = None
        self._woken.set()
        self._rested.clear()

    async def rested(self) -> None:
        """Wait until everything that was stored before this call was looked at."""
        await self._rested.wait()

    async def run(self) -> None:
        """Run until cancelled; after a failure it rests, whoever wakes it: a missing model does not come at once."""
        await asyncio.sleep(_FIRST_S)
        while True:
            self._woken.clear()
            failed = await self._failed()
            if not self._woken.is_set():
                self._rested.set()
            if failed:
                await asyncio.sleep(_LOOK_S)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):  # wait_for may swallow a cancellation in Python 3.11
                    await self._woken.wait()

    async def _failed(self) -> bool:
        try:
            await self._catch_up()
            while self._spoken:
                await self._lay_out(self._spoken.popitem()[0])
        except MnemeError as error:
            structlog.get_logger().warning("embedding waits", cause=str(error))
            return True
        except Exception:  # noqa: BLE001 - the edge of a background task: it comes again
            structlog.get_logger().exception("embedding broke")
            return True
        return False
