"""The limit of first sends that are open at once."""

from __future__ import annotations

import asyncio

from adapters.telegram.rate_limit import ConcurrencyLimit


async def sent(line: ConcurrencyLimit, answered: asyncio.Event) -> None:
    """Send when there is room, and wait for the answer."""
    await line.wait_for_room()
    with line.hold():
        await answered.wait()


async def test_few_are_open_at_once_and_the_next_follows_an_answer() -> None:
    """However many want to go."""
    line, answers = ConcurrencyLimit(at_once=2, patience_s=60.0), [asyncio.Event() for _ in range(4)]
    tasks = [asyncio.create_task(sent(line, answer)) for answer in answers]
    await asyncio.sleep(0.01)
    before = (line.full, line._count, len(line._waiting))
    answers[1].set()
    await asyncio.sleep(0.01)
    after = (line._count, len(line._waiting))
    for answer in answers:
        answer.set()
    await asyncio.gather(*tasks)

    assert before == (True, 2, 2)
    assert after == (2, 1)
    assert line._count == 0


async def test_a_slow_answer_holds_the_others_back_for_a_moment_only() -> None:
    """A chat that hangs costs the others their patience, not their turn; who gave up waiting is not woken."""
    line, never = ConcurrencyLimit(at_once=1, patience_s=0.01), asyncio.Event()
    first = asyncio.create_task(sent(line, never))
    await asyncio.sleep(0)
    cancelled = asyncio.create_task(line.wait_for_room())
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.wait_for(line.wait_for_room(), 60)
    never.set()
    await first

    assert not line.full
