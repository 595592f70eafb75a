"""The contract of :mod:`bot.ports.turn_store`: whole or not at all, once, in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author
from bot.ports.memory_store import Selector
from bot.ports.messenger import DeliveryOutcome, Fate
from bot.turn import NextSession, Reply, SaidIn, Trace
from harness.samples import HERE, NOON, SCOPE, exchange, item, message, question, turn
from tests.contracts.stores import Stores


async def accepted(stores: Stores, text: str, update_id: int = 1) -> Accepted:
    """A journaled message."""
    entry = await stores.journal.accept(message(text, update_id))
    assert entry is not None
    return entry


async def test_a_place_has_one_open_session(stores: Stores) -> None:
    """It is opened on demand, stays, and another topic has its own."""
    session = await stores.turns.session(HERE)

    assert await stores.turns.session(HERE) == session
    assert (await stores.turns.session(Address("telegram", 7, 42, 5))).id != session.id


async def test_history_is_the_newest_of_the_session_oldest_first(stores: Stores) -> None:
    """Exchanges come back as they were stored, offset of the clock included."""
    session = await stores.turns.session(HERE)
    said = [exchange(f"e{number}", f"line {number}", session=session) for number in range(5)]
    for one in said:
        await stores.turns.commit(turn(one))

    history = await stores.turns.history(SCOPE, session.id, 3)

    assert [one.uid for one in history] == ["e2", "e3", "e4"]
    assert history[0].said_at == NOON
    assert history[0].said_at.utcoffset() == NOON.utcoffset()
    assert [one.id for one in history] == sorted(one.id for one in history)
    assert await stores.turns.history(Scope("tu43"), session.id, 3) == ()
    assert await stores.turns.history(SCOPE, session.id + 1, 3) == ()


async def test_a_long_history_begins_at_the_same_exchange_for_a_step(stores: Stores) -> None:
    """Beyond the limit it moves by whole steps, so that what is read stays bounded and its beginning stays."""
    session = await stores.turns.session(HERE)
    first: list[str] = []
    for number in range(15):
        await stores.turns.commit(turn(exchange(f"e{number}", "x", session=session)))
        history = await stores.turns.history(SCOPE, session.id, 6, step=3)
        assert history[-1].uid == f"e{number}"
        assert min(number + 1, 4) <= len(history) <= 6
        first.append(history[0].uid)

    assert first == ["e0"] * 6 + ["e3"] * 3 + ["e6"] * 3 + ["e9"] * 3
    assert await stores.turns.history(SCOPE, session.id, 0, step=1) == ()


async def test_history_follows_the_sequence_not_the_clock(stores: Stores) -> None:
    """A clock set back a day does not reorder what was said."""
    session = await stores.turns.session(HERE)
    for number, days in enumerate((0, -1, 1, -1)):
        said_at = NOON + timedelta(days=days)
        await stores.turns.commit(turn(exchange(f"e{number}", "x", session=session, said_at=said_at)))

    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e0", "e1", "e2", "e3"]


async def test_a_commit_is_whole(stores: Stores) -> None:
    """Journal, exchange, items, reply, document, trace and session appear together."""
    entry = await accepted(stores, "My sister Vera lives in Porto.")
    session = await stores.turns.session(HERE)
    said = exchange("e1", entry.message.text, session=session)
    trace = Trace(
        memories=(Recalled("turn:e0:user", "older", Channel.TURN, 0.5, said_at=NOON, signals={"bm25": 1.5}),),
        notes=("long-term memory unavailable: HTTP 503",),
    ).measuring(prompt_tokens=12)
    record = turn(
        said,
        closes=(entry,),
        parts=("Noted.",),
        items=(item("Vera lives in Porto", exchange="e1"),),
        trace=trace,
        document=True,
    )

    committed = await stores.turns.commit(record)
    asked = await stores.turns.last(HERE)

    assert await stores.journal.pending() == ()
    assert [one.id for one in await stores.turns.history(SCOPE, session.id, 9)] == [committed.exchange_id]
    assert [delivery.id for delivery in await stores.deliveries.list_unsent()] == list(committed.deliveries)
    assert [row.document for row in await stores.outbox.due(NOON, 9)] == [record.document]
    assert [one.content for one, _ in await stores.items.items(SCOPE, question("Vera"))] == ["Vera lives in Porto"]
    assert asked is not None
    assert (asked.exchange, asked.session_id, asked.question) == ("e1", session.id, said.user_text)
    assert (asked.answer, asked.said_at) == ("Noted.", NOON)
    assert asked.trace == trace


async def test_committing_again_changes_nothing(stores: Stores) -> None:
    """A turn that is run twice after a crash answers once and remembers once."""
    entry = await accepted(stores, "hello")
    session = await stores.turns.session(HERE)
    record = turn(exchange("e1", "hello", session=session), closes=(entry,), parts=("hi", "there"), document=True)

    first = await stores.turns.commit(record)
    again = await stores.turns.commit(record)

    assert again == first
    assert len(await stores.turns.history(SCOPE, session.id, 9)) == 1
    assert len(await stores.deliveries.list_unsent()) == 2
    assert (await stores.outbox.counts()).waiting == 1


async def test_an_exchange_is_stored_once_by_its_name(stores: Stores) -> None:
    """Imports carry no journal entries: their names keep them from doubling."""
    session = await stores.turns.session(HERE)
    record = turn(exchange("e1", "hello", session=session), document=True)

    first = await stores.turns.commit(record)
    again = await stores.turns.commit(record)

    assert again.exchange_id == first.exchange_id
    assert (await stores.outbox.counts()).waiting == 1
    assert len(await stores.turns.history(SCOPE, session.id, 9)) == 1


async def test_the_same_name_in_two_scopes_is_two_exchanges(stores: Stores) -> None:
    """Names are unique within a scope only."""
    one = await stores.turns.commit(turn(exchange("e1", "mine")))
    other = Scope("tu43")
    two = await stores.turns.commit(turn(exchange("e1", "theirs", scope=other), scope=other))

    assert one.exchange_id != two.exchange_id


async def test_a_command_leaves_its_reply_and_no_memory(stores: Stores) -> None:
    """Without an exchange nothing is remembered and /why still explains the turn before."""
    await stores.turns.commit(turn(exchange("e1", "before")))
    entry = await accepted(stores, "/status")

    committed = await stores.turns.commit(turn(None, closes=(entry,), parts=("All is well.",)))
    asked = await stores.turns.last(HERE)

    assert committed.exchange_id is None
    assert len(committed.deliveries) == 1
    assert asked is not None
    assert asked.exchange == "e1"


async def test_the_answer_to_new_opens_a_session(stores: Stores) -> None:
    """It does so in the transaction of the answer."""
    session = await stores.turns.session(HERE)
    await stores.turns.commit(turn(None, reply=Reply("A fresh start.", next_session=NextSession())))

    fresh = await stores.turns.session(HERE)

    assert fresh.id != session.id
    assert await stores.turns.history(SCOPE, fresh.id, 9) == ()


async def test_a_turn_begun_without_storage_finds_its_session(stores: Stores) -> None:
    """Session 0 means that nobody could look it up."""
    await stores.turns.commit(turn(exchange("e1", "written later")))
    session = await stores.turns.session(HERE)

    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e1"]


async def test_an_edited_message_replaces_its_earlier_version(stores: Stores) -> None:
    """History, items and documents follow the newest version."""
    session = await stores.turns.session(HERE)
    first = exchange("e1", "My code is 111.", session=session, message_id=5)
    await stores.turns.commit(
        turn(first, items=(item("My code is 111.", exchange="e1", subject="code"),), document=True)
    )
    second = exchange("e2", "My code is 222.", session=session, message_id=5, revises=5)
    await stores.turns.commit(
        turn(second, items=(item("My code is 222.", exchange="e2", subject="code"),), document=True)
    )

    rows = [row for _ in range(3) for row in await stores.outbox.due(NOON, 9)]
    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e2"]
    assert [one.content for one, _ in await stores.items.items(SCOPE, question("code"))] == ["My code is 222."]
    assert rows[0].erase
    assert rows[0].document.source.endswith("_e1.txt")


async def test_authors_are_listed_under_every_name_that_they_went_by(stores: Stores) -> None:
    """Each once; an unknown scope has none."""
    first = exchange("e1", "one")
    renamed = replace(exchange("e2", "two"), author=replace(first.author, name="Annie"))
    for said in (first, replace(first, uid="e3"), renamed):
        await stores.turns.commit(turn(said))
    listed = await stores.turns.list_authors(SCOPE)

    assert sorted(listed) == sorted({(first.author.id, first.author.name), (first.author.id, "Annie")})
    assert await stores.turns.list_authors(Scope("tu43")) == ()


async def test_an_edit_in_another_chat_replaces_nothing(stores: Stores) -> None:
    """Message numbers repeat from chat to chat."""
    session = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e1", "mine", session=session, message_id=5)))
    there, other = Address("telegram", 7, 43), Scope("tu43")
    await stores.turns.commit(
        turn(exchange("e2", "theirs", scope=other, message_id=5, revises=5), scope=other, address=there)
    )

    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e1"]


async def test_closing_ends_a_session(stores: Stores) -> None:
    """The new one is empty and open."""
    before = await stores.turns.session(HERE)
    after = await stores.turns.close(HERE)

    assert after.id != before.id
    assert await stores.turns.session(HERE) == after


async def test_idle_sessions_are_those_that_hold_something_old(stores: Stores) -> None:
    """Empty, busy and ended sessions are left alone."""
    quiet, busy, empty = (Address("telegram", 7, chat) for chat in (1, 2, 3))
    old = await stores.turns.session(quiet)
    await stores.turns.commit(turn(exchange("e1", "old", session=old), address=quiet))
    recent = await stores.turns.session(busy)
    later = NOON + timedelta(hours=2)
    await stores.turns.commit(turn(exchange("e2", "new", session=recent, said_at=later), address=busy))
    await stores.turns.session(empty)

    ended = await stores.turns.close_idle(NOON + timedelta(hours=1))

    assert ended == ((quiet, old.id),)
    assert (await stores.turns.session(quiet)).id != old.id
    assert await stores.turns.session(busy) == recent
    assert await stores.turns.close_idle(NOON + timedelta(hours=1)) == ()


async def test_what_each_message_says_is_found_by_any_of_them(stores: Stores) -> None:
    """Of the newest version, and of its own scope alone; a message that says all of its exchange has no others."""
    session = await stores.turns.session(HERE)
    said = (SaidIn(5, "Tom is a cat."), SaidIn(6, "Rex is a dog.", "file", "Rex is a dog."))
    told = exchange("e1", "Tom is a cat.\nRex is a dog.", session=session, message_id=5)
    await stores.turns.commit(turn(replace(told, messages=said)))
    await stores.turns.commit(turn(exchange("e2", "Max is a horse.", session=session, message_id=7)))
    found = [await stores.turns.list_messages(SCOPE, HERE, number) for number in (5, 6, 7, 8)]
    foreign = await stores.turns.list_messages(Scope("tu43"), HERE, 6)
    edited = (said[0], SaidIn(6, "Rex is a wolf."))
    revised = exchange("e3", "Tom is a cat.\nRex is a wolf.", session=session, message_id=5, revises=6)
    await stores.turns.commit(turn(replace(revised, messages=edited)))

    assert found == [said, said, (), ()]
    assert foreign == ()
    assert await stores.turns.list_messages(SCOPE, HERE, 6) == edited


async def test_an_answer_is_not_kept_where_its_scope_has_lost_something_since(stores: Stores) -> None:
    """It may hold what was erased, and so may a memory made of it; what was asked stays, so does the next answer."""
    await stores.turns.commit(turn(exchange("e1", "The code is 4711.")))
    before = await stores.turns.session(HERE, SCOPE)
    await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    after = await stores.turns.session(HERE, SCOPE)
    for uid, session in (("e2", before), ("e3", after)):
        said = exchange(uid, "What is the code?", "It is 4711.", session=session)
        told = (item(f"said in {uid}", exchange=uid), item(f"told in {uid}", exchange=uid, author=Author(0, "Mneme")))
        await stores.turns.commit(replace(turn(said, items=told), epoch=session.epoch))
    kept = await stores.turns.history(SCOPE, after.id, 9)
    items = (await stores.items.page(SCOPE, Selector.ALL)).items

    assert {each.content for each in items} == {"said in e2", "said in e3", "told in e3"}
    assert [each.assistant_text for each in kept] == ["", "It is 4711."]
    assert [each.user_text for each in kept] == ["What is the code?"] * 2


async def test_an_answer_keeps_nothing_of_what_was_edited_elsewhere_since(stores: Stores) -> None:
    """It was made with the old words; what it tells besides stays, and so does what was edited by its own place.

    Red where ``heard`` is not looked at.
    """
    topic = Address("telegram", 7, 42, 5)
    await stores.turns.commit(turn(exchange("e1", "My vet is Dr. Lind.", message_id=5)))
    session = await stores.turns.session(topic, SCOPE)
    before, after = ("My vet is Dr. Lind.", "My vet is Dr. Novak.")
    revised = exchange("e2", after, message_id=5, revises=5)
    await stores.turns.commit(turn(revised))
    for uid, heard in (("e3", session.heard), ("e4", (await stores.turns.session(topic, SCOPE)).heard)):
        told = exchange(uid, "Who is it?", f"You said: {before} It rains.", session=session)
        await stores.turns.commit(replace(turn(told, address=topic), heard=heard))
    kept = await stores.turns.history(SCOPE, session.id, 9)

    assert [each.assistant_text for each in kept] == ["It rains.", f"You said: {before} It rains."]


async def test_an_edit_takes_its_message_out_of_a_memory_that_the_chat_used_before(stores: Stores) -> None:
    """With what was answered from it there; the new words are in the memory that is used now, and in no other."""
    old, now = SCOPE, Scope("tc42")
    await stores.turns.commit(turn(exchange("e1", "My vet is Dr. Lind. My cat is Tom.", message_id=5)))
    await stores.turns.commit(turn(exchange("e2", "Who is my vet?", "Your vet is Dr. Lind.", message_id=6)))
    revised = exchange("e3", "My vet is Dr. Novak. My cat is Tom.", scope=now, message_id=5, revises=5)
    await stores.turns.commit(turn(revised, scope=now))
    session = await stores.turns.session(HERE)
    left, moved = [await stores.turns.history(scope, session.id, 9) for scope in (old, now)]

    assert [(each.user_text, each.assistant_text) for each in left] == [("Who is my vet?", "")]
    assert [each.user_text for each in moved] == ["My vet is Dr. Novak. My cat is Tom."]


async def test_a_summary_stands_for_older_turns(stores: Stores) -> None:
    """History shows what came after it; nothing is deleted."""
    session = await stores.turns.session(HERE)
    for number in range(4):
        await stores.turns.commit(turn(exchange(f"e{number}", f"m{number}", session=session)))
    said = await stores.turns.history(SCOPE, session.id, 9)
    await stores.turns.summarise(session, "They greeted.", said[:2])

    assert (await stores.turns.session(HERE)).summary == "They greeted."
    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e2", "e3"]


async def test_a_summary_of_one_scope_never_reaches_another(stores: Stores) -> None:
    """Where several people share a session but not their memory, there is no common summary."""
    group = Address("telegram", 7, -100)
    session = await stores.turns.session(group)
    other = Scope("tu43")
    await stores.turns.commit(turn(exchange("e1", "mine", session=session), address=group))
    mine = await stores.turns.history(SCOPE, session.id, 9)
    await stores.turns.summarise(session, "Anna's secret.", mine)
    await stores.turns.commit(turn(exchange("e2", "theirs", session=session, scope=other), scope=other, address=group))

    assert (await stores.turns.session(group)).summary == ""
    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e1"]


async def test_what_a_message_replies_to_is_found_by_its_number(stores: Stores) -> None:
    """The message and its answer alike, in the newest version; not from another place nor of another scope."""
    session = await stores.turns.session(HERE)
    first = replace(exchange("e1", "My gate is green.", session=session), message_id=31)
    done = await stores.turns.commit(turn(first, parts=("Noted.",)))
    await stores.deliveries.finish(done.deliveries[0], DeliveryOutcome(Fate.SENT, 32))
    edit = replace(exchange("e2", "My gate is blue.", session=session), message_id=31, revises=31)
    await stores.turns.commit(turn(edit))

    by_message = await stores.turns.find_replied(SCOPE, HERE, 31)
    by_answer = await stores.turns.find_replied(SCOPE, HERE, 32)
    others = [
        await stores.turns.find_replied(SCOPE, Address("telegram", 7, 42, 5), 31),
        await stores.turns.find_replied(Scope("tu43"), HERE, 32),
        await stores.turns.find_replied(SCOPE, HERE, 33),
    ]

    assert by_message is not None
    assert (by_message.exchange.uid, by_message.answer) == ("e2", False)
    assert by_answer is not None
    assert (by_answer.exchange.uid, by_answer.answer) == ("e2", True)
    assert others == [None, None, None]
