"""The circuit breaker: a dead server is left alone."""

from __future__ import annotations

import random

from adapters.rag.query import CircuitBreaker


def test_five_failures_in_a_row_open_it() -> None:
    """The fifth failure without a success between opens the breaker and keeps the cause."""
    breaker = CircuitBreaker()

    opened = [breaker.failed("HTTP 503") for _ in range(5)]

    assert opened == [False] * 4 + [True]
    assert not breaker.closed
    assert breaker.cause == "HTTP 503"


def test_half_of_the_last_twenty_opens_it() -> None:
    """Failures that alternate with successes open it at ten of twenty, never before."""
    breaker = CircuitBreaker()
    calls = 0
    while breaker.closed:
        breaker.succeeded()
        breaker.failed("slow")
        calls += 2

    assert calls == 20


def test_a_few_failures_do_not_open_it() -> None:
    """One failure in three is a bad server, but one that answers."""
    breaker = CircuitBreaker()
    for _ in range(100):
        breaker.succeeded()
        breaker.succeeded()
        breaker.failed("slow")

    assert breaker.closed


def test_pauses_double_to_two_minutes_with_jitter() -> None:
    """Probes come after about 10, 20, 40, 80, 120, 120 seconds, each up to a fifth earlier."""
    breaker = CircuitBreaker(random.Random(1))

    pauses = [breaker.pause_s() for _ in range(6)]

    assert all(0.8 * full <= pause <= full for pause, full in zip(pauses, (10, 20, 40, 80, 120, 120), strict=True))
    assert len({round(pause / full, 6) for pause, full in zip(pauses, (10, 20, 40, 80, 120, 120), strict=True)}) == 6


def test_a_good_probe_starts_a_clean_record() -> None:
    """After closing, one failure does not open it again."""
    breaker = CircuitBreaker()
    for _ in range(5):
        breaker.failed("down")
    breaker.close()

    opened = breaker.failed("a blip")

    assert not opened
    assert breaker.closed
