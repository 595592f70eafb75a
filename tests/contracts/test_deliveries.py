"""The contract of :mod:`bot.ports.deliveries`: no reply twice, none forgotten."""

from __future__ import annotations

from dataclasses import replace

from bot.turn import Reply
from tests.contracts.samples import HERE, exchange, message, turn
from tests.contracts.stores import Stores


async def test_an_attempt_is_made_once(stores: Stores) -> None:
    """Who comes second must not send."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    (delivery,) = committed.deliveries

    assert await stores.deliveries.sending(delivery)
    assert not await stores.deliveries.sending(delivery)


async def test_a_planned_reply_is_sent_after_a_restart(stores: Stores) -> None:
    """Parts come back in order, with text, address, draft and buttons in their places."""
    reply = Reply("one two", buttons=(("Yes", "yes"),))
    record = turn(exchange("a", "hi"), parts=("one", "two"), reply=reply, draft_id=77)
    committed = await stores.turns.commit(record)

    unsent = await stores.deliveries.unsent()

    assert tuple(delivery.id for delivery in unsent) == committed.deliveries
    assert [delivery.text for delivery in unsent] == ["one", "two"]
    assert [delivery.draft_id for delivery in unsent] == [77, None]
    assert [delivery.buttons for delivery in unsent] == [(), (("Yes", "yes"),)]
    assert {delivery.address for delivery in unsent} == {HERE}


async def test_a_planned_reply_keeps_the_message_it_refers_to(stores: Stores) -> None:
    """What an answer refers to outlives a restart, in the journal and in the plan."""
    asked = replace(message("hi"), address=replace(HERE, reply_to=31))
    await stores.journal.accept(asked)
    await stores.turns.commit(replace(turn(exchange("a", "hi"), parts=("one",)), address=asked.address))

    [entry] = await stores.journal.pending()
    [delivery] = await stores.deliveries.unsent()

    assert (entry.message.address.reply_to, delivery.address.reply_to) == (31, 31)


async def test_an_interrupted_first_send_is_never_repeated(stores: Stores) -> None:
    """Nobody knows whether it arrived, so it is not sent again."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    await stores.deliveries.sending(committed.deliveries[0])

    assert await stores.deliveries.unsent() == ()
    assert not await stores.deliveries.sending(committed.deliveries[0])


async def test_an_attempt_begun_with_its_turn_is_never_repeated(stores: Stores) -> None:
    """Its first part is on its way from the commit on, the others are not; a turn stored twice begins nothing anew."""
    entry = await stores.journal.accept(message("hi"))
    assert entry is not None
    record = turn(exchange("a", "hi"), parts=("one", "two"), closes=(entry,), begins=True)
    committed = await stores.turns.commit(record)
    again = await stores.turns.commit(record)

    assert committed.begun
    assert again.deliveries == committed.deliveries
    assert not again.begun
    assert not await stores.deliveries.sending(committed.deliveries[0])
    assert [delivery.text for delivery in await stores.deliveries.unsent()] == ["two"]


async def test_an_interrupted_edit_is_repeated(stores: Stores) -> None:
    """Editing the same text into a draft twice is harmless."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",), draft_id=9))
    await stores.deliveries.sending(committed.deliveries[0])

    (unsent,) = await stores.deliveries.unsent()

    assert unsent.draft_id == 9
    assert await stores.deliveries.sending(unsent.id)


async def test_a_finished_reply_is_over(stores: Stores) -> None:
    """Sent or unknown, it does not come back."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one", "two")))
    for delivery, message_id in zip(committed.deliveries, (5, None), strict=True):
        await stores.deliveries.sending(delivery)
        await stores.deliveries.finish(delivery, message_id)

    assert await stores.deliveries.unsent() == ()


async def test_a_postponed_reply_may_be_sent_again(stores: Stores) -> None:
    """It surely did not arrive."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    await stores.deliveries.sending(committed.deliveries[0])
    await stores.deliveries.postpone(committed.deliveries[0], "no connection")

    assert [delivery.text for delivery in await stores.deliveries.unsent()] == ["one"]
    assert await stores.deliveries.sending(committed.deliveries[0])


async def test_a_reply_whose_draft_is_gone_is_a_first_send(stores: Stores) -> None:
    """Interrupted, it is not repeated.

    With the draft's id kept it came back as an edit, and stood in the chat twice.
    """
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",), draft_id=9))
    await stores.deliveries.sending(committed.deliveries[0])
    await stores.deliveries.postpone(committed.deliveries[0], "deleted", draft_gone=True)
    await stores.deliveries.sending(committed.deliveries[0])

    assert await stores.deliveries.unsent() == ()


async def test_a_draft_is_remembered_per_entry(stores: Stores) -> None:
    """After a crash the answer is continued in the same message."""
    entry = await stores.journal.accept(message("hi"))
    assert entry is not None

    before = await stores.deliveries.draft_of(entry.id)
    await stores.deliveries.draft(entry.id, 99)

    assert before is None
    assert await stores.deliveries.draft_of(entry.id) == 99
    assert await stores.deliveries.draft_of(entry.id + 1) is None
