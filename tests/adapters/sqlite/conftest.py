"""An open store in a folder of its own: each test that asks for it runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from tests.postgres import open_postgres


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that asks for a store on both, but for what only a file has."""
    if "database" in metafunc.fixturenames:
        one_file = any(mark.name == "one_file" for mark in metafunc.definition.iter_markers())
        metafunc.parametrize("database", ["sqlite"] if one_file else ["sqlite", "postgres"], indirect=True)


@pytest.fixture
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """Opened, and closed after the test."""
    if request.param == "postgres":
        async with open_postgres(request.getfixturevalue("postgres_server"), tmp_path) as there:
            yield there
        return
    opened = Database(tmp_path / "mneme.db", ROOMS)
    await opened.open()
    yield opened
    await opened.close()
