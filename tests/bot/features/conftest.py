"""Fixtures of several features."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """Opened, and closed after the test."""
    opened = Database(tmp_path / "mneme.db", ROOMS)
    await opened.open()
    yield opened
    await opened.close()
