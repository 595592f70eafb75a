"""The contract of :class:`bot.ports.eraser.Eraser`: gone at once, everywhere, with a true receipt."""

from __future__ import annotations

from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.messages import Accepted, Address
from bot.ports.eraser import ErasureTarget
from bot.ports.memory_store import Selector
from bot.turn import Reply, Session, Trace
from harness.samples import HERE, NOON, SCOPE, exchange, item, message, question, turn
from tests.contracts.stores import Stores

OTHER = Scope("tu43")


async def say(
    stores: Stores, uid: str, text: str, answer: str = "Noted.", *, scope: Scope = SCOPE, trace: Trace | None = None
) -> Session:
    """One exchange with an item of its words, a reply and a document."""
    address = HERE if scope == SCOPE else Address("telegram", 7, 43)
    session = await stores.turns.session(address)
    await stores.turns.commit(
        turn(
            exchange(uid, text, answer, session=session, scope=scope),
            scope=scope,
            address=address,
            items=(item(text, exchange=uid),),
            parts=(answer,),
            trace=trace,
            document=True,
        )
    )
    return session


async def accepted(stores: Stores, text: str, update_id: int) -> Accepted:
    """A journaled message."""
    entry = await stores.journal.accept(message(text, update_id))
    assert entry is not None
    return entry


async def test_an_erased_exchange_is_gone_with_all_that_came_of_it(stores: Stores) -> None:
    """History, items, reply and waiting document go; its removal from long-term memory is queued; others stay."""
    session = await say(stores, "e1", "The PIN hint is 42")
    await say(stores, "e2", "I like tea")

    receipt = await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    rows = await stores.outbox.due(NOON, 9)
    asked = await stores.turns.last(HERE)

    assert (receipt.exchanges, receipt.items, receipt.documents) == (1, 1, 1)
    assert receipt.residue == ()
    assert receipt.pending
    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e2"]
    assert await stores.items.items(SCOPE, question("PIN hint")) == ()
    assert [delivery.text for delivery in await stores.deliveries.list_unsent()] == ["Noted."]
    assert [(row.document.source, row.erase) for row in rows] == [("conv_20260207_133015_tu42_e2.txt", False)]
    assert asked is not None
    assert asked.exchange == "e2"


async def test_erasing_an_item_erases_where_it_was_said(stores: Stores) -> None:
    """Every exchange that said it goes, not only the first."""
    session = await say(stores, "e1", "The PIN hint is 42")
    await stores.turns.commit(
        turn(
            exchange("e2", "As I said, 42", session=session),
            items=(item("The PIN hint is 42", exchange="e2"),),
        )
    )
    (only,) = (await stores.items.page(SCOPE, Selector.ALL)).items

    receipt = await stores.eraser.erase(SCOPE, ErasureTarget(items=(only.id,)))

    assert (receipt.exchanges, receipt.items, receipt.residue) == (2, 1, ())
    assert await stores.turns.history(SCOPE, session.id, 9) == ()


async def test_erasing_nothing_says_so(stores: Stores) -> None:
    """Unknown names and another scope's ids erase nothing."""
    await say(stores, "e1", "mine")
    (mine,) = (await stores.items.page(SCOPE, Selector.ALL)).items
    await say(stores, "x1", "theirs", scope=OTHER)

    receipts = [
        await stores.eraser.erase_exchanges(SCOPE, ("nosuch",)),
        await stores.eraser.erase(OTHER, ErasureTarget(items=(mine.id,))),
        await stores.eraser.erase_exchanges(Scope("tu99"), ("e1",)),
    ]

    assert [(one.exchanges, one.items, one.documents) for one in receipts] == [(0, 0, 0)] * 3
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 1


async def test_an_answer_that_repeats_it_is_blanked(stores: Stores) -> None:
    """The echo of an erased statement is no back door; what the person said otherwise stays."""
    session = await say(stores, "e1", "My sister Vera lives in Porto.")
    used = Trace(memories=(Recalled("turn:e1:user", "…", Channel.TURN, 1.0, exchange="e1"),))
    await say(stores, "e2", "Where does my sister live?", "Your sister lives in Porto!", trace=used)
    await say(stores, "e3", "Book a table for two", "Done: a table for two.")

    receipt = await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    history = await stores.turns.history(SCOPE, session.id, 9)

    assert receipt.answers == 1
    assert [(one.uid, one.assistant_text) for one in history] == [("e2", ""), ("e3", "Done: a table for two.")]


async def test_an_explanation_forgets_what_it_quoted(stores: Stores) -> None:
    """/why of a later answer no longer shows the erased memory."""
    await say(stores, "e1", "The PIN hint is 42")
    quoting = Trace(
        memories=(
            Recalled("turn:e1:user", "The PIN hint is 42", Channel.TURN, 1.0, exchange="e1"),
            Recalled("turn:e0:user", "I like tea", Channel.TURN, 0.5, exchange="e0"),
        )
    )
    await say(stores, "e2", "What do I like?", "Tea.", trace=quoting)

    await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    asked = await stores.turns.last(HERE)

    assert asked is not None
    assert [memory.exchange for memory in asked.trace.memories] == ["e0"]


async def test_every_version_of_an_edited_message_goes(stores: Stores) -> None:
    """Forgetting the corrected message forgets what it corrected."""
    session = await stores.turns.session(HERE)
    for uid, text, revises in (("e1", "code 111", 0), ("e2", "code 222", 5)):
        await stores.turns.commit(turn(exchange(uid, text, session=session, message_id=5, revises=revises)))

    receipt = await stores.eraser.erase_exchanges(SCOPE, ("e2",))

    assert receipt.exchanges == 2


async def test_the_rest_of_a_message_stays_where_a_part_of_it_goes(stores: Stores) -> None:
    """Its answer, its other versions and what was learned of the part go; an undo brings all of it back."""
    session = await stores.turns.session(HERE)
    await stores.turns.commit(turn(exchange("e0", "Dave's number is 0110", session=session, message_id=5)))
    whole, part, rest = "Dave is a plumber. His number is 0114", "His number is 0114", "Dave is a plumber."
    await stores.turns.commit(
        turn(
            exchange("e1", whole, "Noted: 0114", session=session, message_id=5, revises=5),
            items=(item(part, exchange="e1"), item(rest, exchange="e1")),
            parts=("Noted: 0114",),
            document=True,
        )
    )
    await say(stores, "e2", "What is it?", "It is 0114")
    (before,) = [one for one in await stores.turns.history(SCOPE, session.id, 9) if one.uid == "e1"]

    receipt = await stores.undoing.erase(SCOPE, ErasureTarget(exchanges=("e1",)), author_id=42, rest=rest)
    history = await stores.turns.history(SCOPE, session.id, 9)

    assert (receipt.rest, receipt.exchanges, receipt.items, receipt.answers, receipt.residue) == (rest, 1, 1, 1, ())
    assert [(one.uid, one.user_text, one.assistant_text) for one in history] == [
        ("e1", rest, ""),
        ("e2", "What is it?", ""),
    ]
    assert [one.content for one in (await stores.items.page(SCOPE, Selector.ALL)).items] == ["What is it?", rest]
    assert await stores.undoing.undo(SCOPE, 42) is not None
    assert before in await stores.turns.history(SCOPE, session.id, 9)


async def test_a_summary_of_erased_turns_is_dropped(stores: Stores) -> None:
    """The verbatim turns that are left take its place."""
    session = await say(stores, "e1", "The PIN hint is 42")
    await say(stores, "e2", "I like tea")
    said = await stores.turns.history(SCOPE, session.id, 9)
    await stores.turns.summarise(session, "PIN hint 42, tea.", said)

    await stores.eraser.erase_exchanges(SCOPE, ("e1",))

    assert (await stores.turns.session(HERE)).summary == ""
    assert [one.uid for one in await stores.turns.history(SCOPE, session.id, 9)] == ["e2"]


async def test_an_erased_scope_is_empty(stores: Stores) -> None:
    """Everything of it goes, nothing of another; the workspace's removal is queued alone."""
    session = await say(stores, "e1", "The PIN hint is 42")
    await say(stores, "x1", "theirs", scope=OTHER)

    receipt = await stores.eraser.erase_scope(SCOPE)
    rows = await stores.outbox.due(NOON, 9)

    assert (receipt.exchanges, receipt.items, receipt.documents) == (1, 1, 1)
    assert receipt.residue == ()
    assert await stores.turns.history(SCOPE, session.id, 9) == ()
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 0
    assert await stores.turns.last(HERE) is None
    assert {(row.document.scope, row.document.source, row.erase) for row in rows} == {
        (SCOPE, "", True),
        (OTHER, "conv_20260207_133015_tu43_x1.txt", False),
    }
    assert (await stores.items.page(OTHER, Selector.ALL)).total == 1


async def test_a_turn_under_way_brings_nothing_back(stores: Stores) -> None:
    """Its answer goes out and its entry is closed, but what was said before the erase is not remembered."""
    session = await say(stores, "e0", "hello")
    entry = await accepted(stores, "The PIN hint is 42", 9)
    await stores.journal.begin(entry.id)
    await stores.eraser.erase_scope(SCOPE)

    committed = await stores.turns.commit(
        turn(
            exchange("e9", entry.message.text, session=session),
            closes=(entry,),
            parts=("Noted.",),
            items=(item("The PIN hint is 42", exchange="e9"),),
            document=True,
        )
    )

    assert committed.exchange_id is None
    assert len(committed.deliveries) == 1
    assert await stores.journal.pending() == ()
    assert await stores.turns.history(SCOPE, session.id, 9) == ()
    assert (await stores.items.page(SCOPE, Selector.ALL)).total == 0
    assert (await stores.outbox.counts()).waiting == 1


async def test_what_is_said_after_the_erase_is_remembered(stores: Stores) -> None:
    """Also when it waited behind the very command that erased."""
    command = await accepted(stores, "/forget everything yes", 1)
    waiting = await accepted(stores, "My cat is Tom", 2)
    await stores.journal.begin(command.id)
    await stores.eraser.erase_scope(SCOPE)
    await stores.turns.commit(turn(None, closes=(command,), reply=Reply("Forgotten."), parts=("Forgotten.",)))

    committed = await stores.turns.commit(turn(exchange("e2", waiting.message.text), closes=(waiting,)))

    assert committed.exchange_id is not None


async def test_an_unjournaled_turn_from_before_the_erase_is_dropped(stores: Stores) -> None:
    """A record that waited for the disk carries no entries: its time decides."""
    await say(stores, "e0", "hello")
    stores.clock.move(minutes=1)
    await stores.eraser.erase_scope(SCOPE)

    before = await stores.turns.commit(turn(exchange("e1", "said before")))
    after = await stores.turns.commit(turn(exchange("e2", "said after", said_at=NOON.replace(minute=40))))

    assert before.exchange_id is None
    assert after.exchange_id is not None


async def test_a_standing_wish_goes_with_its_exchange(stores: Stores) -> None:
    """No prompt holds it any longer, and nothing lists it."""
    session = await stores.turns.session(HERE)
    wish = item("Always answer in Dutch.", exchange="e1", tags=("wish",))
    await stores.turns.commit(turn(exchange("e1", wish.content, "Noted.", session=session), items=(wish,)))
    assert [each.content for each in await stores.items.wishes(SCOPE)] == [wish.content]

    await stores.eraser.erase_exchanges(SCOPE, ("e1",))

    assert await stores.items.wishes(SCOPE) == ()
    assert (await stores.items.page(SCOPE, Selector.WISHES)).total == 0
