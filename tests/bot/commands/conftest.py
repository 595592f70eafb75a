"""One chat per test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.commands.chat import Chat


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    """A chat over an empty database."""
    chat = Chat(tmp_path)
    await chat.database.open()
    yield chat
    await chat.database.close()
