"""Messages of a chat stay in order, chats do not wait for each other, nothing is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.core.dispatch import Dispatcher
from bot.messages import Accepted, Address, Author, InboundMessage, MessageKind
from bot.turn import StopSignal

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)


def entry(number: int, chat: int = 1, group: str | None = None, attempts: int = 0) -> Accepted:
    address = Address("telegram", 1, chat)
    message = InboundMessage(address, number, number, Author(1, "Anna"), f"text {number}", WHEN, group_id=group)
    return Accepted(number, message, attempts)


async def no_refill(address: Address, after: int) -> tuple[Accepted, ...]:
    return ()


async def test_messages_of_one_chat_are_handled_one_after_the_other() -> None:
    """The second message of a chat begins after the first has ended, however slow the first is."""
    seen: list[str] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        seen.append(f"begin {batch[0].id}")
        await asyncio.sleep(0.02 / batch[0].id)
        seen.append(f"end {batch[0].id}")

    dispatcher = Dispatcher(handle, no_refill)
    for number in (1, 2, 3):
        dispatcher.submit(entry(number))
    await dispatcher.idle()

    assert seen == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]


async def test_messages_that_were_cut_off_twice_go_one_at_a_time() -> None:
    """What ends the process takes one suspect along, not all; whoever is none goes on beside them.

    Without the line 16 of 180 messages were given up in a storm in which none of them was to blame.
    """
    begun: list[int] = []
    ends = {number: asyncio.Event() for number in range(1, 6)}

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        begun.append(batch[0].id)
        await ends[batch[0].id].wait()

    dispatcher = Dispatcher(handle, no_refill)
    for number in (1, 2, 3):
        dispatcher.submit(entry(number, chat=number, attempts=2))
    for number in (4, 5):
        dispatcher.submit(entry(number, chat=number, attempts=1))
    seen = []
    for number in (1, 2, 3):
        for _ in range(10):
            await asyncio.sleep(0)
        seen.append(sorted(begun))
        ends[number].set()
    ends[4].set()
    ends[5].set()
    await dispatcher.idle()

    assert seen == [[1, 4, 5], [1, 2, 4, 5], [1, 2, 3, 4, 5]]


async def test_a_slow_chat_does_not_hold_up_another() -> None:
    """A chat whose turn hangs leaves the others free."""
    done: list[int] = []
    hang = asyncio.Event()

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        if batch[0].message.address.chat_id == 1:
            await hang.wait()
        done.append(batch[0].id)

    dispatcher = Dispatcher(handle, no_refill)
    dispatcher.submit(entry(1, chat=1))
    dispatcher.submit(entry(2, chat=2))
    await dispatcher.idle(Address("telegram", 1, 2))

    assert done == [2]

    hang.set()
    await dispatcher.idle()


async def test_a_flood_is_kept_in_the_journal_and_still_answered_in_order() -> None:
    """Beyond its limit a chat's messages are not held in memory but fetched when their time comes."""
    entries = [entry(number) for number in range(1, 51)]
    handled: list[int] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        await asyncio.sleep(0)
        handled.append(batch[0].id)

    async def refill(address: Address, after: int) -> tuple[Accepted, ...]:
        return tuple(item for item in entries if item.id > after)

    dispatcher = Dispatcher(handle, refill, queue_limit=7)
    for item in entries:
        dispatcher.submit(item)
    await dispatcher.idle()

    assert handled == list(range(1, 51))


async def test_parts_of_an_album_become_one_turn() -> None:
    """Messages with the same group that arrive within half a second are handled together."""
    batches: list[list[int]] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        batches.append([item.id for item in batch])

    dispatcher = Dispatcher(handle, no_refill, gather_s=0.5)
    dispatcher.submit(entry(1, group="album"))
    await asyncio.sleep(0)
    dispatcher.submit(entry(2, group="album"))
    dispatcher.submit(entry(3))
    await dispatcher.idle()

    assert batches == [[1, 2], [3]]


async def test_a_turn_that_breaks_leaves_the_chat_alive() -> None:
    """An error that escapes a turn costs that turn only."""
    handled: list[int] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        if batch[0].id == 1:
            raise RuntimeError("broken")
        handled.append(batch[0].id)

    dispatcher = Dispatcher(handle, no_refill)
    dispatcher.submit(entry(1))
    dispatcher.submit(entry(2))
    await dispatcher.idle()

    assert handled == [2]


async def test_stop_reaches_the_running_turn_only() -> None:
    """/stop sets the signal of the turn that runs, and says so; without one, or of somebody else, it says no."""
    began, stopped = asyncio.Event(), asyncio.Event()

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        began.set()
        await stop.wait()
        stopped.set()

    dispatcher = Dispatcher(handle, no_refill)
    before = dispatcher.stop(entry(1).message.address)
    dispatcher.submit(entry(1))
    await began.wait()
    other = dispatcher.stop(entry(1).message.address, entry(1).message.author.id + 1)
    during = dispatcher.stop(entry(1).message.address)
    await dispatcher.idle()

    assert (before, other, during, stopped.is_set()) == (False, False, True, True)


async def test_closing_lets_running_turns_finish_and_leaves_no_worker() -> None:
    """Closing waits for what runs, drops what is queued (the journal has it) and cancels what is late."""
    handled: list[int] = []
    closing, never = asyncio.Event(), asyncio.Event()

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        await (closing if batch[0].message.address.chat_id == 1 else never).wait()
        handled.append(batch[0].id)

    dispatcher = Dispatcher(handle, no_refill)
    for item in (entry(1, chat=1), entry(2, chat=1), entry(3, chat=2)):
        dispatcher.submit(item)
    await asyncio.sleep(0)
    closed = asyncio.create_task(dispatcher.close(grace_s=1.0))
    await asyncio.sleep(0)
    closing.set()
    await closed

    assert handled == [1]
    await asyncio.wait_for(dispatcher.idle(), 60)


def edit(number: int, message_id: int) -> Accepted:
    plain = entry(number)
    return replace(plain, message=replace(plain.message, kind=MessageKind.EDITED, message_id=message_id))


async def test_quick_edits_of_a_message_are_one() -> None:
    """Of edits that follow each other the newest is handled and closes the others; other messages keep their place."""
    seen: list[tuple[int, tuple[int, ...]]] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        seen.append((batch[0].id, batch[0].supersedes))

    dispatcher = Dispatcher(handle, no_refill, settle_s=0.2)
    for number in (1, 2, 3):
        dispatcher.submit(edit(number, 901))
    await asyncio.sleep(0)
    dispatcher.submit(edit(4, 901))
    dispatcher.submit(entry(5))
    dispatcher.submit(edit(6, 901))
    dispatcher.submit(edit(7, 902))
    await dispatcher.idle()

    assert seen == [(4, (1, 2, 3)), (5, ()), (6, ()), (7, ())]


async def test_the_newest_of_quick_edits_is_the_one_made_last() -> None:
    """Several deliveries at once may bring the later edit first."""
    seen: list[tuple[int, tuple[int, ...]]] = []

    async def handle(batch: tuple[Accepted, ...], stop: StopSignal) -> None:
        seen.append((batch[0].id, batch[0].supersedes))

    dispatcher = Dispatcher(handle, no_refill, settle_s=0.2)
    for number, second in ((1, 2), (2, 1), (3, 0)):
        late = edit(number, 901)
        sent_at = late.message.sent_at + timedelta(seconds=second)
        dispatcher.submit(replace(late, message=replace(late.message, sent_at=sent_at)))
    await dispatcher.idle()

    assert seen == [(1, (2, 3))]
