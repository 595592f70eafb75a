"""Stores that tools write to and read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.tools.fixtures import Store, store_at


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """Empty."""
    async with store_at(tmp_path) as opened:
        yield opened
