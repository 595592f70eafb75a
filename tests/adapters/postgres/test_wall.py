"""The second wall: a statement that forgets to say whose rows it wants gets nobody else's."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from adapters.postgres.connection import WALLED
from adapters.postgres.database import PostgresDatabase
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.codec import find_scope
from adapters.sqlite.rows.derived import list_tables
from bot.memory.scope import Scope
from harness.samples import HeldClock, WordEmbedder, item
from tests.postgres import PostgresServer, open_postgres

ONE, OTHER = Scope("tu1"), Scope("tu2")


@pytest.fixture
async def database(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[PostgresDatabase]:
    async with open_postgres(postgres_server, tmp_path) as opened:
        items = SqliteItems(opened, WordEmbedder(), HeldClock())
        await items.add(ONE, item("My word is onecanary."))
        await items.add(OTHER, item("My word is othercanary."))
        yield opened


async def test_a_forgotten_where_shows_nobody_elses_memory(database: PostgresDatabase) -> None:
    """Once a reading has asked for a scope; one that asks for none, such as a sweep, sees all of them.

    Mutation check: without the policies both are shown.
    """

    def read(connection: sqlite3.Connection, scope: Scope | None) -> list[str]:
        if scope is not None:
            find_scope(connection, scope)
        return [content for (content,) in connection.execute("SELECT content FROM items ORDER BY id").fetchall()]

    found = [await database.read(lambda opened, scope=scope: read(opened, scope)) for scope in (ONE, OTHER, None)]  # type: ignore[misc]  # a lambda's default
    together = await database.read(lambda opened: [read(opened, scope) for scope in (ONE, OTHER)])

    assert found[:2] == [["My word is onecanary."], ["My word is othercanary."]]
    assert len(found[2]) == 2
    assert together == found[:2]


async def test_what_is_read_together_is_apart(database: PostgresDatabase) -> None:
    """Readings that share a snapshot do not share the wall."""

    def ask(connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT count(*) FROM items").fetchone()[0])

    def ask_one(connection: sqlite3.Connection) -> int:
        find_scope(connection, ONE)
        return ask(connection)

    counts = await asyncio.gather(*(database.read(work) for work in (ask, ask_one, ask, ask_one, ask)))

    assert counts == [2, 1, 2, 1, 2]


async def test_every_table_of_memory_is_behind_it(database: PostgresDatabase) -> None:
    """A table whose rows belong to a scope by their ids has a policy."""
    walled = await database.read(
        lambda opened: {
            name for (name,) in opened.execute("SELECT relname FROM pg_class WHERE relrowsecurity").fetchall()
        }
    )

    assert {table.name for table in list_tables(ROOMS) if table.ranged} - walled == {"journal"}
    assert {"items_fts_words", "document_fts_words"} <= walled


async def test_who_may_make_no_role_has_one_wall(
    database: PostgresDatabase, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """A plain user of a database of their own needs no more: everything works, with the first wall alone."""
    await database.close()
    postgres_server.run("CREATE ROLE plain LOGIN PASSWORD 'x'")
    postgres_server.run("CREATE DATABASE theirs OWNER plain")
    postgres_server.run(f"ALTER ROLE {WALLED} RENAME TO away")
    try:
        url = f"postgresql://plain:x@/theirs?host={postgres_server.folder}"
        theirs = PostgresDatabase(url, tmp_path / "mneme.db", ROOMS)
        await theirs.open()
        items = SqliteItems(theirs, WordEmbedder(), HeldClock())
        await items.add(ONE, item("My word is onecanary."))
        there = await theirs.read(lambda opened: (find_scope(opened, ONE), getattr(opened, "has_wall", None)))
        await theirs.close()
    finally:
        postgres_server.run(f"ALTER ROLE away RENAME TO {WALLED}")
        postgres_server.run("DROP DATABASE theirs WITH (FORCE)")
        postgres_server.run("DROP ROLE plain")

    assert there == (1, False)


async def test_a_dump_that_came_without_the_role_gets_it(
    database: PostgresDatabase, postgres_server: PostgresServer
) -> None:
    """Roles are the server's, and in no dump: on another one the next start makes the wall again."""
    await database.close()
    postgres_server.run(f"DROP OWNED BY {WALLED}")
    postgres_server.run(f"DROP ROLE {WALLED}")
    await database.open()
    seen = await database.read(
        lambda opened: (find_scope(opened, ONE), opened.execute("SELECT count(*) FROM items").fetchone()[0])
    )

    assert seen == (1, 1)


async def test_the_role_behind_the_wall_can_change_nothing(
    database: PostgresDatabase, postgres_server: PostgresServer
) -> None:
    """It reads."""
    with psycopg.connect(postgres_server.url, autocommit=True) as session:
        session.execute(f"SET ROLE {WALLED}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            session.execute("DELETE FROM mneme.items")
