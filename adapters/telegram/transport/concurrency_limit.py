"""How many first sends are under way at once: each of them is one whose outcome a kill leaves unknown."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

_AT_ONCE = 4
"""Enough for Telegram's thirty a second at a round trip of 0.13 s."""
_PATIENCE_S = 0.5
"""A Telegram that answers slower than that is slow for all; nobody waits longer for somebody else's answer."""


class UnderWay:
    """Lets a few messages go at once; the next waits for an answer to one of them, or half a second."""

    def __init__(self, *, at_once: int = _AT_ONCE, patience_s: float = _PATIENCE_S) -> None:
        self._at_once = at_once
        self._patience_s = patience_s
        self._count = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def full(self) -> bool:
        """Whether the next has to wait."""
        return self._count >= self._at_once

    async def room(self) -> None:
        """Return when another may go."""
        if not self.full:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await asyncio.wait({waiter}, timeout=self._patience_s)
        finally:
            waiter.cancel()

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count a message while it is under way."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            self._wake()

    def _wake(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
