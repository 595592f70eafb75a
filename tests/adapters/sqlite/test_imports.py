"""Imported exchanges in the store: each once, beside live turns, and gone when they are erased."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.imported import SqliteImports
from bot.errors import ImportRefused
from bot.memory.items import MemoryItem, Origin, Part, Provenance, Trust
from bot.memory.learning.statements import extract_items
from bot.messages import Author
from bot.ports.eraser import ErasureTarget
from bot.ports.transfer import ImportedExchange, ImportProgress
from bot.turn import Exchange, IndexDocument
from harness.samples import SCOPE, HeldClock, exchange, turn

BEGIN = datetime(2023, 2, 7, 14, 30, tzinfo=UTC)


def store_of(database: Database) -> SqliteImports:
    """The store as production has it."""
    return SqliteImports(database, now=HeldClock().now)


def imported(number: int, text: str, author: str = "", *, talk: str = "first") -> ImportedExchange:
    """Return a message of a file, of the user or of ``author``, with its document and what is learned from it."""
    said = Exchange(
        scope=SCOPE,
        uid=f"i{number:024x}",
        session_id=0,
        author=Author(42, "Bob", Trust.OWNER),
        user_text="" if author else text,
        assistant_text="",
        said_at=BEGIN + timedelta(minutes=number),
        parts=(Part(Origin.FORWARDED, text, author),) if author else (),
    )
    return ImportedExchange(said, _learn(said), IndexDocument.from_exchange(said), talk)


def _learn(said: Exchange) -> tuple[MemoryItem, ...]:
    origin = Provenance(42, "Bob", "import", Trust.OWNER, said.said_at, said.uid)
    return extract_items(user_text=said.user_text, provenance=origin)


BATCH = (
    imported(1, "My sister Vera lives in Porto."),
    imported(2, "My brother Paul lives in Rome.", "Anna"),
    imported(3, "The museum opens at nine in winter.", talk="second"),
)
TABLES = ("exchanges", "items", "outbox", "sessions", "recall_utterances", "item_sources")


async def count(database: Database) -> dict[str, int]:
    """Return how many rows each table has that an import writes."""
    return await database.read(
        lambda connection: {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - names of our tables
            for name in TABLES
        }
    )


async def test_importing_again_adds_nothing(database: Database) -> None:
    """Not an exchange, not an item, not a document, not a session; and a batch that is half known is filled up."""
    store = store_of(database)
    begun = ImportProgress()
    first = await store.add(SCOPE, BATCH[:1], begun)
    rest = await store.add(SCOPE, BATCH, begun)
    before = await count(database)
    again = await store.add(SCOPE, BATCH, ImportProgress())

    assert (first.added, rest.added, rest.known, again.added, again.known) == (1, 2, 1, 0, 3)
    assert before["exchanges"] == before["recall_utterances"] == before["outbox"] == 3
    assert before["items"] == 1
    assert await count(database) == before


async def test_a_live_conversation_is_left_alone(database: Database) -> None:
    """Its open session, its history and what /why explains stay; nothing waits to be learned from by a model."""
    turns = SqliteTurns(database)
    live = turn(exchange("e0", "The kettle is blue."))
    await turns.commit(live)
    session, last = await turns.session(live.address), await turns.last(live.address)
    await store_of(database).add(SCOPE, BATCH, ImportProgress())

    assert await turns.session(live.address) == session
    assert await turns.last(live.address) == last
    assert len(await turns.history(SCOPE, session.id, 10)) == 1
    assert await turns.close_idle(BEGIN + timedelta(days=9999)) == ((live.address, session.id),)
    queued = await database.read(
        lambda connection: connection.execute(
            "SELECT count(*) FROM learning JOIN exchanges USING (session_id) WHERE uid LIKE 'i0%'"
        ).fetchone()[0]
    )
    assert queued == 0


async def test_what_was_forgotten_by_itself_stays_so_and_an_erase_of_all_can_be_taken_back_by_the_file(
    database: Database,
) -> None:
    """Everything derived from an imported exchange goes with it; after /forget all a new import is a new wish."""
    store, clock = store_of(database), HeldClock()
    eraser = SqliteEraser(database, clock, database.path.parent / "items")
    await store.add(SCOPE, BATCH, ImportProgress())
    await eraser.erase(SCOPE, ErasureTarget(exchanges=(BATCH[0].exchange.uid,)))
    left = await count(database)
    again = await store.add(SCOPE, BATCH, ImportProgress())

    assert (left["exchanges"], left["items"], left["recall_utterances"]) == (2, 0, 2)
    assert (again.added, again.known, again.forgotten) == (0, 2, 1)

    await eraser.erase_scope(SCOPE)
    assert (await count(database))["exchanges"] == 0
    back = await store.add(SCOPE, BATCH, ImportProgress())
    assert (back.added, back.forgotten) == (2, 1)


async def test_an_older_statement_of_a_file_does_not_replace_a_newer_one(database: Database) -> None:
    """What was said last holds, in whichever order it came in."""
    store = store_of(database)
    await store.add(SCOPE, [imported(9, "My dentist is Dr. Silva.")], ImportProgress())
    await store.add(SCOPE, [imported(1, "My dentist is Dr. Almeida.")], ImportProgress())
    valid = await database.read(
        lambda connection: connection.execute("SELECT content FROM items WHERE superseded_by IS NULL").fetchall()
    )

    assert [content for (content,) in valid] == ["My dentist is Dr. Silva."]


async def test_a_reply_keeps_what_it_replies_to_and_an_edited_message_gets_a_new_version(database: Database) -> None:
    """The quotation is believed as its author is; the new version is found, the old one is history; twice is once."""
    store = store_of(database)
    reply = replace(imported(4, "No, in Braga.", "Anna"), answers=BATCH[0].exchange.uid)
    edited = replace(imported(1, "My sister Vera lives in Braga."), edited=True)
    await store.add(SCOPE, [*BATCH, reply], ImportProgress())
    first = await store.add(SCOPE, [edited], ImportProgress())
    again = await store.add(SCOPE, [edited], ImportProgress())
    twice = replace(imported(1, "My sister Vera lives in Evora."), edited=True)
    third = await store.add(SCOPE, [twice], ImportProgress())
    rows = await database.read(
        lambda connection: connection.execute("SELECT uid, user_text, replaced_by IS NULL FROM exchanges").fetchall()
    )
    valid = await database.read(
        lambda connection: connection.execute("SELECT content FROM items WHERE superseded_by IS NULL").fetchall()
    )
    (parts,) = await database.read(
        lambda connection: connection.execute("SELECT parts FROM exchanges WHERE user_text LIKE 'No,%'").fetchone()
    )

    assert (first.added, again.added, third.added) == (1, 0, 1)
    assert [text for _, text, holds in rows if holds and "Vera" in text] == ["My sister Vera lives in Evora."]
    assert len([text for _, text, _ in rows if "Vera" in text]) == 3
    assert ["Vera" in content and "Evora" in content for (content,) in valid] == [True]
    assert '"origin":"quoted"' in parts
    assert "lives in Porto" in parts


async def test_messages_of_two_accounts_that_have_one_number_are_two(database: Database) -> None:
    """Telegram numbers messages by account: a second account's file is neither known nor an edit; repeated it is.

    Unmended the second file was "known", and what was marked as edited took the place of the first account's words.
    """
    store = store_of(database)
    later = timedelta(days=30)

    def of_another(number: int, text: str, *, edited: bool = False, answers: str = "") -> ImportedExchange:
        one = imported(number, text, talk="other account")
        said = replace(one.exchange, said_at=one.exchange.said_at + later)
        return replace(one, exchange=said, edited=edited, answers=answers)

    file = [
        of_another(1, "The boiler was mended on Monday."),
        of_another(2, "The rent goes up in May.", edited=True),
        of_another(4, "That is what the landlord says.", answers=BATCH[1].exchange.uid),
    ]
    await store.add(SCOPE, BATCH, ImportProgress())
    added = await store.add(SCOPE, file, ImportProgress())
    before = await count(database)
    again = await store.add(SCOPE, [*BATCH, *file], ImportProgress())
    rows = await database.read(
        lambda connection: connection.execute(
            "SELECT user_text, parts FROM exchanges WHERE replaced_by IS NULL"
        ).fetchall()
    )

    assert (added.added, again.added) == (3, 0)
    assert await count(database) == before
    assert len(rows) == 6
    [(_, quoted)] = [row for row in rows if "landlord" in row[0]]
    assert "The rent" in quoted


async def test_an_import_whose_job_is_gone_stores_nothing(database: Database) -> None:
    """Cancelled, or erased with its memory, in the transaction itself.

    Mutation check: without the look at the job's row the batch is stored.
    """
    with pytest.raises(ImportRefused, match="cancelled"):
        await store_of(database).add(SCOPE, BATCH, ImportProgress(job="gone"))
    assert (await count(database))["exchanges"] == 0
