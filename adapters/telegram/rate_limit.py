"""Rate and concurrency limits of sending: Telegram's limits, kept before Telegram has to enforce them.

Source of the figures: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this

Sliding windows are exact, unlike a leaky bucket, which lets a full burst and its refill through in one window;
Telegram counts windows.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cachetools import LRUCache

from bot.ports.when import Clock

_MOST_CHATS = 10_000
"""Chats that limits are remembered of."""


class RateWindow:
    """At most ``count`` events in any ``period_s`` seconds; times are those of a monotonic clock."""

    __slots__ = ("_count", "_period_s", "_times")

    def __init__(self, count: int, period_s: float) -> None:
        self._count = count
        self._period_s = period_s
        self._times: deque[float] = deque()

    def compute_delay(self, now: float, *, reserve: int = 0) -> float:
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
        self._times.append(max(now, self._times[-1]) if self._times else now)

    def postpone_newest(self, now: float) -> None:
        """Let the newest event happen now instead of when it was counted."""
        if self._times:
            self._times.pop()
        self.take(now)


class RateWindows:
    """One window per key, for the ``capacity`` keys used last: memory stays bounded whoever knocks.

    A new window holds ``used`` events of the time that ``began`` returns: those that nobody here has seen.
    """

    __slots__ = ("_began", "_by_key", "_count", "_period_s", "_used")

    def __init__(
        self,
        count: int,
        period_s: float,
        *,
        capacity: int = _MOST_CHATS,
        used: int = 0,
        began: Callable[[], float] = float,
    ) -> None:
        self._used = used
        self._began = began
        self._count = count
        self._period_s = period_s
        self._by_key: LRUCache[int, RateWindow] = LRUCache(capacity)

    def get(self, key: int) -> RateWindow:
        window = self._by_key.get(key)
        if window is None:
            window = self._by_key[key] = RateWindow(self._count, self._period_s)
            for _ in range(self._used):
                window.take(self._began())
        return window


_AT_ONCE = 4
"""Enough for Telegram's thirty a second at a round trip of 0.13 s."""
_PATIENCE_S = 0.5
"""A Telegram that answers slower than that is slow for all; nobody waits longer for somebody else's answer."""


class ConcurrencyLimit:
    """Bounds first sends under way at once: each of them is one whose outcome a kill leaves unknown.

    The next one waits for an answer to one of them, or half a second.
    """

    def __init__(self, *, at_once: int = _AT_ONCE, patience_s: float = _PATIENCE_S) -> None:
        self._at_once = at_once
        self._patience_s = patience_s
        self._count = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def full(self) -> bool:
        return self._count >= self._at_once

    async def wait_for_room(self) -> None:
        if not self.full:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await asyncio.wait({waiter}, timeout=self._patience_s)
        finally:
            waiter.cancel()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Count a message while it is under way."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            while self._waiting:
                if not (waiter := self._waiting.popleft()).done():
                    waiter.set_result(None)
                    break


@dataclass(frozen=True, slots=True)
class SendLimits:
    """Limits of sending; the defaults stay a little below Telegram's own figures.

    ``chat_s`` is the time between two messages to one chat in seconds, ``overall`` the messages per second to all
    chats, ``group`` the messages per minute to one group; ``group_reserve`` of these are kept from stream frames.

    Messages to all chats are spread evenly: a burst opens as many connections at once, each of its messages takes ten
    times as long as one alone, and a kill in that time leaves all their outcomes unknown.
    """

    chat_s: float = 1.05
    overall: int = 28
    group: int = 19
    group_reserve: int = 8


class _Book:
    """The moments of one kind, when a message got its place or when its request left, and the limits on them."""

    def __init__(
        self, clock: Clock, limits: SendLimits, overall: RateWindow, *, restarted: bool, shared: bool = False
    ) -> None:
        self._clock = clock
        self.overall = overall
        started, frames = clock.monotonic(), limits.group - limits.group_reserve
        self._chats = RateWindows(1, limits.chat_s, used=int(restarted), began=lambda: started)
        began = clock.monotonic if shared else lambda: started
        self._groups = RateWindows(limits.group, 60.0, used=frames if restarted else 0, began=began)
        self._paused: LRUCache[int, float] = LRUCache(_MOST_CHATS)
        self.line = asyncio.Lock()

    async def wait(self, chat_id: int | None) -> None:
        """Return once it is somebody's turn, having counted it.

        Who waits, waits for the chat first and then, in the order of arrival, for the limit that all chats share.
        """
        while True:
            while pause := self.compute_delay(chat_id):  # noqa: ASYNC110 - what is awaited is time itself
                await asyncio.sleep(pause)
            async with self.line:  # served in order; who wakes late looks again, and so does who comes after
                while pause := self.overall.compute_delay(self._clock.monotonic()):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(pause)
                # Telegram, or another topic of the group, may have come in between.
                if not self.compute_delay(chat_id):
                    self.count(chat_id)
                    return

    def compute_delay(self, chat_id: int | None, *, reserve: int = 0) -> float:
        """Return the seconds that the chat's own limits ask for."""
        if chat_id is None:
            return 0.0
        now = self._clock.monotonic()
        delays = [self._paused.get(chat_id, now) - now, self._chats.get(chat_id).compute_delay(now)]
        if chat_id < 0:
            delays.append(self._groups.get(chat_id).compute_delay(now, reserve=reserve))
        return max(0.0, *delays)

    def count(self, chat_id: int | None) -> None:
        now = self._clock.monotonic()
        self.overall.take(now)
        if chat_id is not None:
            self._chats.get(chat_id).take(now)
        if chat_id is not None and chat_id < 0:
            self._groups.get(chat_id).take(now)

    def count_answer(self, chat_id: int) -> None:
        """Let the newest one in a chat be now."""
        self._chats.get(chat_id).postpone_newest(self._clock.monotonic())

    def pause(self, chat_id: int, seconds: float) -> None:
        self._paused[chat_id] = self._clock.monotonic() + seconds


async def leave_at_once(_interval_s: float, ready: Callable[[], Awaitable[None]]) -> None:
    """Wait for no other process: there is none."""
    await ready()


class RateLimit:
    """Tells when the next message to a chat may go.  Group ids are negative."""

    def __init__(
        self,
        clock: Clock,
        limits: SendLimits,
        *,
        restarted: bool = False,
        shared: bool = False,
        slot: Callable[[float, Callable[[], Awaitable[None]]], Awaitable[None]] = leave_at_once,
    ) -> None:
        """``restarted``: an earlier process may have used the limits up to now, frames to groups included.

        ``shared``: another worker may have used a group's until it became ours.

        ``slot`` returns when it is this process's turn among all that send for the bot, being told the seconds between
        two requests, and what to await before.
        """
        self._slot = slot
        self._clock = clock
        self._limits = limits
        self._places = _Book(clock, limits, RateWindow(1, 1.0 / limits.overall), restarted=restarted, shared=shared)
        self._departures = _Book(clock, limits, RateWindow(limits.overall, 1.0), restarted=False)

    async def reserve(self, chat_id: int) -> None:
        """Return once a message may go, having counted it: it goes now."""
        await self._places.wait(chat_id)

    async def depart(self, chat_id: int | None = None, mark: Callable[[], Awaitable[None]] | None = None) -> None:
        """Return when a request (for a chat, if it shows a message there) may leave in this moment, having counted it.

        ``mark`` is awaited as late as may be.

        A place reserved before a slow disk or connection is a place in the past: without this, all that waited there
        would leave at once, or the next message to a chat a moment after the one before.  Hardly anybody waits here.
        """

        async def ready() -> None:
            if mark is not None:
                await mark()
            await self._departures.wait(chat_id)

        await self._slot(1.0 / self._limits.overall, ready)

    def count_answer(self, chat_id: int) -> None:
        """Count a message to a chat from now on: Telegram may have taken it only in the moment of its answer."""
        self._places.count_answer(chat_id)
        self._departures.count_answer(chat_id)

    def count(self, chat_id: int) -> None:
        self._places.count(chat_id)

    def compute_delay(self, chat_id: int, *, reserve: int = 0) -> float:
        """Return the seconds until a message may go to this chat, leaving ``reserve`` places of a group's minute."""
        overall_s = self._places.overall.compute_delay(self._clock.monotonic())
        return max(self._places.compute_delay(chat_id, reserve=reserve), overall_s)

    def take(self, chat_id: int, *, reserve: int = 0) -> bool:
        """Return whether a message may be sent now, having counted it if so."""
        if self._places.line.locked() or self.compute_delay(chat_id, reserve=reserve):
            return False
        self._places.count(chat_id)
        return True

    def take_typing(self) -> bool:
        """The same for a sign that we are writing: it counts for all chats together, and takes what nobody needs."""
        now = self._clock.monotonic()
        busy = self._places.line.locked() or self._places.overall.compute_delay(now)
        if busy or self._departures.overall.compute_delay(now, reserve=self._limits.overall // 2):
            return False
        self._places.count(None)
        return True

    def take_frame(self, chat_id: int) -> bool:
        """The same for a stream frame; frames leave room for the final message."""
        return self.take(chat_id, reserve=self._limits.group_reserve)

    def pause(self, chat_id: int, seconds: float) -> None:
        """Send nothing to this chat for so long: Telegram asked for it."""
        self._places.pause(chat_id, seconds)
