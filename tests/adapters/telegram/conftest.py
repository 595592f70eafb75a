"""A fake Telegram for every test that asks for one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from harness.fakes.telegram import FakeTelegram


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """A fresh fake, answering on a port of its own."""
    async with FakeTelegram() as fake:
        yield fake
