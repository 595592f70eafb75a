"""The outbox keeps a column for the head of every scope: random work must never leave it wrong."""

from __future__ import annotations

import random
from datetime import timedelta

from adapters.storage.database import Database
from adapters.storage.outbox import SqliteOutbox
from adapters.storage.outbox_rows import enqueue, withdraw
from adapters.storage.scopes import ensure_scope
from adapters.storage.turns import SqliteTurns
from bot.memory.scope import Scope
from bot.turn import IndexDocument
from tests.contracts.samples import NOON, exchange, turn
from tests.fakes.outbox import MemoryOutbox

SEED = 20260207
STEPS = 150


async def test_due_rows_are_those_of_a_plain_queue(database: Database) -> None:
    """After every one of many random steps the fake, which searches its whole list, gives the same answer."""
    chance = random.Random(SEED)
    outbox, plain = SqliteOutbox(database), MemoryOutbox()
    scopes = [Scope(f"tu{number}") for number in range(4)]
    now = NOON
    for step in range(STEPS):
        rows = await outbox.due(now, 99)
        action = chance.choice(("put", "put", "close", "retry", "bury", "wait"))
        if action == "put" or not rows:
            document = IndexDocument(chance.choice(scopes), f"source{step}", f"text {step}")
            await database.write(
                lambda connection, one=document: enqueue(  # type: ignore[misc]  # a default binds the loop's value
                    connection, ensure_scope(connection, one.scope), one.source, one.text
                )
            )
            plain.put(document)
        elif action == "wait":
            now += timedelta(seconds=chance.randrange(20))
        else:
            row = chance.choice(rows)
            for box in (outbox, plain):
                if action == "close":
                    await box.close(row.id)
                elif action == "bury":
                    await box.bury(row.id, "rejected")
                else:
                    await box.retry(row.id, now + timedelta(seconds=10), "busy")
        ours, theirs = await outbox.due(now, 99), await plain.due(now, 99)

        assert sorted(row.id for row in ours) == sorted(row.id for row in theirs), f"seed {SEED}, step {step}"
        assert [row.id for row in ours] == sorted(row.id for row in ours)
        assert await outbox.counts() == await plain.counts()


async def test_a_withdrawn_document_leaves_its_removal_in_the_queue(database: Database) -> None:
    """Waiting, dead or long since indexed: what is queued behind it keeps its place."""
    outbox, scope = SqliteOutbox(database), Scope("tu1")

    async def queue(*names: str) -> None:
        for name in names:
            await database.write(
                lambda connection, source=name: enqueue(  # type: ignore[misc]  # a default binds the loop's value
                    connection, ensure_scope(connection, scope), source, "text"
                )
            )

    await queue("a", "b")
    await database.write(lambda connection: withdraw(connection, ensure_scope(connection, scope), "a"))
    order = []
    while rows := await outbox.due(NOON, 9):
        order.append((rows[0].document.source, rows[0].erase))
        await outbox.close(rows[0].id)

    assert order == [("b", False), ("a", True)]


async def test_a_document_is_rebuilt_from_its_exchange(database: Database) -> None:
    """Only what a document adds is stored, and it comes back byte for byte, also when one text holds the other."""
    outbox, turns = SqliteOutbox(database), SqliteTurns(database)
    pairs = [("a", "a"), ("tea", "I like tea, too"), ("Assistant: x", "x"), ("", "only the answer"), ("é\n" * 50, "ё")]
    for number, (user, assistant) in enumerate(pairs):
        record = turn(exchange(f"e{number}", user, assistant), document=True)
        await turns.commit(record)
        (row,) = await outbox.due(NOON, 9)
        await outbox.close(row.id)

        assert row.document == record.document
