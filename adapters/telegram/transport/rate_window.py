"""Sliding windows: at most so many events in any stretch of time.

Exact, unlike a leaky bucket, which lets a full burst and its refill through in one window; Telegram counts windows.
"""

from __future__ import annotations

from collections import OrderedDict, deque


class Window:
    """At most ``count`` events in any ``period_s`` seconds; times are those of a monotonic clock."""

    __slots__ = ("_count", "_period_s", "_times")

    def __init__(self, count: int, period_s: float) -> None:
        self._count = count
        self._period_s = period_s
        self._times: deque[float] = deque()

    def delay(self, now: float, *, reserve: int = 0) -> float:
        """Return the seconds until one more event fits with ``reserve`` places to spare."""
        while self._times and self._times[0] <= now - self._period_s:
            self._times.popleft()
        if not self._times:
            return 0.0
        free_at = self._times[-1]
        room = max(1, self._count - reserve)
        if len(self._times) >= room:
            free_at = max(free_at, self._times[len(self._times) - room] + self._period_s)
        return max(0.0, free_at - now)

    def take(self, now: float) -> None:
        """Count an event that happens now."""
        self._times.append(max(now, self._times[-1]) if self._times else now)

    def delayed(self, now: float) -> None:
        """Let the newest event happen now instead of when it was counted."""
        if self._times:
            self._times.pop()
        self.take(now)

    def idle(self, now: float) -> bool:
        """Whether nothing is counted any more."""
        return self.delay(now) == 0.0 and not self._times


class Windows:
    """One window per key, for the ``capacity`` keys used last: memory stays bounded whoever knocks.

    A new window holds ``used`` events of the time ``began``: those that nobody here has seen.
    """

    __slots__ = ("_began", "_by_key", "_capacity", "_count", "_period_s", "_used")

    def __init__(
        self, count: int, period_s: float, *, capacity: int = 10_000, used: int = 0, began: float = 0.0
    ) -> None:
        self._used = used
        self._began = began
        self._count = count
        self._period_s = period_s
        self._capacity = capacity
        self._by_key: OrderedDict[int, Window] = OrderedDict()

    def of(self, key: int) -> Window:
        """Return the key's window."""
        window = self._by_key.get(key)
        if window is None:
            window = self._by_key[key] = Window(self._count, self._period_s)
            for _ in range(self._used):
                window.take(self._began)
            if len(self._by_key) > self._capacity:
                self._by_key.popitem(last=False)
        self._by_key.move_to_end(key)
        return window
