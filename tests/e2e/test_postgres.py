"""A chat on a real PostgreSQL: it remembers, forgets, and outlives its process; the same program, one setting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from harness.processes import Home, chat, reported, running, until
from tests.postgres import PostgresServer


@pytest.fixture
def address(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database of its own."""
    postgres_server.run("CREATE DATABASE chat")
    yield postgres_server.url.replace("/postgres?", "/chat?")
    postgres_server.run("DROP DATABASE chat WITH (FORCE)")


def grep(server: PostgresServer, word: str) -> list[str]:
    """The files of tables and indexes that hold a word; the write-ahead log is PostgreSQL's to recycle."""
    server.run("CHECKPOINT")
    found = []
    for file in (Path(server.folder) / "base").rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):  # the server removes files meanwhile
            if word.encode() in file.read_bytes():
                found.append(file.name)
    return found


async def test_it_remembers_over_a_kill_and_forgets_for_good(
    home: Home, address: str, postgres_server: PostgresServer
) -> None:
    """Told, asked, killed, asked again, edited, forgotten: and then no table holds a byte of it.

    Mutation check: with statistics of texts the word is left in ``pg_statistic``.
    """
    home.configure({"storage": {"url": address}, "rag": {"enabled": False}, "memory": {"undoSeconds": 0}})
    async with running(home, "chat", "--plain") as first:
        told = await first.say("My sister Vera lives in Quixeramobim.")
        await first.kill()
    async with running(home, "chat", "--plain") as second:
        await second.say("/new")
        asked = await second.say("Where does my sister live?")
        report = await reported(home, "check")
        status = await second.say("/status")
        edited = await second.say("/memory edit 1 My sister Vera lives in Zanzibar.")
        again = await second.say("Where does Vera live?")
        with psycopg.connect(address, autocommit=True) as session:
            session.execute("ANALYZE")  # as it does by itself: common values of a column are kept apart
        held = await asyncio.to_thread(grep, postgres_server, "Quixeramobim")
        await second.say("/forget everything yes")
        after = await second.say("Where does my sister live?")
        left = await second.leave()

    assert "Quixeramobim" in told
    assert "Quixeramobim" in asked
    assert report["store"]["state"] == "ok"
    assert "pg_dump" in status
    assert "Zanzibar" in edited
    assert "Zanzibar" in again
    assert "Quixeramobim" not in again
    assert held
    assert "Zanzibar" not in after
    assert left == 0
    for word in ("Quixeramobim", "Zanzibar", "quixeramobim", "zanzibar"):
        assert await asyncio.to_thread(grep, postgres_server, word) == []
    assert not (home.data / "mneme.db").exists()


async def test_a_standby_of_another_folder_takes_over(home: Home, address: str, tmp_path: Path) -> None:
    """As on another machine: it waits for the database's lock, not for a folder's, and knows what the first was told.

    Mutation check: without the wait it ends at once, naming the first.
    """
    other = Home(tmp_path / "other")
    for each in (home, other):
        each.configure({"storage": {"url": address}, "rag": {"enabled": False}})
    async with running(home, "chat", "--plain") as first:
        await first.say("My sister Vera lives in Porto.")
        async with running(other, "run", "--standby") as second:
            await until(lambda: "another Mneme uses PostgreSQL" in other.logged())
            await first.kill()
            asked = await second.say("Where does Vera live?")
            left = await second.leave()

    assert "Porto" in asked
    assert left == 0


async def test_a_start_waits_for_a_server_that_starts_later(home: Home, address: str) -> None:
    """As after a power cut, where both come up at once: it says what it waits for, and goes on by itself.

    Mutation check: without the wait it ends with the refusal.
    """
    folder = Path(await asyncio.to_thread(mkdtemp, prefix="pg"))
    later = folder / "later"
    home.configure({"storage": {"url": f"{address.partition('host=')[0]}host={later}"}, "rag": {"enabled": False}})
    async with running(home, "run") as waiting:
        await until(lambda: "nothing answers there" in home.logged())
        later.symlink_to(address.partition("host=")[2])
        answer = await waiting.say("My sister Vera lives in Porto.")
        left = await waiting.leave()

    assert answer
    assert left == 0


def test_a_server_that_is_away_is_said_in_a_sentence(home: Home) -> None:
    """It names where, and neither user nor password."""
    away = chat(home.data, "hello", environment={"DATABASE_URL": "postgresql://anna:geheim@127.0.0.1:1/mneme"})

    assert away.code == 1
    assert "PostgreSQL (mneme at 127.0.0.1) cannot be used now (nothing answers there)" in away.errors
    assert "geheim" not in away.errors
    assert "Traceback" not in away.errors


async def test_a_memory_moves_there_and_back(home: Home, address: str) -> None:
    """What a file knew, PostgreSQL knows, and the other way round; counts and checksums are the same."""
    home.configure({"rag": {"enabled": False}})
    async with running(home, "chat", "--plain") as first:
        await first.say("My sister Vera lives in Porto.")
        await first.leave()
    there = await reported(home, "move", "--to", address)
    home.configure({"rag": {"enabled": False}, "storage": {"url": address}})
    async with running(home, "chat", "--plain") as second:
        asked = await second.say("Where does Vera live?")
        await second.say("I like green tea.")
        await second.leave()
    (home.data / "mneme.db").unlink()
    back = await reported(home, "move", "--to", "sqlite")
    home.configure({"rag": {"enabled": False}})
    async with running(home, "chat", "--plain") as third:
        known = await third.say("What do I like to drink?")
        await third.leave()

    assert "Porto" in asked
    assert "tea" in known
    assert there["tables"]["exchanges"]["rows"] == 1
    assert back["tables"]["exchanges"]["rows"] == 3
    assert back["tables"]["scopes"]["sha256"] != there["tables"]["scopes"]["sha256"]
