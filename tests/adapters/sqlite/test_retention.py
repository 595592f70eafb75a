"""Retention: what the store deletes by itself, and what it reports about itself."""

from __future__ import annotations

from datetime import timedelta

from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.journal import SqliteJournal, delete_outdated
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.items import ITEMS, SqliteItems
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.search import PoolEmbedder
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.config.schema import RetentionSettings
from bot.memory.items import ItemType, Layer
from bot.memory.scope import Scope
from bot.ports.memory_store import Selector
from bot.ports.messenger import DeliveryOutcome, Fate
from bot.ports.rag import DeadLetter
from harness.samples import NOON, SCOPE, HeldClock, WordEmbedder, exchange, item, message, turn

SENT, LOST = DeliveryOutcome(Fate.SENT, 5), DeliveryOutcome(Fate.UNKNOWN, reason="no answer")
KEEP = RetentionSettings(journal_days=14)


async def answered(database: Database, clock: HeldClock, number: int) -> tuple[int, ...]:
    """One journaled, committed and sent turn; returns its deliveries."""
    entry = await SqliteJournal(database, now=clock.now).accept(message(f"m{number}", number))
    assert entry is not None
    committed = await SqliteTurns(database, now=clock.now).commit(
        turn(exchange(f"e{number}", f"m{number}"), closes=(entry,), parts=("ok",))
    )
    return committed.deliveries


async def counts(database: Database) -> tuple[int, ...]:
    """Journal rows, deliveries, exchanges, items."""
    row: tuple[int, ...] = await database.read(
        lambda connection: connection.execute(
            "SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM deliveries), "
            "(SELECT count(*) FROM exchanges), (SELECT count(*) FROM items)"
        ).fetchone()
    )
    return row


async def test_a_closed_entry_keeps_no_text(database: Database) -> None:
    """Payload and reply are dropped as soon as they are not needed; the exchange is the truth."""
    (delivery,) = await answered(database, HeldClock(), 1)
    await SqliteDeliveries(database).begin_attempt(delivery)
    await SqliteDeliveries(database).finish(delivery, SENT)
    row = await database.read(
        lambda connection: connection.execute(
            "SELECT (SELECT payload FROM journal), (SELECT text FROM deliveries)"
        ).fetchone()
    )

    assert row == (None, "")


async def test_settled_work_is_tidied_away_and_memory_is_not(database: Database) -> None:
    """After its time; what is still open stays as long as it takes."""
    clock = HeldClock()
    for number in range(3):
        (delivery,) = await answered(database, clock, number)
        await SqliteDeliveries(database).begin_attempt(delivery)
        await SqliteDeliveries(database).finish(delivery, LOST if number else SENT)
    open_entry = await SqliteJournal(database).accept(message("open", 99))
    items = SqliteItems(database, WordEmbedder(), clock)
    await items.add(SCOPE, item("short", ttl_s=60, layer=Layer.WORKING, type_=ItemType.TASK))
    await items.add(SCOPE, item("for ever"))
    early = await delete_outdated(database, KEEP, clock.now() + timedelta(days=13))
    before = await counts(database)
    late = await delete_outdated(database, KEEP, clock.now() + timedelta(days=31))

    assert (early, before) == (0, (4, 3, 5, 2))
    assert late == 3 + 3 + 1
    assert await counts(database) == (1, 0, 5, 1)
    assert open_entry is not None
    assert [entry.id for entry in await SqliteJournal(database).pending()] == [open_entry.id]


async def test_an_abandoned_message_does_not_stay_for_ever(database: Database) -> None:
    """Its text is kept for the operator as long as the ids of answered messages, no longer."""
    clock = HeldClock()
    journal = SqliteJournal(database, now=clock.now)
    entry = await journal.accept(message("poison", 1))
    assert entry is not None
    await journal.abandon(entry.id, "failed 5 times")
    await delete_outdated(database, KEEP, clock.now() + timedelta(days=13))
    before = await counts(database)
    await delete_outdated(database, KEEP, clock.now() + timedelta(days=15))

    assert before[0] == 1
    assert (await counts(database))[0] == 0


async def test_a_message_that_cannot_be_read_is_set_aside(database: Database) -> None:
    """It is neither answered nor looked at again at every start, and the operator is told of it."""
    journal = SqliteJournal(database)
    for number in (1, 2):
        await journal.accept(message(f"m{number}", number))
    await database.write(
        lambda connection: connection.execute("UPDATE journal SET payload = ? WHERE id = 1", (b"\xff",)).rowcount
    )
    pending = await journal.pending()
    states = await database.read(
        lambda connection: connection.execute("SELECT state FROM journal ORDER BY id").fetchall()
    )

    assert [entry.message.text for entry in pending] == ["m2"]
    assert states == [(2,), (0,)]


async def test_a_reply_nobody_waits_for_any_more_is_dropped(database: Database) -> None:
    """An answer that could not be sent for two days is not sent then."""
    await answered(database, HeldClock(), 1)
    await delete_outdated(database, KEEP, NOON + timedelta(days=3))

    assert await SqliteDeliveries(database).list_unsent() == ()


async def test_dead_letters_are_listed_and_can_be_revived(database: Database) -> None:
    """They return to their place, before what came after them."""
    outbox, turns = SqliteOutbox(database), SqliteTurns(database)
    for number in range(2):
        await turns.commit(turn(exchange(f"e{number}", "x"), document=True))
    (first,) = await outbox.due(NOON, 9)
    await outbox.bury(first.id, "rejected")
    listed = await outbox.list_dead()
    (second,) = await outbox.due(NOON, 9)
    revived = await outbox.revive()
    (again,) = await outbox.due(NOON, 9)

    assert listed == (DeadLetter(first.id, "tu42", first.document.source, erase=False, attempts=0, reason="rejected"),)
    assert second.id > first.id
    assert revived == 1
    assert again.id == first.id


async def test_a_row_postponed_before_the_clock_went_back_is_not_lost(database: Database) -> None:
    """No back-off is longer than a day."""
    outbox = SqliteOutbox(database)
    await SqliteTurns(database).commit(turn(exchange("e1", "x"), document=True))
    (row,) = await outbox.due(NOON, 9)
    await outbox.retry(row.id, NOON + timedelta(seconds=60), "busy")

    assert await outbox.due(NOON, 9) == ()
    assert len(await outbox.due(NOON - timedelta(days=3), 9)) == 1


async def test_a_proven_item_is_promoted_within_its_scope(database: Database) -> None:
    """Said again in two more exchanges, an episode becomes knowledge; another scope's and a task state do not."""
    items = SqliteItems(database, WordEmbedder(), HeldClock())
    other = Scope("tu43")
    for number in range(3):
        for scope in (SCOPE, other):
            await items.add(scope, item("tea again", layer=Layer.EPISODIC, exchange=f"e{number}"))
        await items.add(
            SCOPE, item("deploying", layer=Layer.EPISODIC, type_=ItemType.TASK, exchange=f"e{number}", ttl_s=600)
        )
    await items.add(SCOPE, item("once", layer=Layer.EPISODIC))

    assert await items.promote(SCOPE) == 1
    assert await items.promote(Scope("tu99")) == 0
    layers = [[one.layer for one in (await items.page(scope, Selector.ALL)).items] for scope in (SCOPE, other)]
    assert [each.count(Layer.SEMANTIC) for each in layers] == [1, 0]


async def test_another_model_embeds_everything_again(database: Database) -> None:
    """Vectors of two models are never compared; words carry the search meanwhile."""
    clock = HeldClock()
    old, new = WordEmbedder("one"), WordEmbedder("two", dimension=32)
    before = SqliteItems(database, old, clock)
    await before.add(SCOPE, item("Vera lives in Porto"))
    await PoolEmbedder(database, old, (ITEMS,)).embed_missing()
    after = SqliteItems(database, new, clock)
    page = await after.page(SCOPE, Selector.ALL, search="Vera")
    embedder = PoolEmbedder(database, new, (ITEMS,))
    made = [await embedder.embed_missing(), await embedder.embed_missing()]

    assert page.total == 1
    assert made == [1, 0]
    assert new.embedded == ["Vera lives in Porto"]
    assert await database.read(
        lambda connection: connection.execute("SELECT model, length(vector) FROM item_vectors").fetchall()
    ) == [("two", 32)]


async def test_a_memory_is_embedded_in_the_round_of_the_message_that_told_it(database: Database) -> None:
    """What a model reads for both is read once, however few of the messages of an import tell something to keep."""
    turns, embedder = SqliteTurns(database), WordEmbedder()
    told = [f"Fact {number} is true" for number in range(0, 24, 3)]
    for number in range(24):
        text = f"Fact {number} is true" if number % 3 == 0 else f"chatter {number}"
        kept = (item(text, exchange=f"e{number}"),) if text in told else ()
        await turns.commit(turn(exchange(f"e{number}", text, ""), items=kept))
    recall, memories = SqliteRecall(database, embedder), PoolEmbedder(database, embedder, (ITEMS,))
    rounds = list[list[str]]()
    done = [4]
    while max(done) == 4:
        embedder.embedded.clear()
        done = [await memories.embed_missing(4), await recall.embed_missing(4)]
        rounds.append([*embedder.embedded])
    once = [text for each in rounds for text in told if each.count(text) == 2]

    assert once == told


async def test_outcomes_are_stored_under_the_numbers_they_always_had(database: Database) -> None:
    """Another version of Mneme reads the same file: 2 is sent, 3 is unknown, 4 is refused."""
    clock = HeldClock()
    deliveries = SqliteDeliveries(database, clock.now)
    committed = await SqliteTurns(database).commit(turn(exchange("a", "hi"), parts=("one", "two", "three", "four")))
    fates = (
        DeliveryOutcome(Fate.SENT, 5),
        DeliveryOutcome(Fate.UNKNOWN, reason="no answer"),
        DeliveryOutcome(Fate.REFUSED, reason="blocked"),
    )
    for delivery, outcome in zip(committed.deliveries, fates, strict=False):
        await deliveries.begin_attempt(delivery)
        await deliveries.finish(delivery, outcome)
    rows = await database.read(
        lambda connection: connection.execute("SELECT state, text FROM deliveries ORDER BY id").fetchall()
    )
    listed = await deliveries.list_undelivered()

    assert rows == [(2, ""), (3, "two"), (4, ""), (0, "four")]
    assert [(one.fate, one.count, one.reason) for one in listed] == [
        (Fate.REFUSED, 1, "blocked"),
        (Fate.UNKNOWN, 1, "no answer"),
    ]
