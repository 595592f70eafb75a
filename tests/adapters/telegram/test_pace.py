"""How fast messages go out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from adapters.telegram.pace import Pace, SendLimits
from adapters.telegram.windows import Window, Windows
from tests.adapters.telegram.stand_ins import WallClock


@dataclass(slots=True)
class HandClock(WallClock):
    """Time that passes only by hand."""

    def monotonic(self) -> float:
        """Return the seconds passed so far."""
        return self.moved_s


def test_a_window_is_exact() -> None:
    """No stretch of a period holds more than its count, wherever it begins."""
    window, taken, now = Window(3, 1.0), [], 0.0
    while now < 5:
        if window.delay(now) == 0:
            window.take(now)
            taken.append(now)
        now += 0.05

    assert all(sum(start <= time < start + 1.0 for time in taken) <= 3 for start in taken)
    assert len(taken) >= 13


def test_places_are_booked_in_order_and_exactly() -> None:
    """Who waits gets a time of his own, none earlier than who came before, and no window holds too many."""
    window = Window(3, 1.0)
    times = [now + window.book(now) for now in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)]

    assert times == pytest.approx([0.0, 0.1, 0.2, 1.0, 1.1, 1.2, 2.0])
    assert window.delay(0.7) == pytest.approx(1.4)


def test_windows_are_bounded() -> None:
    """However many keys come, the ones used last are kept."""
    windows = Windows(1, 60.0, capacity=2)
    windows.of(1).take(0)
    windows.of(2).take(0)
    windows.of(1)
    windows.of(3)

    assert windows.of(1).delay(1) > 0
    assert windows.of(2).delay(1) == 0


def test_frames_leave_room_in_a_group_for_the_final_text() -> None:
    """Stream frames stop at the reserve; the final message still finds a place.

    Mutation checked: without the reserve no place is left.
    """
    clock = HandClock()
    pace = Pace(clock, SendLimits(chat_s=0.0, group=10, group_reserve=4))
    frames = 0
    while pace.take_frame(-5):
        frames += 1
        clock.moved_s += 0.1

    assert frames == 6
    assert pace.delay(-5) == 0


def test_one_chats_pause_is_its_own() -> None:
    """``retry_after`` of one chat holds nobody else up."""
    clock = HandClock()
    pace = Pace(clock, SendLimits())
    pace.pause(5, 30.0)

    assert pace.delay(5) == 30.0
    assert pace.delay(6) == 0


def test_all_chats_together_are_limited_and_spread() -> None:
    """Of all chats' messages only so many go in a second, and no two at once."""
    clock = HandClock()
    pace, sent = Pace(clock, SendLimits(overall=4)), []
    for chat in range(1, 11):
        sent.append(pace.take_frame(chat))
        clock.moved_s += 0.125

    assert sent == [True, False] * 5
