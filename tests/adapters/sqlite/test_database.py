"""The database: grouped transactions, isolation of failures, errors in our own words."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from adapters.sqlite.connection import IMPATIENT_MS, PATIENT_MS
from adapters.sqlite.database import Database, patiently
from adapters.sqlite.rooms import ROOMS
from bot.errors import ConfigInvalid, StorageUnavailable
from tests.postgres import ONE_FILE

pytestmark = ONE_FILE


def insert(number: int) -> Callable[[sqlite3.Connection], int]:
    """Work that adds a number and returns it."""

    def work(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO scopes (no, tag) VALUES (?, ?)", (number, f"tu{number}"))
        return number

    return work


def numbers(connection: sqlite3.Connection) -> list[int]:
    """All numbers in order."""
    return [row[0] for row in connection.execute("SELECT no FROM scopes ORDER BY no")]


async def test_many_writers_share_transactions(database: Database) -> None:
    """64 at once all succeed with their own results, in far fewer transactions than writers."""
    statements: list[str] = []
    await database.write(lambda connection: connection.set_trace_callback(statements.append))
    results = await asyncio.gather(*(database.write(insert(number)) for number in range(64)))
    await database.write(lambda connection: connection.set_trace_callback(None))

    assert results == list(range(64))
    assert await database.read(numbers) == list(range(64))
    assert sum(statement == "COMMIT" for statement in statements) < 32


async def test_another_programs_transaction_is_waited_for_once(database: Database) -> None:
    """Every write meanwhile is refused without a long wait of its own, and waits again once one has got through.

    Red with each of a group tried again by itself, and with the same patience for every one.
    """
    statements: list[str] = []
    await database.write(lambda connection: connection.execute("PRAGMA busy_timeout = 1").fetchone())
    await database.write(lambda connection: connection.set_trace_callback(statements.append))
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused = await asyncio.gather(*(database.write(insert(number)) for number in range(9)), return_exceptions=True)
    attempts, impatient = statements.count("BEGIN IMMEDIATE"), statements.count(f"PRAGMA busy_timeout = {IMPATIENT_MS}")
    other.close()
    stored = await database.write(insert(9))
    await database.checkpoint()

    assert all(isinstance(each, StorageUnavailable) for each in refused)
    assert attempts < 9
    assert impatient == 1
    assert stored == 9
    assert statements.count(f"PRAGMA busy_timeout = {PATIENT_MS}") == 1


async def test_who_reads_hears_of_every_error_of_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is, it reaches who asked, and the next one reads.

    Red while only SQLite's errors did: the thread ended, and all that it had taken waited for ever.
    """
    refused = [ConfigInvalid("no address of a database"), ConfigInvalid("no address of a database")]
    opened = Database.open_reader

    def open_reader(database: Database) -> sqlite3.Connection:
        if refused:
            raise refused.pop()
        return opened(database)

    monkeypatch.setattr(Database, "open_reader", open_reader)
    async with Database(tmp_path / "read.db", ROOMS, readers=1) as database:
        for _ in range(2):
            with pytest.raises(ConfigInvalid):
                await database.fetch_one("SELECT 1")

        assert await database.fetch_one("SELECT 1") == (1,)


async def test_what_nobody_waits_for_shares_the_next_transaction(database: Database) -> None:
    """It costs no fsync of its own, is stored first and tells its result."""
    statements: list[str] = []
    await database.write(lambda connection: connection.set_trace_callback(statements.append))
    statements.clear()
    along = database.write_along(insert(1))
    await database.write(insert(2))
    await database.write(lambda connection: connection.set_trace_callback(None))

    assert await along == 1
    assert statements.count("COMMIT") == 1


async def test_work_beside_the_conversation_goes_to_the_disk_with_what_somebody_waits_for(database: Database) -> None:
    """Tasks begun inside the block wait for company, and for no longer than the most impatient of them."""
    statements: list[str] = []
    await database.write(lambda connection: connection.set_trace_callback(statements.append))
    statements.clear()
    with patiently(60):
        along = [asyncio.create_task(database.write(insert(number))) for number in (1, 2)]
    await asyncio.sleep(0)
    await database.write(insert(3))
    with patiently(60):
        along.append(asyncio.create_task(database.write(insert(4))))
    async with asyncio.timeout(120):
        await asyncio.sleep(0)
        await database.write_along(insert(5), 0.01)
        stored = await asyncio.gather(*along)
    await database.write(lambda connection: connection.set_trace_callback(None))

    assert stored == [1, 2, 4]
    assert statements.count("COMMIT") == 2


async def test_what_nobody_waits_for_is_stored_without_company_and_before_closing(tmp_path: Path) -> None:
    """After a second it goes alone; a database that closes does not leave it behind."""
    database = Database(tmp_path / "along.db", ROOMS)
    await database.open()
    async with asyncio.timeout(120):
        assert await database.write_along(insert(1)) == 1
    left = database.write_along(insert(2))
    await database.close()
    with pytest.raises(StorageUnavailable, match="not open"):
        database.write_along(insert(3))

    assert await left == 2
    await database.open()
    assert await database.read(numbers) == [1, 2]
    await database.close()


async def test_a_failing_writer_takes_back_only_its_own(database: Database) -> None:
    """The others of its group are stored, and the error reaches its caller.

    Mutation check: without the savepoint the number 100 stays behind and the test is red.
    """

    def half(connection: sqlite3.Connection) -> None:
        insert(100)(connection)
        raise LookupError("no such thing")

    outcomes = await asyncio.gather(
        database.write(insert(1)),
        database.write(half),
        database.write(insert(2)),
        database.write(insert(1)),
        return_exceptions=True,
    )

    assert [type(outcome) for outcome in outcomes] == [int, LookupError, int, sqlite3.IntegrityError]
    assert await database.read(numbers) == [1, 2]


async def test_a_cancelled_caller_breaks_nobody_else(database: Database) -> None:
    """Its group is committed; the writer goes on."""
    writes = [asyncio.ensure_future(database.write(insert(number))) for number in range(40)]
    await asyncio.sleep(0)
    for write in writes[::2]:
        write.cancel()
    await asyncio.gather(*writes, return_exceptions=True)
    await database.write(insert(99))

    stored = await database.read(numbers)
    assert set(range(1, 40, 2)) | {99} <= set(stored)


async def test_a_reader_sees_what_was_committed_and_changes_nothing(database: Database) -> None:
    """A write through a reader is refused."""
    await database.write(insert(1))

    with pytest.raises(StorageUnavailable):
        await database.read(insert(2))
    assert await database.read(numbers) == [1]


async def test_what_is_asked_for_in_one_moment_is_read_in_one_snapshot(database: Database) -> None:
    """One thread reads all of it, whatever is written meanwhile; what fails costs the others nothing."""
    loop, begun, go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def wait(_: sqlite3.Connection) -> int:
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(5)
        return threading.get_ident()

    async def look() -> tuple[int, list[int]]:
        return await database.read(lambda connection: (threading.get_ident(), numbers(connection)))

    asked = asyncio.gather(look(), database.read(wait), database.read(insert(7)), look(), return_exceptions=True)
    await begun.wait()
    await database.write(insert(1))
    go_on.set()
    first, thread, refused, last = await asked

    assert first == last == (thread, [])
    assert isinstance(refused, StorageUnavailable)
    assert await database.read(numbers) == [1]


async def test_reads_do_not_wait_for_a_long_write(database: Database) -> None:
    """A read returns while a transaction is open."""
    started, release = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection: sqlite3.Connection) -> None:
        insert(1)(connection)
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(5)

    write = asyncio.ensure_future(database.write(slow))
    await started.wait()
    during = await database.read(numbers)
    release.set()
    await write

    assert during == []
    assert await database.read(numbers) == [1]


async def test_commits_are_synced_in_full(database: Database) -> None:
    """WAL with synchronous=FULL, and deleted content is overwritten: the settings that the promises rest on."""
    pragmas = ("journal_mode", "synchronous", "secure_delete", "wal_autocheckpoint")
    values = await database.write(
        lambda connection: [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
    )

    assert values == ["wal", 2, 1, 8000]


async def test_only_the_owner_can_read_the_file(database: Database) -> None:
    """The file, its log and its index are private from the first byte on."""
    await database.write(insert(1))
    modes = {stat.S_IMODE(file.stat().st_mode) for file in database.path.parent.glob("mneme.db*")}

    assert modes == {0o600}


async def test_a_closed_database_says_so(database: Database) -> None:
    """Neither read nor write hangs, and closing twice is harmless."""
    await database.close()
    await database.close()

    with pytest.raises(StorageUnavailable):
        await database.write(insert(1))
    with pytest.raises(StorageUnavailable):
        await database.read(numbers)


async def test_what_was_queued_is_stored_before_closing(tmp_path: Path) -> None:
    """A graceful stop loses nothing that was handed over."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    writes = [asyncio.ensure_future(database.write(insert(number))) for number in range(500)]
    await asyncio.sleep(0)
    await database.close()

    assert await asyncio.gather(*writes) == list(range(500))


@pytest.mark.parametrize(
    "newer",
    ["UPDATE schema_versions SET version = 99", "INSERT INTO schema_versions VALUES ('new', 1)"],
)
async def test_a_newer_file_is_refused_and_left_alone(database: Database, newer: str) -> None:
    """An older Mneme says what to do and changes no byte: of a room it knows, and of the first of one it does not."""
    await database.write(lambda connection: connection.execute(newer).rowcount)
    await database.close()
    before = database.path.read_bytes()

    with pytest.raises(ConfigInvalid, match="newer Mneme"):
        await Database(database.path, ROOMS).open()
    assert database.path.read_bytes() == before


async def test_opening_again_keeps_everything(database: Database) -> None:
    """Migrations are applied once."""
    await database.write(insert(7))
    await database.close()
    again = Database(database.path, ROOMS)
    await again.open()

    assert await again.read(numbers) == [7]
    assert again.problems == ()
    await again.close()


async def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """The error holds the path and the reason."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StorageUnavailable, match=r"mneme\.db"):
        await Database(tmp_path / "file" / "mneme.db", ROOMS).open()


async def test_checkpoint_and_vacuum_run_between_writes(database: Database) -> None:
    """They share the thread with transactions and shrink log and file."""
    await database.write(lambda connection: connection.execute("CREATE TABLE big (b BLOB)").rowcount)
    await database.write(lambda connection: connection.execute("INSERT INTO big VALUES (zeroblob(3000000))").rowcount)
    await database.write(lambda connection: connection.execute("DELETE FROM big").rowcount)
    await asyncio.gather(database.write(insert(1)), database.vacuum(), database.write(insert(2)), database.checkpoint())

    assert database.path.stat().st_size < 1_000_000
    assert database.path.with_name("mneme.db-wal").stat().st_size == 0
    assert await database.read(numbers) == [1, 2]


async def test_a_writer_survives_what_its_connection_does_not(database: Database) -> None:
    """A connection that broke is opened again; nobody waits for a dead thread."""

    def broken(connection: sqlite3.Connection) -> None:
        connection.close()

    with pytest.raises(sqlite3.ProgrammingError):
        await database.write(broken)
    await database.write(insert(1))

    assert await database.read(numbers) == [1]


async def test_commits_do_not_wait_for_a_vacuum_behind_them(database: Database) -> None:
    """Work that needs the thread alone comes after the transaction was acknowledged."""
    order: list[str] = []

    async def noted(name: str, work: Awaitable[object]) -> None:
        await work
        order.append(name)

    await asyncio.gather(
        noted("first", database.write(insert(1))),
        noted("vacuum", database.vacuum()),
        noted("last", database.write(insert(2))),
    )

    assert order == ["first", "vacuum", "last"]


async def test_a_log_left_by_a_crash_is_emptied_at_the_start(tmp_path: Path) -> None:
    """What it holds is in the file then, and disk and start do not pay for it again."""
    database = Database(tmp_path / "mneme.db", ROOMS)
    await database.open()
    await database.write(insert(1))
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("mneme.db", "mneme.db-wal"):
        (crashed / name).write_bytes((tmp_path / name).read_bytes())
    await database.close()
    log = crashed / "mneme.db-wal"
    before = log.stat().st_size
    again = Database(crashed / "mneme.db", ROOMS)
    await again.open()
    after = log.stat().st_size if log.exists() else 0
    kept = await again.read(numbers)
    await again.close()

    assert before > 0
    assert after == 0
    assert kept == [1]
