"""Pauses between attempts."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from bot.retry import LONGEST_ASKED_S, Backoff, Pauses, read_retry_after
from tests.cases import each_row


def test_pauses_double_up_to_the_longest() -> None:
    """However many failures came before."""
    backoff = Backoff(0.5, 30.0)

    assert [backoff.pause_s(failures) for failures in (0, 1, 2, 6, 10_000)] == [0.5, 1.0, 2.0, 30.0, 30.0]


def test_chance_takes_off_no_more_than_the_jitter() -> None:
    """Pauses differ, and none is shorter than three quarters here."""
    backoff, dice = Backoff(1.0, 8.0, jitter=0.25), random.Random(1)

    pauses = [backoff.pause_s(3, dice) for _ in range(100)]

    assert 6.0 <= min(pauses) < max(pauses) <= 8.0


def test_a_success_starts_over() -> None:
    """The next failure waits as briefly as the first."""
    pauses = Pauses(Backoff(1.0, 60.0))
    before = [pauses.next_s(), pauses.next_s()]
    pauses.reset()

    assert (before, pauses.next_s(), pauses.failures) == ([1.0, 2.0], 1.0, 1)


@each_row(
    ("header", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("Sat, 07 Feb 2026 14:30:10 GMT", 10.0),
        ("Sat, 07 Feb 2026 14:29:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("-5", 0.0),
        ("1e9", LONGEST_ASKED_S),
    ],
)
def test_retry_after_is_read_in_both_forms(header: str, seconds: float | None) -> None:
    """Seconds and dates count up to a day, nonsense does not."""
    now = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)

    assert read_retry_after(header, now=now) == seconds
