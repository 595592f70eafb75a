"""The contract of :mod:`bot.ports.turn_store`."""

from __future__ import annotations

from dataclasses import replace

from bot.messages import Address, ChatKind, InboundMessage, MessageKind, Quote
from harness.samples import ANNA, HERE, NOON, exchange, message, turn
from tests.contracts.stores import Stores


async def test_an_accepted_message_comes_back_as_it_was(stores: Stores) -> None:
    """Everything about a message survives until its turn."""
    said = InboundMessage(
        Address("telegram", 7, -100, 3),
        11,
        12,
        ANNA,
        "naïve Пётр 👩‍🚀",
        NOON,
        chat_kind=ChatKind.GROUP,
        kind=MessageKind.EDITED,
        quote=Quote("before", "Ben", 9),
        forwarded_from="Carl",
        attachment="photo",
        group_id="album",
        language="en",
    )

    accepted = await stores.journal.accept(said)
    (pending,) = await stores.journal.pending()

    assert accepted is not None
    assert accepted.message == said
    assert (pending.id, pending.message) == (accepted.id, said)


async def test_a_redelivered_update_is_accepted_once(stores: Stores) -> None:
    """The same update of the same bot is known, also after its turn; another bot's is not."""
    first = await stores.journal.accept(message("hello", 5))
    again = await stores.journal.accept(message("hello", 5))
    other = await stores.journal.accept(message("hello", 5, address=Address("telegram", 8, 42)))
    assert first is not None
    await stores.turns.commit(turn(None, closes=(first,)))
    later = await stores.journal.accept(message("hello", 5))

    assert again is None
    assert other is not None
    assert later is None


async def test_a_message_that_its_edit_has_overtaken_is_not_accepted(stores: Stores) -> None:
    """Before the edit was answered and after it; one whose edit has yet to come is, and so are others of that number.

    Red without the condition of the insert.
    """
    edit = replace(message("new", 7), kind=MessageKind.EDITED, message_id=3)
    early, elsewhere = replace(message("old", 5), message_id=3), Address("telegram", 7, 43)
    entry = await stores.journal.accept(edit)
    assert entry is not None
    before = await stores.journal.accept(early)
    await stores.turns.commit(turn(exchange("a", "new"), closes=(entry,)))
    after = await stores.journal.accept(early)
    others = [
        await stores.journal.accept(replace(early, message_id=4)),
        await stores.journal.accept(replace(early, address=elsewhere, update_id=6)),
        await stores.journal.accept(replace(edit, update_id=8)),
        await stores.journal.accept(replace(edit, update_id=4)),
    ]

    assert before is None
    assert after is None
    assert all(others)


async def test_pending_is_what_was_not_committed_oldest_first(stores: Stores) -> None:
    """A restart answers every open message in the order of acceptance."""
    entries = [await stores.journal.accept(message(f"m{number}", number)) for number in (3, 1, 2)]
    middle = entries[1]
    assert middle is not None
    await stores.turns.commit(turn(exchange("a", "m1"), closes=(middle,)))

    pending = await stores.journal.pending()

    assert [entry.message.text for entry in pending] == ["m3", "m2"]
    assert pending[0].id < pending[1].id


async def test_the_messages_of_one_place_are_read_in_pages(stores: Stores) -> None:
    """Of that place alone, oldest first, from after the one that was read last, and no more than asked for."""
    elsewhere = Address("telegram", 7, 43)
    entries = []
    for number in range(1, 5):
        entries.append(await stores.journal.accept(message(f"m{number}", number)))
        await stores.journal.accept(message("elsewhere", 100 + number, address=elsewhere))
    first = entries[0]
    assert first is not None

    page = await stores.journal.pending_at(HERE, first.id, 2)
    rest = await stores.journal.pending_at(HERE, page[-1].id, 2)

    assert [entry.message.text for entry in page] == ["m2", "m3"]
    assert [entry.message.text for entry in rest] == ["m4"]


async def test_an_attempt_at_what_is_unknown_is_the_first(stores: Stores) -> None:
    """What the journal lost in a damaged file is no poison: it was not tried before, as far as anybody knows."""
    assert await stores.journal.begin(999) == 1
    assert await stores.journal.pending() == ()


async def test_attempts_are_counted(stores: Stores) -> None:
    """Each beginning counts, so that poison is recognised after a crash; the first counts with the acceptance."""
    entry = await stores.journal.accept(message("poison"))
    assert entry is not None

    counts = [await stores.journal.begin(entry.id) for _ in range(2)]

    assert entry.begun
    assert counts == [2, 3]
    assert [(pending.attempts, pending.begun) for pending in await stores.journal.pending()] == [(3, False)]


async def test_an_abandoned_entry_is_never_tried_again(stores: Stores) -> None:
    """It is set aside for good, also when the turn that apologises for it is committed."""
    entry = await stores.journal.accept(message("poison"))
    assert entry is not None
    await stores.journal.abandon(entry.id, "failed 5 times")

    committed = await stores.turns.commit(turn(None, closes=(entry,), parts=("sorry",)))

    assert await stores.journal.pending() == ()
    assert len(committed.deliveries) == 1
    assert await stores.turns.commit(turn(None, closes=(entry,), parts=("sorry",))) == committed


async def test_text_that_cannot_be_stored_is_cleaned_on_the_way_in(stores: Stores) -> None:
    """NUL and lone surrogates neither stop acceptance nor come back."""
    accepted = await stores.journal.accept(message("a\x00b\ud800c", author=ANNA))

    assert accepted is not None
    assert "\x00" not in accepted.message.text
    assert accepted.message.text.encode()
    assert [entry.message for entry in await stores.journal.pending()] == [accepted.message]
    assert accepted.message.address == HERE


async def test_a_dropped_message_is_forgotten_and_not_answered(stores: Stores) -> None:
    """What its author took back is not pending any more, whatever else waits; twice is as good as once."""
    dropped = await stores.journal.accept(message("never mind", 5))
    await stores.journal.accept(message("hello", 6))
    assert dropped is not None

    await stores.journal.drop((dropped.id,))
    await stores.journal.drop((dropped.id,))

    assert [entry.message.text for entry in await stores.journal.pending()] == ["hello"]
    assert await stores.journal.accept(message("never mind", 5)) is None
