"""P16: a damaged file costs what cannot be read, never the rest, and nothing is deleted."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.outbox import SqliteOutbox
from bot.errors import StorageDamaged
from bot.memory.scope import Scope
from harness.samples import NOON, SCOPE, HeldClock, WordEmbedder, exchange, item, message, question, turn
from tests.adapters.sqlite.old_stores import UNINDEXED, make_first_schema
from tests.postgres import ONE_FILE

SEED = 20260207
TURNS = 150
PAGE = 4096
ROWS = 13
"""The first byte of a page that holds rows of a table, not where they stand (file format, section 1.6)."""


@pytest.fixture
async def path(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed file with 150 turns in three scopes, and what lies beside it: made once, and copied."""
    made = tmp_path_factory.getbasetemp() / "three scopes"
    if not made.exists():
        await make(made)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "mneme.db"


async def make(folder: Path) -> None:
    """Make the file that tests copy."""
    database = Database(folder / "mneme.db", UNINDEXED)
    await database.open()
    turns = SqliteTurns(database)
    records = []
    for number in range(TURNS):
        scope = Scope(f"tu{42 + number % 3}")
        said = exchange(f"e{number}", f"statement number {number} " + "and so on " * 20, scope=scope)
        records.append(turn(said, scope=scope, items=(item(f"fact {number}", exchange=said.uid),), document=True))
    await asyncio.gather(*(turns.commit(record) for record in records))
    await SqliteJournal(database).accept(message("still open", 9))
    await database.close()


def content_of(path: Path) -> bytes:
    """The bytes of a file."""
    return path.read_bytes()


def write(path: Path, content: bytes | bytearray) -> None:
    """Put a file of these bytes in the place of the database and of all that lies beside it."""
    path.write_bytes(content)


def kept_aside(path: Path) -> list[Path]:
    """The damaged files that were set aside."""
    return [file for file in path.parent.glob("mneme.db.damaged-*") if not file.name.endswith(("-wal", "-shm"))]


async def exchanges(database: Database) -> int:
    """How many exchanges can be read."""
    return await database.read(
        lambda connection: int(connection.execute("SELECT count(*) FROM exchanges").fetchone()[0])
    )


async def usable(path: Path) -> tuple[Database, int]:
    """Open the file, use everything once, and return it with its number of exchanges."""
    database = Database(path, UNINDEXED)
    await database.open()
    count = await exchanges(database)
    turns = SqliteTurns(database)
    entry = await SqliteJournal(database).accept(message("after", 999_999))
    assert entry is not None
    await turns.commit(turn(exchange("after", "after the damage"), closes=(entry,), document=True))
    await turns.rebuild()
    await SqliteItems(database, WordEmbedder(), HeldClock()).items(SCOPE, question("fact"))
    await SqliteOutbox(database).due(NOON, 10)
    verdict = await database.read(lambda connection: connection.execute("PRAGMA quick_check").fetchone()[0])
    assert verdict == "ok"
    return database, count


async def test_an_intact_file_has_no_problems(path: Path) -> None:
    """Nothing is set aside without a reason."""
    database, count = await usable(path)

    assert database.problems == ()
    assert count == TURNS
    assert kept_aside(path) == []
    await database.close()


async def test_destroyed_pages_cost_only_what_was_on_them(path: Path) -> None:
    """One page after another is overwritten: nearly all turns survive, the file stays, the operator is told."""
    chance = random.Random(SEED)
    original = content_of(path)
    pages = [original[start : start + PAGE] for start in range(0, len(original), PAGE)]
    lower = [number for number, page in enumerate(pages) if page[0] == ROWS and b"CREATE " not in page]
    for page in chance.sample(lower, 6):
        for file in path.parent.glob("mneme.db*"):
            file.unlink()
        damaged = bytearray(original)
        damaged[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
        write(path, damaged)
        database, count = await usable(path)
        problems = database.problems
        await database.close()

        assert count >= TURNS - 20, f"seed {SEED}, page {page}"
        if problems:
            (aside,) = kept_aside(path)
            assert aside.read_bytes() == bytes(damaged)
            assert aside.name in problems[0]
            assert "rows were recovered" in problems[0]


def list_upper_pages(path: Path) -> dict[str, int]:
    """Where tables begin, and the list of tables, by name."""
    opened = sqlite3.connect(path)
    try:
        roots = dict(opened.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0"))
    finally:
        opened.close()
    wanted = ("exchanges", "items", "item_sources", "scopes", "journal", "outbox", "items_fts_data", "sqlite_sequence")
    content = content_of(path)
    listed = {
        f"list of tables at {at}": at // PAGE + 1
        for at in range(0, len(content), PAGE)
        if b"CREATE " in content[at : at + PAGE]
    }
    return {name: roots[name] for name in wanted} | listed


async def test_a_destroyed_upper_page_costs_nothing_below_it(path: Path) -> None:
    """Where tables begin, or where that is written, is destroyed: every exchange and item is still there, and in order.

    Red while rows were reached from the top alone: any page of the list of tables emptied the whole memory.
    """
    original = content_of(path)
    copy = path.with_name("mneme.db.schema").read_bytes()
    for name, page in list_upper_pages(path).items():
        for file in path.parent.glob("mneme.db*"):
            file.unlink()
        path.with_name("mneme.db.schema").write_bytes(copy)
        damaged = bytearray(original)
        damaged[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
        write(path, damaged)
        database, count = await usable(path)
        kept = await database.read(
            lambda opened: [
                opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - two names of this test
                for table in ("items", "item_sources")
            ]
        )
        assert name != "journal" or database.problems
        await database.close()

        assert (count, *kept) == (TURNS, TURNS, TURNS), name
        assert len(kept_aside(path)) == bool(database.problems), name


async def test_rows_are_known_by_their_looks_where_nothing_says_whose_they_are(path: Path) -> None:
    """Without the list of tables and without its copy, what was said and what was learned is found all the same."""
    path.with_name("mneme.db.schema").unlink()
    damaged = bytearray(content_of(path))
    for name, page in list_upper_pages(path).items():
        if "list" in name:
            damaged[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    write(path, damaged)
    database, count = await usable(path)
    items = await database.read(lambda opened: opened.execute("SELECT count(*) FROM items").fetchone()[0])
    await database.close()

    assert (count, items) == (TURNS, TURNS)


async def test_a_schema_that_can_be_read_and_is_not_ours_is_damage(path: Path) -> None:
    """A word of it, or a byte at the head of the file, that SQLite does not mind: every write would fail for ever."""
    original, copy = content_of(path), path.with_name("mneme.db.schema").read_bytes()
    spoilt = {
        "a column's name": original.replace(b"assistant_text TEXT", b"assistant_texu TEXT"),
        "who may write": original[:18] + b"\x03" + original[19:],
        "the encoding": original[:56] + b"\x00\x00\x00\x02" + original[60:],
    }
    for name, damaged in spoilt.items():
        for file in path.parent.glob("mneme.db*"):
            file.unlink()
        path.with_name("mneme.db.schema").write_bytes(copy)
        write(path, damaged)
        database, count = await usable(path)
        await database.close()

        assert (count, len(database.problems)) == (TURNS, 1), name


async def test_a_command_beside_a_running_mneme_leaves_the_file_to_it(path: Path) -> None:
    """Two that recover one file would each go on with their own.  Red while anybody who opened it replaced it."""
    page = content_of(path).index(b"statement number 120 ") // PAGE
    holds = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('DELETE FROM held'); print(); input()"
    command = (sys.executable, "-c", holds, str(path))
    other = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert other.stdin is not None
    assert other.stdout is not None
    await other.stdout.readline()
    damaged = content_of(path)[: page * PAGE] + bytes(PAGE) + content_of(path)[(page + 1) * PAGE :]
    with path.open("r+b") as file:
        file.write(damaged)
    with pytest.raises(StorageDamaged, match="another process uses it"):
        await Database(path, UNINDEXED).open()
    untouched = content_of(path) == damaged
    other.stdin.close()
    await other.wait()
    database, count = await usable(path)
    await database.close()

    assert untouched
    assert 0 < count < TURNS


async def test_what_was_lost_is_named(path: Path) -> None:
    """The exchanges of a destroyed page are named by an index that still knows them."""
    damaged = bytearray(content_of(path))
    page = damaged.index(b"statement number 120 ") // PAGE
    damaged[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    write(path, damaged)
    database, count = await usable(path)
    await database.close()
    (problem,) = database.problems
    named = problem.partition("lost exchanges: ")[2].partition(";")[0].split(", ")

    assert "tu42 e120" in named
    assert len(named) == TURNS - count


async def test_a_torn_tail_keeps_what_came_before(path: Path) -> None:
    """A file whose end is lost gives back what was in its first part.

    Red while a hole between the rows of two scopes used up the tries: half of the turns that could be read came back.
    """
    content = content_of(path)
    write(path, content[: len(content) * 9 // 10])
    database, count = await usable(path)

    assert len(database.problems) == 1
    assert count > TURNS * 0.5
    assert len(kept_aside(path)) == 1
    await database.close()


async def test_flipped_bits_never_stop_the_start(path: Path) -> None:
    """Whatever single bytes flip, the store opens and works.

    Red while the start did not compare tables with their indexes: the fifth file failed when it was read.
    """
    chance = random.Random(SEED)
    original = content_of(path)
    for _ in range(6):
        for file in path.parent.glob("mneme.db*"):
            file.unlink()
        damaged = bytearray(original)
        for _ in range(20):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        write(path, damaged)
        database, count = await usable(path)
        await database.close()

        assert count >= TURNS * 0.3 or b"SQLite format 3" not in damaged[:16], f"seed {SEED}"


@pytest.mark.parametrize(
    "content", [b"not a database at all", b"\x00" * 50_000, b"SQLite format 3\x00" + b"\xff" * 9000]
)
async def test_rubbish_is_set_aside(tmp_path: Path, content: bytes) -> None:
    """Something that never was a database does not keep Mneme from starting with an empty one."""
    path = tmp_path / "mneme.db"
    write(path, content)
    database, count = await usable(path)

    assert count == 0
    assert len(database.problems) == 1
    assert kept_aside(path)[0].read_bytes() == content
    await database.close()


async def test_a_torn_log_keeps_what_was_complete(path: Path) -> None:
    """The write-ahead log may end in the middle of a transaction: the complete ones count."""
    database = Database(path, UNINDEXED)
    await database.open()
    turns = SqliteTurns(database)
    for number in range(20):
        await turns.commit(turn(exchange(f"late{number}", "written to the log")))
    log = path.with_name("mneme.db-wal")
    content, whole = log.read_bytes(), content_of(path)
    await database.close()
    write(path, whole)
    log.write_bytes(content[: len(content) // 2] + b"\x5a" * 3000)
    again, count = await usable(path)

    assert again.problems == ()
    assert TURNS < count < TURNS + 20
    await again.close()


async def test_an_interrupted_recovery_is_completed(path: Path) -> None:
    """A crash between building the new file and giving it the name loses neither."""
    write(path.with_name("mneme.db.recovered"), content_of(path))
    write(path, b"damaged beyond repair")
    database, count = await usable(path)

    assert count == TURNS
    assert "interrupted" in database.problems[0]
    assert kept_aside(path)[0].read_bytes() == b"damaged beyond repair"
    await database.close()


async def test_a_table_that_is_missing_is_damage(path: Path) -> None:
    """A file that lost a table is recovered instead of failing at every message."""
    database = Database(path, UNINDEXED)
    await database.open()
    await database.write(lambda connection: connection.execute("DROP TABLE journal").rowcount)
    await database.close()
    again, count = await usable(path)

    assert "without journal" in again.problems[0]
    assert count == TURNS
    await again.close()


async def test_names_are_never_given_twice_after_a_recovery(path: Path) -> None:
    """Journal numbers continue far beyond what may have been lost: exchanges are named after them."""
    content = bytearray(content_of(path))
    content[len(content) // 2 : len(content) // 2 + PAGE] = b"\xaa" * PAGE
    write(path, content)
    database = Database(path, UNINDEXED)
    await database.open()
    entry = await SqliteJournal(database).accept(message("first after", 10_000))

    assert entry is not None
    assert entry.id > 1_000_000
    await database.close()


@ONE_FILE
async def test_damage_met_while_running_is_looked_for_at_the_next_start(database: Database) -> None:
    """The caller learns that the file is damaged; the next start checks all of it and goes on."""
    await SqliteTurns(database).commit(turn(exchange("e0", "hello")))
    await database.write(lambda connection: connection.execute("DELETE FROM items_fts_data").rowcount)
    items = SqliteItems(database, WordEmbedder(), HeldClock())
    with pytest.raises(StorageDamaged, match="recovered"):
        await items.add(SCOPE, item("anything"))
    await database.close()
    again = Database(database.path, UNINDEXED)
    await again.open()
    recovered = SqliteItems(again, WordEmbedder(), HeldClock())
    await recovered.add(SCOPE, item("anything"))

    assert [one.content for one, _ in await recovered.items(SCOPE, question("anything"))] == ["anything"]
    await again.close()


async def test_a_schema_that_becomes_garbage_while_running_is_damage(path: Path) -> None:
    """SQLite quotes such a schema in a message that is no text; the caller learns what it means.

    Red while that was a UnicodeDecodeError of nobody's.
    """
    database = Database(path, UNINDEXED)
    await database.open()
    content = content_of(path).replace(b"tablemeta", b"table\xff\xfe\xfd\xff")
    write(path, content.replace(b"CREATE TABLE meta", b"\xff" * 17))
    with pytest.raises(StorageDamaged, match="recovered"):
        await exchanges(database)
    await database.recover()

    assert await exchanges(database) == TURNS
    await database.close()


async def test_a_text_that_is_none_any_more_is_damage(path: Path) -> None:
    """A flipped bit that makes a text unreadable costs a letter; the error says so and quotes nothing.

    Red while every look at the row failed for ever, with a message that held the text.
    """
    write(path, content_of(path).replace(b"statement number 120 ", b"statement number \xff20 "))
    database = Database(path, UNINDEXED)
    await database.open()
    texts = "SELECT user_text FROM exchanges WHERE uid = 'e120'"
    with pytest.raises(StorageDamaged, match="no text") as met:
        await database.read(lambda opened: opened.execute(texts).fetchone())
    await database.recover()
    (text,) = await database.read(lambda opened: opened.execute(texts).fetchone())
    count = await exchanges(database)
    await database.close()

    assert "statement" not in str(met.value)
    assert text.startswith("statement number \ufffd20 ")
    assert count == TURNS


async def test_rows_of_an_older_schema_are_recovered(tmp_path: Path) -> None:
    """A damaged file of an earlier version gives back its rows; columns that came later have their defaults."""
    path = tmp_path / "mneme.db"
    old = sqlite3.connect(path, isolation_level=None)
    make_first_schema(old, tmp_path)
    old.execute("INSERT INTO scopes (no, tag, exchange_seq) VALUES (1, 'tu42', 300)")
    old.execute("INSERT INTO places (no, key, door, bot_id, chat_id) VALUES (1, 'telegram:7:42', 'telegram', 7, 42)")
    for number in range(1, TURNS + 1):
        old.execute(
            "INSERT INTO exchanges (id, scope_no, uid, session_id, place_no, message_id, author_id, author_name, trust,"
            " user_text, assistant_text, said_at, said_offset, skill, synthetic, echo, source)"
            " VALUES (?, 1, ?, 1, 1, 0, 42, 'Anna', 3, ?, 'Noted.', 1.5, 0, '', 0, 0, '')",
            (1 << 32 | number, f"e{number}", f"statement number {number} " + "and so on " * 20),
        )
    old.close()
    damaged = bytearray(content_of(path))
    page = damaged.index(b"statement number 120 ") // PAGE
    damaged[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    write(path, damaged)
    database, count = await usable(path)
    parts = await database.read(lambda opened: opened.execute("SELECT DISTINCT parts FROM exchanges").fetchall())
    await database.close()

    assert TURNS - 20 <= count < TURNS
    assert parts == [("[]",)]
