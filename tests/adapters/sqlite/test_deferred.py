"""Deferred documents: what is said while long-term memory is off reaches it when it is on again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.sqlite import outbox
from adapters.sqlite.database import Database
from adapters.sqlite.outbox import index_deferred, reindex_exchanges
from bot.memory.document import source_name
from bot.ports.memory_store import Selector
from bot.ports.turn_store import TurnRecord
from bot.turn import Exchange, IndexDocument
from harness.samples import ANNA, SCOPE, exchange, item, turn
from tests.contracts.stores import Stores, join_stores

LONG = "My sister Vera lives in Porto, in a house by the river that she painted blue."


@pytest.fixture
def stores(database: Database, tmp_path: Path) -> Stores:
    return join_stores(database, tmp_path)


def deferred(said: Exchange) -> TurnRecord:
    """A turn whose document waits for long-term memory to be switched on."""
    source = source_name(said.said_at, SCOPE.tag, said.uid)
    return replace(turn(said), document=IndexDocument(SCOPE, source, said.user_text, deferred=True))


async def waiting(stores: Stores) -> list[str]:
    """The texts that wait, in order."""
    texts = []
    while rows := await stores.outbox.due(stores.clock.now(), 10):
        for row in rows:
            texts.append(f"erase {row.document.source}" if row.erase else row.document.text)
            await stores.outbox.close(row.id)
    return texts


async def test_deferred_documents_are_queued_once_in_order(
    stores: Stores, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing waits while it is off; afterwards each document does, once, however many are queued at once."""
    monkeypatch.setattr(outbox, "_BATCH", 20)
    for number in range(45):
        await stores.turns.commit(deferred(exchange(f"e{number}", f"{LONG} {number}")))
    before = await stores.outbox.counts()
    queued = await index_deferred(database) + await index_deferred(database)
    texts = await waiting(stores)

    assert before.waiting == 0
    assert queued == len(texts) == 45
    assert [f"{LONG} {number}" in text for number, text in enumerate(texts)] == [True] * 45


async def test_what_was_forgotten_meanwhile_is_neither_queued_nor_asked_to_be_erased(
    stores: Stores, database: Database
) -> None:
    """Long-term memory never had it."""
    await stores.turns.commit(deferred(exchange("e1", LONG)))
    await stores.turns.commit(deferred(exchange("e2", "My brother Paul plays the cello in an orchestra in Turin.")))
    receipt = await stores.eraser.erase_exchanges(SCOPE, ("e1",))
    await index_deferred(database)
    texts = await waiting(stores)

    assert receipt.exchanges == 1
    assert len(texts) == 1
    assert "Paul" in texts[0]


async def test_an_edit_replaces_a_deferred_document(stores: Stores, database: Database) -> None:
    """Of a message edited meanwhile only the last version is queued."""
    await stores.turns.commit(deferred(replace(exchange("e1", LONG), message_id=7)))
    edited = replace(exchange("e2", LONG.replace("Porto", "Lisbon")), message_id=7, revises=7)
    await stores.turns.commit(deferred(edited))
    await index_deferred(database)
    texts = await waiting(stores)

    assert len(texts) == 1
    assert "Lisbon" in texts[0]


async def test_indexing_again_takes_everything_said_but_small_talk(stores: Stores, database: Database) -> None:
    """Also what no document was ever planned for; a second time queues nothing twice."""
    await stores.turns.commit(turn(exchange("e1", LONG)))
    await stores.turns.commit(turn(exchange("e2", "Hi!", "Hello, and a very good morning to you and to all of yours.")))
    await stores.turns.commit(turn(exchange("e3", LONG + " Again.", synthetic=True)))
    counts = [await reindex_exchanges(database, min_length=50) for _ in range(2)]
    texts = await waiting(stores)

    assert counts == [1, 0]
    assert len(texts) == 1
    assert LONG in texts[0]


async def test_what_a_command_kept_and_what_replaces_it_reach_long_term_memory(
    stores: Stores, database: Database
) -> None:
    """Kept while it was off it waits; what an edit replaces is taken out, also where nothing else was said."""
    said = exchange("e1", "My dentist is Dr. Lind.")
    await stores.turns.commit(turn(said, document=True, items=(item(said.user_text, exchange="e1"),)))
    (kept,) = (await stores.items.page(SCOPE, Selector.ALL)).items
    before = await waiting(stores)
    await stores.items.edit(SCOPE, kept.id, "My dentist is Dr. Kovacs.", stores.clock.now(), ANNA)
    taken = await waiting(stores)
    await index_deferred(database)
    after = await waiting(stores)

    assert ["Lind" in text for text in before] == [True]
    assert [text.startswith("erase ") for text in taken] == [True]
    assert ["Kovacs" in text for text in after] == [True]
