"""The "typing…" under the bot's name while an answer is being made."""

from __future__ import annotations

import asyncio

from aiogram.exceptions import AiogramError

from adapters.telegram.outbound.pace import Pace
from adapters.telegram.outbound.requests import Wire
from bot.turn import Address

_REPEAT_S = 4.5
"""Telegram shows it for five seconds: https://core.telegram.org/bots/api#sendchataction."""
_LONGEST_S = 180.0
"""A turn that never answers must not type for ever."""


class Typing:
    """One typing indicator per place; it ends when something is sent there, or after three minutes.

    Where many messages go out it is left out, as it counts like one of them.
    """

    def __init__(self, wire: Wire, pace: Pace) -> None:
        self._wire = wire
        self._pace = pace
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def begin(self, to: Address) -> None:
        """Show it until ``end``; begun twice it goes on."""
        if to.key in self._tasks:
            return
        task = asyncio.create_task(self._type(to))
        self._tasks[to.key] = task
        task.add_done_callback(lambda ended: self._forget(to.key, ended))

    def end(self, to: Address) -> None:
        """Stop showing it."""
        task = self._tasks.pop(to.key, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """End all."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]

    async def _type(self, to: Address) -> None:
        for _ in range(int(_LONGEST_S / _REPEAT_S)):
            try:
                if self._pace.take_sign():
                    await self._wire.sign(to)
            except AiogramError:
                return  # blocked, limited, offline: the indicator is not worth a second try
            await asyncio.sleep(_REPEAT_S)
