"""The rate limits of sending."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

import pytest

from adapters.telegram.rate_limit import RateLimit, RateWindow, RateWindows, SendLimits
from tests.adapters.telegram.fakes import WallClock


@dataclass(slots=True)
class HandClock(WallClock):
    """Time that passes only by hand."""

    def monotonic(self) -> float:
        """Return the seconds passed so far."""
        return self.moved_s


def test_a_window_is_exact() -> None:
    """No stretch of a period holds more than its count, wherever it begins."""
    window, taken, now = RateWindow(3, 1.0), [], 0.0
    while now < 5:
        if window.compute_delay(now) == 0:
            window.take(now)
            taken.append(now)
        now += 0.05

    assert all(sum(start <= time < start + 1.0 for time in taken) <= 3 for start in taken)
    assert len(taken) >= 13


def test_windows_are_bounded() -> None:
    """However many keys come, the ones used last are kept."""
    windows = RateWindows(1, 60.0, capacity=2)
    windows.get(1).take(0)
    windows.get(2).take(0)
    windows.get(1)
    windows.get(3)

    assert windows.get(1).compute_delay(1) > 0
    assert windows.get(2).compute_delay(1) == 0


def test_frames_leave_room_in_a_group_for_the_final_text() -> None:
    """Stream frames stop at the reserve; the final message still finds a place.

    Mutation checked: without the reserve no place is left.
    """
    clock = HandClock()
    rate_limit = RateLimit(clock, SendLimits(chat_s=0.0, group=10, group_reserve=4))
    frames = 0
    while rate_limit.take_frame(-5):
        frames += 1
        clock.moved_s += 0.1

    assert frames == 6
    assert rate_limit.compute_delay(-5) == 0


def test_one_chats_pause_is_its_own() -> None:
    """``retry_after`` of one chat holds nobody else up."""
    clock = HandClock()
    rate_limit = RateLimit(clock, SendLimits())
    rate_limit.pause(5, 30.0)

    assert rate_limit.compute_delay(5) == 30.0
    assert rate_limit.compute_delay(6) == 0


def test_all_chats_together_are_limited_and_spread() -> None:
    """Of all chats' messages only so many go in a second, and no two at once."""
    clock = HandClock()
    rate_limit, sent = RateLimit(clock, SendLimits(overall=4)), []
    for chat in range(1, 11):
        sent.append(rate_limit.take_frame(chat))
        clock.moved_s += 0.125

    assert sent == [True, False] * 5


async def test_who_wakes_late_does_not_make_a_burst() -> None:
    """In no second more messages leave than the limit, also after the process stood still.

    Red with places that were booked ahead and not looked at again: the forty waiters all went at once.
    """
    clock = HandClock()
    rate_limit, left = RateLimit(clock, SendLimits(chat_s=0.0, overall=20)), []

    async def send(chat: int) -> None:
        await rate_limit.reserve(chat)
        await rate_limit.depart()
        left.append(clock.monotonic())

    waiting = [asyncio.create_task(send(chat)) for chat in range(1, 61)]
    while any(not task.done() for task in waiting):
        await asyncio.sleep(0.002)
        clock.moved_s += 2.0 if len(left) == 5 else 0.01

    assert len(left) == 60
    assert all(sum(start <= time < start + 0.999 for time in left) <= 20 for start in left)


async def test_what_waited_for_the_disk_leaves_at_the_pace_too() -> None:
    """Places taken while the disk stood still are places in the past: the requests still leave one by one."""
    clock = HandClock()
    rate_limit, left = RateLimit(clock, SendLimits(chat_s=0.0, overall=10)), []
    for chat in range(1, 26):
        await _passing(clock, rate_limit.reserve(chat))

    async def leave() -> None:
        await rate_limit.depart()
        left.append(clock.monotonic())

    leaving = [asyncio.create_task(leave()) for _ in range(25)]
    while any(not task.done() for task in leaving):
        await asyncio.sleep(0.002)
        clock.moved_s += 0.05

    assert all(sum(start <= time < start + 0.999 for time in left) <= 10 for start in left)


async def test_a_late_departure_and_a_late_answer_move_the_next_message_to_the_same_chat() -> None:
    """The second between two messages is counted where Telegram counts it, or later.

    Mutation checked: a place that was reserved before a slow connection, or taken long before Telegram answered,
    let the next message follow at once.
    """
    clock, left = HandClock(), []
    rate_limit = RateLimit(clock, SendLimits(chat_s=1.0))

    async def depart() -> None:
        await rate_limit.depart(7)
        left.append(clock.moved_s)

    await _passing(clock, asyncio.gather(depart(), depart()))
    clock.moved_s = 10.0
    rate_limit.count_answer(7)

    assert left[1] - left[0] >= 1.0
    assert rate_limit.compute_delay(7) == pytest.approx(1.0)
    assert rate_limit.compute_delay(8) == 0.0


async def _passing(clock: HandClock, work: Awaitable[object]) -> None:
    """Let time pass until something is done."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0.001)
        clock.moved_s += 0.02


def test_signs_of_writing_count_and_take_only_what_is_spare() -> None:
    """Half of a second's places stay free of them, and none waits.

    Red while they were sent without asking: forty in one moment.
    """
    clock = HandClock()
    rate_limit = RateLimit(clock, SendLimits(overall=10))
    taken = 0
    for _ in range(40):
        if rate_limit.take_typing():
            rate_limit._departures.overall.take(clock.monotonic())
            taken += 1
        clock.moved_s += 0.02

    assert 0 < taken <= 5


def test_after_a_restart_the_pace_goes_on() -> None:
    """What the process before has sent in its last moment counts, in groups the frames of its last minute as well.

    Red when a new process began with empty windows.
    """
    clock = HandClock()
    rate_limit = RateLimit(clock, SendLimits(chat_s=1.0, group=10, group_reserve=4), restarted=True)

    assert rate_limit.compute_delay(5) == pytest.approx(1.0)
    assert not rate_limit.take_frame(-5)
    clock.moved_s = 1.0
    assert rate_limit.compute_delay(5) == 0
    assert not rate_limit.take_frame(-5)
    assert rate_limit.compute_delay(-5) == 0
    clock.moved_s = 61.0
    assert rate_limit.take_frame(-5)


def test_a_group_that_became_ours_may_have_been_written_to_elsewhere() -> None:
    """Of several workers the one before may have used the group's minute up to now, however long we run.

    Mutation check: counted from our own start, the frame goes out.
    """
    clock = HandClock()
    rate_limit = RateLimit(clock, SendLimits(chat_s=1.0, group=10, group_reserve=4), restarted=True, shared=True)
    clock.moved_s = 3600.0

    assert not rate_limit.take_frame(-5)
    assert rate_limit.compute_delay(-5) == 0
    assert rate_limit.take_frame(5)
