"""Flood control that can be switched on, and faults that can be ordered or left to chance."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum

from tests.fakes.telegram.refusal import Refusal


class Fault(StrEnum):
    """What may go wrong with one request."""

    LIMITED = "limited"
    """429 with ``retry_after``; nothing happens."""
    REFUSED = "refused"
    """400 with the given description; nothing happens."""
    FAILED = "failed"
    """500; nothing happens."""
    FAILED_AFTER = "failed_after"
    """It happens, then 500."""
    DROPPED = "dropped"
    """The connection closes without an answer; nothing happens."""
    DROPPED_AFTER = "dropped_after"
    """It happens, then the connection closes without an answer."""
    GARBAGE = "garbage"
    """It happens, then 200 with HTML."""
    HANGS = "hangs"
    """No answer for ``seconds``; nothing happens."""


@dataclass(slots=True)
class Order:
    """A fault for the next ``times`` calls of a method."""

    method: str
    fault: Fault
    times: int = 1
    retry_after: int = 1
    description: str = "Bad Request"
    seconds: float = 60.0


@dataclass(slots=True)
class Faults:
    """Faults ordered one by one, and a share of all sends that fails by chance (seeded)."""

    orders: list[Order] = field(default_factory=list)
    chance: float = 0.0
    by_chance: tuple[Fault, ...] = (Fault.DROPPED_AFTER,)
    seed: int = 0
    _random: random.Random | None = None

    def next(self, method: str) -> Order | None:
        """Return what goes wrong with this call, ``None`` if nothing does."""
        for order in self.orders:
            if order.method.lower() == method.lower() and order.times > 0:
                order.times -= 1
                return order
        if self._random is None:
            self._random = random.Random(self.seed)
        if method == "sendMessage" and self.chance and self._random.random() < self.chance:
            return Order(method, self._random.choice(self.by_chance))
        return None


@dataclass(slots=True)
class Floods:
    """Telegram's limits: one message a second to a chat, thirty a second in all, twenty a minute to a group."""

    enforced: bool = False
    chat: tuple[int, float] = (1, 1.0)
    overall: tuple[int, float] = (30, 1.0)
    group: tuple[int, float] = (20, 60.0)
    refused: int = 0
    _times: dict[tuple[str, int], deque[float]] = field(default_factory=dict)

    def check(self, chat_id: int) -> None:
        """Count a message; raise 429 when it is one too many."""
        if not self.enforced:
            return
        now = time.monotonic()
        rules = [("chat", chat_id, self.chat), ("overall", 0, self.overall)]
        if chat_id < 0:
            rules.append(("group", chat_id, self.group))
        for name, key, (count, period) in rules:
            times = self._times.setdefault((name, key), deque())
            while times and times[0] <= now - period:
                times.popleft()
            if len(times) >= count:
                self.refused += 1
                pause = math.ceil(times[0] + period - now)
                raise Refusal(429, f"Too Many Requests: retry after {pause}", retry_after=pause)
        for name, key, _rule in rules:
            self._times[name, key].append(now)
