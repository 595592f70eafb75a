"""A page over a console chat in which a few things were said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.memory.scope import Scope
from harness.application import NO_RAG, ConsoleChat, run_console
from harness.page import OpenedPage, open_page

HERE = Scope("cu42")
SAID = (
    "My sister Vera lives in Porto.",
    "I prefer tea over coffee.",
    "My motto is <script>alert(1)</script> and <a href='javascript:alert(2)'>this</a>.",
)


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[ConsoleChat]:
    """A chat that was told something, with a log of everything."""
    async with run_console(tmp_path, NO_RAG, log=tmp_path / "mneme.log") as running:
        for text in SAID:
            await running.say(text)
        yield running


@pytest.fixture
async def page(chat: ConsoleChat) -> AsyncIterator[OpenedPage]:
    """Its page."""
    async with open_page(chat.app.parts) as opened:
        yield opened
