"""A model server and a client of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.llm.openai import OpenAiChat
from harness.fakes.openai import FakeOpenAi
from tests.systems.tool_loop_fakes import model_at


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAi]:
    """Answers what it is scripted to."""
    async with FakeOpenAi() as fake:
        yield fake


@pytest.fixture
async def model(server: FakeOpenAi) -> AsyncIterator[OpenAiChat]:
    """A client that does not repeat."""
    chat = model_at(server)
    yield chat
    await chat.aclose()
