"""The contract of :mod:`bot.ports.messenger`: no reply twice, none forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.memory.scope import Scope
from bot.messages import LOST_DRAFT
from bot.ports.messenger import DeliveryOutcome, Fate, OfferWords
from bot.ports.tickets import Asked
from bot.turn import Reply
from harness.samples import HERE, NOON, SCOPE, exchange, message, turn
from tests.contracts.stores import Stores

SENT, LOST = DeliveryOutcome(Fate.SENT, 5), DeliveryOutcome(Fate.UNKNOWN, reason="no answer")


async def test_an_attempt_is_made_once(stores: Stores) -> None:
    """Who comes second must not send."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    (delivery,) = committed.deliveries

    assert await stores.deliveries.begin_attempt(delivery)
    assert not await stores.deliveries.begin_attempt(delivery)


async def test_a_planned_reply_is_sent_after_a_restart(stores: Stores) -> None:
    """Container come back in order, with text, address, draft and buttons in their places."""
    reply = Reply("one two", buttons=(("Yes", "yes"),))
    record = turn(exchange("a", "hi"), parts=("one", "two"), reply=reply, draft_id=77)
    committed = await stores.turns.commit(record)

    unsent = await stores.deliveries.list_unsent()

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
    [delivery] = await stores.deliveries.list_unsent()

    assert (entry.message.address.reply_to, delivery.address.reply_to) == (31, 31)


async def test_an_interrupted_first_send_is_never_repeated(stores: Stores) -> None:
    """Nobody knows whether it arrived, so it is not sent again."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    await stores.deliveries.begin_attempt(committed.deliveries[0])

    assert await stores.deliveries.list_unsent() == ()
    assert not await stores.deliveries.begin_attempt(committed.deliveries[0])


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
    assert not await stores.deliveries.begin_attempt(committed.deliveries[0])
    assert [delivery.text for delivery in await stores.deliveries.list_unsent()] == ["two"]


async def test_an_interrupted_edit_is_repeated(stores: Stores) -> None:
    """Editing the same text into a draft twice is harmless."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",), draft_id=9))
    await stores.deliveries.begin_attempt(committed.deliveries[0])

    (unsent,) = await stores.deliveries.list_unsent()

    assert unsent.draft_id == 9
    assert await stores.deliveries.begin_attempt(unsent.id)


async def test_a_finished_reply_is_over(stores: Stores) -> None:
    """Sent or unknown, it is not sent again."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one", "two")))
    for delivery, outcome in zip(committed.deliveries, (SENT, LOST), strict=True):
        await stores.deliveries.begin_attempt(delivery)
        await stores.deliveries.finish(delivery, outcome)

    assert await stores.deliveries.list_unsent() == ()


async def test_a_postponed_reply_may_be_sent_again(stores: Stores) -> None:
    """It surely did not arrive."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",)))
    await stores.deliveries.begin_attempt(committed.deliveries[0])
    await stores.deliveries.postpone(committed.deliveries[0], "no connection")

    assert [delivery.text for delivery in await stores.deliveries.list_unsent()] == ["one"]
    assert await stores.deliveries.begin_attempt(committed.deliveries[0])


async def test_a_reply_whose_draft_is_gone_is_a_first_send(stores: Stores) -> None:
    """Interrupted, it is not repeated.

    With the draft's id kept it came back as an edit, and stood in the chat twice.
    """
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",), draft_id=9))
    await stores.deliveries.begin_attempt(committed.deliveries[0])
    await stores.deliveries.postpone(committed.deliveries[0], "deleted", draft_gone=True)
    await stores.deliveries.begin_attempt(committed.deliveries[0])

    assert await stores.deliveries.list_unsent() == ()


async def test_a_postponed_edit_keeps_its_draft(stores: Stores) -> None:
    """Unless the draft is known to be gone, the answer is continued in the message that shows its beginning."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one",), draft_id=9))
    await stores.deliveries.begin_attempt(committed.deliveries[0])
    await stores.deliveries.postpone(committed.deliveries[0], "no connection")

    assert [delivery.draft_id for delivery in await stores.deliveries.list_unsent()] == [9]


async def test_a_turn_committed_again_shows_the_buttons_it_has(stores: Stores) -> None:
    """Their tokens were made by the first commit; others would do nothing when pressed."""
    entry = await stores.journal.accept(message("hi"))
    assert entry is not None
    reply = Reply("one two", buttons=(("Yes", "/yes"), ("No", "/no")))
    record = replace(turn(exchange("a", "hi"), parts=("one", "two"), closes=(entry,), reply=reply), asker_id=42)
    first = await stores.turns.commit(record)
    again = await stores.turns.commit(record)
    silent = await stores.journal.accept(message("bye", 2))
    assert silent is not None
    nothing = replace(turn(None, closes=(silent,), reply=reply), asker_id=42)
    await stores.turns.commit(nothing)

    assert first.buttons is not None
    assert [label for label, _ in first.buttons] == ["Yes", "No"]
    assert again.buttons == first.buttons
    assert (await stores.turns.commit(nothing)).buttons == ()


async def test_the_open_buttons_of_a_message_are_listed_for_who_may_press_them(stores: Stores) -> None:
    """Under that message alone, where it stands, and as long as they last."""
    reply = Reply("one", buttons=(("Yes", "/yes"), ("No", "/no")), buttons_last_s=60)
    committed = await stores.turns.commit(replace(turn(exchange("a", "hi"), parts=("one",), reply=reply), asker_id=42))
    await stores.deliveries.begin_attempt(committed.deliveries[0])
    await stores.deliveries.finish(committed.deliveries[0], SENT)
    who, shown = Asked(SCOPE, HERE, 42), NOON + timedelta(seconds=1)
    others = (
        (replace(who, person_id=43), 5, shown),
        (replace(who, address=replace(HERE, chat_id=6)), 5, shown),
        (replace(who, scope=Scope("tu43")), 5, shown),
        (who, 6, shown),
        (who, 5, NOON + timedelta(days=1)),
    )

    assert sorted(await stores.buttons.list_open(who, 5, shown)) == ["/no", "/yes"]
    assert [await stores.buttons.list_open(*each) for each in others] == [()] * len(others)


async def test_what_is_shown_again_has_its_buttons(stores: Stores) -> None:
    """A question whose answer never arrived can be answered when it is shown again."""
    reply = Reply("sure?", buttons=(("Yes", "yes"),))
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("sure?",), reply=reply))
    await stores.deliveries.begin_attempt(committed.deliveries[0])
    await stores.deliveries.finish(committed.deliveries[0], LOST)

    assert [(one.text, one.buttons) for one in await stores.doubts.list_for_repetition(HERE)] == [
        ("sure?", (("Yes", "yes"),))
    ]


async def test_a_draft_is_remembered_per_entry(stores: Stores) -> None:
    """After a crash the answer is continued in the same message."""
    entry = await stores.journal.accept(message("hi"))
    assert entry is not None

    before = await stores.deliveries.find_draft(entry.id)
    await stores.deliveries.draft(entry.id, 99)

    assert before is None
    assert await stores.deliveries.find_draft(entry.id) == 99
    assert await stores.deliveries.find_draft(entry.id + 1) is None


WORDS = OfferWords(lambda count: "one is missing" if count == 1 else f"missing: {count}", "Show")


async def lost(stores: Stores, *parts: str) -> tuple[int, ...]:
    """A turn whose parts are of unknown fate; returns their deliveries."""
    made = exchange(f"lost{len(parts)}{parts[0][:3].strip().lower()}", "hi")
    committed = await stores.turns.commit(turn(made, parts=parts))
    for delivery in committed.deliveries:
        await stores.deliveries.begin_attempt(delivery)
        await stores.deliveries.finish(delivery, LOST)
    return committed.deliveries


async def test_a_reply_of_unknown_fate_is_offered_once_and_shown_on_request(stores: Stores) -> None:
    """Its chat is told once, of all its parts; what was shown is in doubt no longer, and asked again it is still there.

    Red while nothing was offered: the text was dropped and the answer was gone.
    """
    first, _ = await lost(stores, "one", "two")
    places = await stores.doubts.list_uncertain_chats()
    offer = await stores.doubts.offer(HERE, lambda _: WORDS)
    again = await stores.doubts.offer(HERE, lambda _: WORDS)
    assert offer is not None
    shown = await stores.doubts.list_for_repetition(HERE, first)
    repeated = await stores.doubts.list_for_repetition(HERE, first)

    assert places == (HERE,)
    assert (offer.text, [label for label, _ in offer.buttons]) == ("missing: 2", ["Show"])
    assert again is None
    assert [delivery.text for delivery in shown] == [delivery.text for delivery in repeated] == ["one", "two"]
    assert await stores.doubts.list_for_repetition(HERE) == ()
    assert await stores.doubts.list_uncertain_chats() == ()
    assert await stores.doubts.list_undelivered() == ()


async def test_an_offer_is_worded_by_what_was_asked(stores: Stores) -> None:
    """A translation that was lost is offered in the language of whoever asked for it, not in its own."""
    samples: list[str] = []
    asked = turn(exchange("e1", "Wie heißt das auf Englisch?", "The shoe."), parts=("The shoe.",))
    (delivery,) = (await stores.turns.commit(asked)).deliveries
    await stores.deliveries.begin_attempt(delivery)
    await stores.deliveries.finish(delivery, LOST)

    def choose(sample: str) -> OfferWords:
        samples.append(sample)
        return WORDS

    await stores.doubts.offer(HERE, choose)

    assert samples == ["Wie heißt das auf Englisch?"]


async def test_another_chats_reply_is_not_shown(stores: Stores) -> None:
    """A number that belongs to another chat shows nothing."""
    (first,) = await lost(stores, "one")
    elsewhere = replace(HERE, chat_id=HERE.chat_id + 1)

    assert await stores.doubts.list_for_repetition(elsewhere, first) == ()
    assert await stores.doubts.list_for_repetition(elsewhere) == ()
    assert len(await stores.doubts.list_for_repetition(HERE)) == 1


async def test_an_offer_of_unknown_fate_is_made_three_times_at_most(stores: Stores) -> None:
    """Otherwise a chat that cannot be reached would be told for ever."""
    await lost(stores, "one")
    made = 0
    while (offer := await stores.doubts.offer(HERE, lambda _: WORDS)) is not None:
        made += 1
        await stores.deliveries.begin_attempt(offer.id)
        await stores.deliveries.finish(offer.id, LOST)

    assert made == 3
    assert await stores.doubts.list_uncertain_chats() == ()
    assert [(one.count, one.reason) for one in await stores.doubts.list_undelivered(HERE)] == [(1, "no answer")]


async def test_an_offer_that_a_kill_interrupted_is_made_again(stores: Stores) -> None:
    """A planned one is sent by the restart, one that was on its way may not have arrived."""
    await lost(stores, "one")
    offer = await stores.doubts.offer(HERE, lambda _: WORDS)
    assert offer is not None
    planned = await stores.deliveries.list_unsent()
    await stores.deliveries.begin_attempt(offer.id)
    interrupted = await stores.deliveries.list_unsent()

    assert [delivery.id for delivery in planned] == [offer.id]
    assert interrupted == ()
    assert await stores.doubts.list_uncertain_chats() == (HERE,)


async def test_refusals_are_told_apart_and_never_offered(stores: Stores) -> None:
    """Who has blocked the bot gets nothing, and the operator sees which is which."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one", "two")))
    for delivery, outcome in zip(
        committed.deliveries, (LOST, DeliveryOutcome(Fate.REFUSED, reason="blocked")), strict=True
    ):
        await stores.deliveries.begin_attempt(delivery)
        await stores.deliveries.finish(delivery, outcome)

    listed = await stores.doubts.list_undelivered()
    assert {(one.fate, one.count, one.reason) for one in listed} == {
        (Fate.UNKNOWN, 1, "no answer"),
        (Fate.REFUSED, 1, "blocked"),
    }
    assert [delivery.text for delivery in await stores.doubts.list_for_repetition(HERE)] == ["one"]


async def test_an_answer_whose_first_words_may_be_shown_is_in_doubt_as_a_whole(stores: Stores) -> None:
    """Nothing of it is sent: beside its beginning it would stand there twice."""
    committed = await stores.turns.commit(turn(exchange("a", "hi"), parts=("one", "two"), draft_id=LOST_DRAFT))

    assert not await stores.deliveries.begin_attempt(committed.deliveries[0])
    assert await stores.deliveries.list_unsent() == ()
    assert [delivery.text for delivery in await stores.doubts.list_for_repetition(HERE)] == ["one", "two"]


async def test_a_kept_reply_holds_no_secret_and_goes_with_what_is_forgotten(stores: Stores) -> None:
    """It is kept for days: masked like everything that is kept, and erased with its exchange and with its chat."""
    await lost(stores, "The password is hunter2-Xy99!")
    (kept,) = await stores.doubts.list_for_repetition(HERE)
    await lost(stores, "Vera lives in Porto.")
    await stores.eraser.erase_exchanges(SCOPE, ("lost1ver",))

    assert "hunter2" not in kept.text
    assert await stores.doubts.list_for_repetition(HERE) == ()
    await lost(stores, "Tea is better.")
    await stores.eraser.erase_scope(SCOPE)
    assert await stores.doubts.list_for_repetition(HERE) == ()
