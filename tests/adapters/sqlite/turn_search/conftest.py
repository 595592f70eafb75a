"""A chat memory per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.sqlite.turn_search.talk import Chat, chat


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Chat]:
    """Opened, and closed after the test."""
    async with chat(tmp_path) as opened:
        yield opened
