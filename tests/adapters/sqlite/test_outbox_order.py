"""The outbox keeps a column for the head of every scope: random work must never leave it wrong."""

from __future__ import annotations

import random
import sqlite3
from datetime import timedelta

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rows.codec import ensure_scope
from adapters.sqlite.rows.outbox import enqueue_document, withdraw_document
from bot.memory.scope import Scope
from bot.ports.rag import DeadLetter
from bot.turn import IndexDocument
from harness.samples import NOON, exchange, turn
from tests.adapters.rag.memory_outbox import MemoryOutbox

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
                lambda connection, one=document: enqueue_document(  # type: ignore[misc]  # a default binds the loop's value
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
                lambda connection, source=name: enqueue_document(  # type: ignore[misc]  # a default binds the loop's value
                    connection, ensure_scope(connection, scope), source, "text"
                )
            )

    await queue("a", "b")
    await database.write(lambda connection: withdraw_document(connection, ensure_scope(connection, scope), "a"))
    order = []
    while rows := await outbox.due(NOON, 9):
        order.append((rows[0].document.source, rows[0].erase))
        await outbox.close(rows[0].id)

    assert order == [("b", False), ("a", True)]


async def test_a_withdrawn_head_makes_room_for_what_is_behind_it(database: Database) -> None:
    """The next document of the scope is due at once, and a dead letter comes back as the head that it was."""
    outbox = SqliteOutbox(database)
    scope_no = await database.write(lambda connection: ensure_scope(connection, Scope("tu1")))
    for source in ("a", "b"):
        await database.write(lambda connection, one=source: enqueue_document(connection, scope_no, one, "text"))  # type: ignore[misc]  # a default binds the loop's value
    (head,) = await outbox.due(NOON, 9)
    await outbox.bury(head.id, "rejected")
    await database.write(lambda connection: withdraw_document(connection, scope_no, "b"))
    behind = await outbox.due(NOON, 9)
    revived = await outbox.revive()

    assert [(row.document.source, row.erase) for row in behind] == [("b", True)]
    assert revived == 1
    assert [row.document.source for row in await outbox.due(NOON, 9)] == ["a"]


async def test_dead_letters_are_listed_with_all_that_is_known(database: Database) -> None:
    """Newest first, at most fifty unless more are asked for: name, scope, whether an erase, attempts, last reason."""
    outbox, scope = SqliteOutbox(database), Scope("tu1")
    for number in range(51):
        await database.write(
            lambda connection, one=number: enqueue_document(  # type: ignore[misc]  # a default binds the loop's value
                connection, ensure_scope(connection, scope), f"d{one}", "", erase=one == 50
            )
        )
        (row,) = await outbox.due(NOON, 9)
        if number == 50:
            for _ in range(3):
                await outbox.retry(row.id, NOON, "HTTP 503")
        await outbox.bury(row.id, f"reason {number}")
    listed, every = await outbox.list_dead(), await outbox.list_dead(99)

    assert len(listed) == 50
    assert len(every) == 51
    assert listed[0] == DeadLetter(row.id, "tu1", "d50", erase=True, attempts=3, reason="reason 50")
    assert (listed[1].source, listed[1].erase, listed[1].attempts, listed[1].reason) == ("d49", False, 0, "reason 49")


async def test_a_waiting_document_repeats_nothing_of_its_exchange(database: Database) -> None:
    """While long-term memory is away the file holds every text once, whichever of the two is part of the other."""
    user, assistant = "I have grown tomatoes " * 40, "Then water them in the morning. " * 40
    record = turn(exchange("e1", user, assistant), document=True)
    await SqliteTurns(database).commit(record)
    (stored,) = await database.read(lambda connection: connection.execute("SELECT text FROM outbox").fetchone())
    (row,) = await SqliteOutbox(database).due(NOON, 9)

    assert row.document == record.document
    assert "tomatoes" not in stored
    assert "water" not in stored


async def test_the_longer_text_is_the_one_that_is_not_repeated(database: Database) -> None:
    """A word that stands in the other's text first must not keep that text from being found."""

    async def stored(said: tuple[str, str]) -> list[str]:
        def queue(connection: sqlite3.Connection) -> list[str]:
            scope_no = ensure_scope(connection, Scope("tu1"))
            enqueue_document(connection, scope_no, "d", "I like tea, too", exchange_id=1, said=said)
            return [row[0] for row in connection.execute("DELETE FROM outbox RETURNING text")]

        return await database.write(queue)

    assert await stored(("tea", "I like tea, too")) == ["\x02"]
    assert await stored(("I like tea, too", "tea")) == ["\x01"]


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
