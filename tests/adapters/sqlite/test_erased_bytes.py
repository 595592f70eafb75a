"""P9: after an erase no byte of the text is in any file, also after a crash and after restoring an old back-up."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.cascade import EraseCascade
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.erasure.tombstones import Tombstone, append
from adapters.sqlite.items import ITEMS, SqliteItems
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import ensure_scope
from adapters.sqlite.search import PoolEmbedder
from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.eraser import ErasureTarget
from bot.ports.memory_store import Selector
from bot.turn import Trace
from harness.archives import export_to
from harness.samples import HERE, NOON, SCOPE, HeldClock, WordEmbedder, exchange, item, message, question, turn
from tests.postgres import ONE_FILE

CANARY = "zanzibarfloodgate"
OTHER = Scope("tu43")
THERE = Address("telegram", 7, 43)


def grep(folder: Path, needle: str = CANARY) -> list[str]:
    """The files that hold the word, in any case."""
    return [
        file.name
        for file in sorted(folder.rglob("*"))
        if file.is_file() and needle.encode().lower() in file.read_bytes().lower()
    ]


def eraser_of(database: Database) -> SqliteEraser:
    """An eraser as production has it, search index included."""
    return SqliteEraser(database, HeldClock(), database.path.parent / "exports")


async def fill(database: Database) -> None:
    """Say the canary in every way that leaves something behind, among ordinary turns of two scopes."""
    turns, journal = SqliteTurns(database), SqliteJournal(database)

    async def say(number: int) -> None:
        scope, address = ((SCOPE, HERE), (OTHER, THERE))[number % 2]
        secret = scope == SCOPE and number % 8 == 0
        text = f"The word of day {number} is {CANARY}{number}." if secret else f"An ordinary line, number {number}."
        entry = await journal.accept(message(text, number, address=address))
        assert entry is not None
        session = await turns.session(address)
        quoted = Recalled("turn:e0:user", f"… {CANARY}0", Channel.TURN, 1.0, exchange="e0")
        record = turn(
            exchange(f"e{number}", text, f"I see: {text}", session=session, scope=scope),
            closes=(entry,),
            scope=scope,
            address=address,
            parts=(f"I see: {text}",),
            items=(item(text, exchange=f"e{number}"),),
            trace=Trace(memories=(quoted,)) if scope == SCOPE else None,
            document=True,
        )
        committed = await turns.commit(record)
        if not secret or committed.exchange_id is None:
            return
        if said := await turns.history(scope, session.id, 9):  # none where another summary stands for it by now
            await turns.summarise(await turns.session(address), f"They spoke of {CANARY}.", said)

    await asyncio.gather(*(say(number) for number in range(40)))
    poison = await journal.accept(message(f"poison {CANARY}", 1000))
    assert poison is not None
    await journal.abandon(poison.id, "failed 5 times")
    await PoolEmbedder(database, WordEmbedder(), (ITEMS,)).embed_missing(100)
    for scope in (SCOPE, OTHER):
        export_to(database, scope, database.path.parent / "exports" / f"{scope.tag}-20260207-143015.zip", NOON)


@ONE_FILE
async def test_an_erased_scope_leaves_no_byte(database: Database) -> None:
    """Database, log, index, export: nothing; the other scope keeps everything.

    Mutation check: without the rewrite, without the full-text merge, or without the checkpoint there are hits.
    """
    await fill(database)
    before = grep(database.path.parent)
    receipt = await eraser_of(database).erase_scope(SCOPE)
    found = await SqliteItems(database, WordEmbedder(), HeldClock()).items(OTHER, question("ordinary line"))

    assert "mneme.db" in before or "mneme.db-wal" in before
    assert receipt.residue == ()
    assert receipt.exchanges == 20
    assert grep(database.path.parent) == []
    assert [file.name for file in (database.path.parent / "exports").iterdir()] == ["tu43-20260207-143015.zip"]
    assert len(found) == 20


@ONE_FILE
async def test_an_erased_exchange_leaves_no_byte(database: Database) -> None:
    """One exchange of many: after the clean-up its word is gone from every file, the others stay."""
    await fill(database)
    receipt = await eraser_of(database).erase_exchanges(SCOPE, ("e8",))
    await eraser_of(database).clean()

    assert receipt.residue == ()
    assert grep(database.path.parent, f"{CANARY}8") == []
    assert grep(database.path.parent, f"{CANARY}16") != []


@ONE_FILE
async def test_the_message_behind_an_apology_goes_with_it(database: Database) -> None:
    """A message that was set aside keeps its payload for the operator; erasing its turn takes that."""
    turns, journal = SqliteTurns(database), SqliteJournal(database)
    entry = await journal.accept(message(f"poison {CANARY}", 5))
    assert entry is not None
    await journal.abandon(entry.id, "failed 5 times")
    session = await turns.session(HERE)
    apology = exchange("e5", "something failed", "I am sorry.", session=session)
    await turns.commit(turn(apology, closes=(entry,)))
    before = grep(database.path.parent)
    await eraser_of(database).erase_exchanges(SCOPE, ("e5",))
    await eraser_of(database).clean()

    assert before != []
    assert grep(database.path.parent) == []


@ONE_FILE
async def test_an_item_that_was_edited_leaves_no_byte_of_any_version(database: Database) -> None:
    """What an edit replaced is kept for the history and goes with the memory."""
    items = SqliteItems(database, WordEmbedder(), HeldClock())
    turns = SqliteTurns(database)
    told = item(f"The word is {CANARY}", exchange="e1")
    await turns.commit(turn(exchange("e1", f"Hello there. The word is {CANARY}. My cat is called Tom."), items=(told,)))
    first = (await items.page(SCOPE, Selector.ALL)).items[0].id
    for number in range(3):
        await items.edit(SCOPE, first, f"The word is {CANARY}{number}", HeldClock().now(), Author(42, "Anna"))
    await items.edit(SCOPE, first, "The word is forgotten", HeldClock().now(), Author(42, "Anna"))
    kept = grep(database.path.parent)
    receipt = await eraser_of(database).erase(SCOPE, ErasureTarget(items=(first,)))
    await eraser_of(database).clean()

    assert kept != []
    assert receipt.residue == ()
    assert grep(database.path.parent) == []


_OF_NO_SCOPE = {
    "meta": "facts about the file",
    "scopes": "names of scopes, and how often each was erased",
    "schema_versions": "names of parts of the schema",
    "tombstones": "names of erases",
    "places": "where chats are",
    "pairing_codes": "hashes",
    "usage": "days, models and sums",
    "learning": "the kind of error that learning failed with",
    "approved_tools": "the operator's choice of tools",
    "chat_settings": "what a chat has set, which is no memory",
    "journal": "by chat and not by scope: test_an_erased_scope_leaves_no_byte fills it",
}


@ONE_FILE
async def test_an_erase_covers_every_table_there_is(database: Database) -> None:
    """A row of words in each table that the file says it has: an erased scope leaves none but in those named above.

    Mutation check: without the words of documents among the deleted, the receipt says so and their table is named here.
    """
    scope_no = await database.write(lambda connection: ensure_scope(connection, SCOPE))
    tables = await database.write(lambda connection: fill_every_table(connection, scope_no))
    receipt = await eraser_of(database).erase_scope(SCOPE)
    left = await database.read(
        lambda connection: [
            table
            for table in tables
            if any(CANARY in str(row) for row in connection.execute(f"SELECT * FROM {table}"))  # noqa: S608 - ours
        ]
    )

    assert len(tables) > len(_OF_NO_SCOPE)
    assert receipt.residue == ()
    assert left == []


def fill_every_table(connection: sqlite3.Connection, scope_no: int) -> list[str]:
    """Add a row of the scope to every table that may hold words, full-text ones included; return their names."""
    masters = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    virtual = [name for name, sql in masters if sql.startswith("CREATE VIRTUAL")]
    shadows = ("sqlite_", *(f"{name}_" for name in virtual))
    filled = []
    for table in (name for name, _ in masters if not name.startswith(shadows) and name not in _OF_NO_SCOPE):
        columns = [row[1:3] for row in connection.execute(f"PRAGMA table_info({table})")]
        if all(kind in {"INTEGER", "REAL"} for _, kind in columns):
            continue
        numbers = {"scope_no": scope_no, "rowid": scope_no << 32 | 7}
        names = [name for name, _ in columns] + ["rowid"] * (table in virtual)
        kinds = dict(columns)
        values = [
            numbers.get(name, scope_no << 32 | 7)
            if kinds.get(name, "INTEGER") == "INTEGER"
            else {"REAL": 0.0, "BLOB": CANARY.encode()}.get(kinds[name], f'["{CANARY}"]')
            for name in names
        ]
        marks = ", ".join("?" * len(names))
        connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", values)  # noqa: S608 - ours
        filled.append(table)
    return filled


@ONE_FILE
async def test_scrubbing_reaches_every_full_text_table_there_is(database: Database) -> None:
    """Whatever tables for words the file says it has: of a deleted row among others nothing stays in their indexes.

    The word is looked for without its beginning, which an index leaves out where the word before it has it.
    Mutation check: with one table left out of ``_merge_words`` its data is named here.
    """
    tables = await database.read(
        lambda connection: [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'")
        ]
    )
    for table in tables:
        for rowid, words in enumerate(("another line", f"the word is {CANARY}", "an ordinary line")):
            await database.write(
                lambda opened, table=table, row=(rowid, words): (
                    opened.execute(  # type: ignore[misc]  # bound at once
                        f"INSERT INTO {table} (rowid, head) VALUES (?, ?)",  # noqa: S608 - a name of the schema
                        row,
                    ).rowcount
                )
            )
        await database.write(
            lambda opened, table=table: opened.execute(f"DELETE FROM {table} WHERE rowid = 1").rowcount  # type: ignore[misc]  # noqa: S608 - as above
        )
    before = grep(database.path.parent, CANARY[3:])
    await database.scrub()
    left = await database.read(
        lambda connection: [
            table
            for table in tables
            if any(CANARY[3:].encode() in row[0] for row in connection.execute(f"SELECT block FROM {table}_data"))  # noqa: S608 - as above
        ]
    )

    assert len(tables) > 1
    assert before != []
    assert left == []


@ONE_FILE
async def test_an_erase_cut_off_by_a_crash_is_completed(database: Database) -> None:
    """The tombstone was written, the rows were not yet erased: the next start does it."""
    await fill(database)
    upto = await database.read(
        lambda connection: connection.execute(
            "SELECT exchange_seq, item_seq FROM scopes WHERE tag = ?", (SCOPE.tag,)
        ).fetchone()
    )
    append(database.path.with_name("tombstones.jsonl"), Tombstone(SCOPE, None, upto))
    append(database.path.with_name("tombstones.jsonl"), Tombstone(OTHER, ("e1",)))
    completed = await eraser_of(database).resume()
    again = await eraser_of(database).resume()
    await eraser_of(database).clean()

    assert (completed, again) == (2, 0)
    assert grep(database.path.parent) == []
    assert grep(database.path.parent, "number 1.") == []
    assert grep(database.path.parent, "number 3.") != []


@ONE_FILE
async def test_cleaning_cut_off_by_a_crash_is_completed(database: Database) -> None:
    """The rows are gone, their last bytes are not yet: the clean-up after the next start takes them."""
    await fill(database)
    eraser = eraser_of(database)
    await database.write(
        lambda connection: EraseCascade(connection, ROOMS, SCOPE, ensure_scope(connection, SCOPE)).erase_scope(0.0)
    )
    await database.write(lambda connection: connection.execute("INSERT INTO meta VALUES ('clean', 'due')").rowcount)
    shutil.rmtree(database.path.parent / "exports")
    before = grep(database.path.parent)
    await eraser.resume()
    await eraser.clean()

    assert before != []
    assert grep(database.path.parent) == []


@ONE_FILE
async def test_an_old_back_up_brings_nothing_back(database: Database) -> None:
    """The tombstone log outlives the file: what was erased after the back-up is erased again when it is restored."""
    await fill(database)
    await database.checkpoint()
    backup = await asyncio.to_thread(database.path.read_bytes)
    await eraser_of(database).erase_scope(SCOPE)
    await database.close()
    await asyncio.to_thread(database.path.write_bytes, backup)
    restored = Database(database.path, ROOMS)
    await restored.open()
    brought_back = grep(database.path.parent)
    await eraser_of(restored).resume()

    assert brought_back != []
    assert grep(database.path.parent) == []
    await restored.close()


async def test_an_erase_made_good_later_ends_exactly_where_it_ended(database: Database) -> None:
    """Exchanges and items have numbers of their own: what was said and noted after it stays, what came before goes."""
    turns = SqliteTurns(database)
    for number in range(1, 5):
        items = (item(f"fact {number}", exchange=f"e{number}"),) if number in {1, 4} else ()
        await turns.commit(turn(exchange(f"e{number}", f"line {number}"), items=items))
    append(database.path.with_name("tombstones.jsonl"), Tombstone(SCOPE, None, (3, 1, 0)))
    eraser = eraser_of(database)
    missed = [await eraser.resume(), await eraser.resume()]
    left = await database.read(
        lambda connection: (
            connection.execute("SELECT uid FROM exchanges").fetchall(),
            connection.execute("SELECT content FROM items").fetchall(),
        )
    )

    assert missed == [1, 0]
    assert left == ([("e4",)], [("fact 4",)])


async def test_a_lost_list_of_erases_costs_nothing_said_later(database: Database) -> None:
    """Applying an old tombstone again erases up to its numbers, not what came after it."""
    await fill(database)
    eraser = eraser_of(database)
    await eraser.erase_scope(SCOPE)
    turns = SqliteTurns(database)
    committed = await turns.commit(turn(exchange("new", "said after the erase", said_at=NOON.replace(hour=20))))
    await database.write(lambda connection: connection.execute("DELETE FROM tombstones").rowcount)
    await eraser.resume()
    session = await turns.session(HERE)

    assert [one.id for one in await turns.history(SCOPE, session.id, 9)] == [committed.exchange_id]


@ONE_FILE
@pytest.mark.parametrize(
    "torn", [b'{"uid": "x", "sco', b"\xff\xfe\n", b"[]\n", b'{"uid":"x","scope":"","exchanges":null}\n']
)
async def test_a_torn_tombstone_is_passed_over(database: Database, torn: bytes) -> None:
    """A line that was cut off by a crash stops neither the start nor the next erase."""
    log = database.path.with_name("tombstones.jsonl")
    log.write_bytes(torn)
    await fill(database)
    await eraser_of(database).resume()
    await eraser_of(database).erase_scope(SCOPE)
    await database.write(lambda connection: connection.execute("DELETE FROM tombstones").rowcount)

    assert await eraser_of(database).resume() == 1


async def test_caches_are_told(database: Database) -> None:
    """Every erase calls the given listeners with its scope and changes the scope's epoch."""
    told: list[Scope] = []
    await fill(database)
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "items", erased=(told.append,))
    epoch = ("SELECT epoch FROM scopes WHERE tag = ?", (SCOPE.tag,))
    epochs = [await database.fetch_one(*epoch)]
    await eraser.erase_exchanges(SCOPE, ("e0",))
    epochs.append(await database.fetch_one(*epoch))
    await eraser.erase_scope(SCOPE)
    epochs.append(await database.fetch_one(*epoch))

    assert told == [SCOPE, SCOPE]
    assert epochs == sorted(set(epochs))
