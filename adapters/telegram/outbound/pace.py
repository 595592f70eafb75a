"""How fast we may send: Telegram's limits, kept before Telegram has to enforce them.

Source of the figures: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from adapters.telegram.transport.rate_window import Window, Windows
from bot.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class SendLimits:
    """What may be sent; the defaults stay a little below Telegram's own figures.

    ``chat_s`` is the time between two messages to one chat in seconds, ``overall`` the messages per second to all
    chats, ``group`` the messages per minute to one group; ``group_reserve`` of these are kept from stream frames.

    Messages to all chats are spread evenly: a burst opens as many connections at once, each of its messages takes ten
    times as long as one alone, and a kill in that time leaves all their outcomes unknown.
    """

    chat_s: float = 1.05
    overall: int = 28
    group: int = 19
    group_reserve: int = 8


class Pace:
    """Knows when the next message to a chat may go.  Group ids are negative."""

    def __init__(self, clock: Clock, limits: SendLimits, *, restarted: bool = False) -> None:
        """``restarted``: an earlier process may have used the limits up to now, frames to groups included."""
        self._clock = clock
        self._limits = limits
        began, frames = clock.monotonic(), limits.group - limits.group_reserve
        self._overall = Window(1, 1.0 / limits.overall)
        self._departed = Window(limits.overall, 1.0)
        self._chats = Windows(1, limits.chat_s, used=int(restarted), began=began)
        self._groups = Windows(limits.group, 60.0, used=frames if restarted else 0, began=began)
        self._departed_to = Windows(1, limits.chat_s)
        self._departed_to_group = Windows(limits.group, 60.0)
        self._line = asyncio.Lock()
        self._leaving = asyncio.Lock()
        self._paused: OrderedDict[int, float] = OrderedDict()

    async def reserve(self, chat_id: int) -> None:
        """Return once a message may go, having counted it: it goes now.

        A message waits for its chat first and then, in the order of arrival, for the limit that all chats share.
        """
        while True:
            while pause := self._own_delay(chat_id):  # noqa: ASYNC110 - what is awaited is time itself
                await asyncio.sleep(pause)
            async with self._line:  # served in order; who wakes late looks again, and so does who comes after
                while pause := self._overall.delay(self._clock.monotonic()):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(pause)
                if not self._own_delay(chat_id):  # Telegram, or another topic of the group, may have come in between
                    self.count(chat_id)
                    return

    async def depart(self, chat_id: int | None = None) -> None:
        """Return when a request (for a chat, if it shows a message there) may leave in this moment, having counted it.

        A place reserved before a slow disk or connection is a place in the past: without this, all that waited there
        would leave at once, or the next message to a chat a moment after the one before.  Hardly anybody waits here.
        """
        while True:
            while pause := self._departure_delay(chat_id):  # noqa: ASYNC110 - what is awaited is time itself
                await asyncio.sleep(pause)
            async with self._leaving:
                while pause := self._departed.delay(self._clock.monotonic()):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(pause)
                if self._departure_delay(chat_id):
                    continue
                now = self._clock.monotonic()
                self._departed.take(now)
                if chat_id is not None:
                    self._departed_to.of(chat_id).take(now)
                if chat_id is not None and chat_id < 0:
                    self._departed_to_group.of(chat_id).take(now)
                return

    def answered(self, chat_id: int) -> None:
        """Count a message to a chat from now on: Telegram may have taken it only in the moment of its answer."""
        now = self._clock.monotonic()
        self._chats.of(chat_id).delayed(now)
        self._departed_to.of(chat_id).delayed(now)

    def count(self, chat_id: int) -> None:
        """Count a message that goes without waiting."""
        self._overall.take(self._clock.monotonic())
        self._count_own(chat_id)

    def delay(self, chat_id: int, *, reserve: int = 0) -> float:
        """Return the seconds until a message may go to this chat, leaving ``reserve`` places of a group's minute."""
        return max(self._own_delay(chat_id, reserve=reserve), self._overall.delay(self._clock.monotonic()))

    def take(self, chat_id: int, *, reserve: int = 0) -> bool:
        """Whether a message may be sent now, having counted it if so."""
        if self._line.locked() or self.delay(chat_id, reserve=reserve):
            return False
        self.count(chat_id)
        return True

    def take_sign(self) -> bool:
        """The same for a sign that we are writing: it counts for all chats together, and takes what nobody needs."""
        now = self._clock.monotonic()
        spare = self._departed.delay(now, reserve=self._limits.overall // 2) == 0
        if self._line.locked() or self._overall.delay(now) or not spare:
            return False
        self._overall.take(now)
        return True

    def take_frame(self, chat_id: int) -> bool:
        """The same for a stream frame; frames leave room for the final message."""
        return self.take(chat_id, reserve=self._limits.group_reserve)

    def pause(self, chat_id: int, seconds: float) -> None:
        """Send nothing to this chat for so long: Telegram asked for it."""
        self._paused[chat_id] = self._clock.monotonic() + seconds
        self._paused.move_to_end(chat_id)
        if len(self._paused) > 10_000:  # noqa: PLR2004 - as many chats as windows are kept for
            self._paused.popitem(last=False)

    def _own_delay(self, chat_id: int, *, reserve: int = 0) -> float:
        """Return the seconds that this chat's own limits ask for."""
        now = self._clock.monotonic()
        delays = [self._paused.get(chat_id, now) - now, self._chats.of(chat_id).delay(now)]
        if chat_id < 0:
            delays.append(self._groups.of(chat_id).delay(now, reserve=reserve))
        return max(0.0, *delays)

    def _departure_delay(self, chat_id: int | None) -> float:
        if chat_id is None:
            return 0.0
        now = self._clock.monotonic()
        group_s = self._departed_to_group.of(chat_id).delay(now) if chat_id < 0 else 0.0
        return max(self._departed_to.of(chat_id).delay(now), group_s)

    def _count_own(self, chat_id: int) -> None:
        now = self._clock.monotonic()
        self._chats.of(chat_id).take(now)
        if chat_id < 0:
            self._groups.of(chat_id).take(now)
