"""The stores under contract, one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.stores import STORES, Stores


@pytest.fixture(params=STORES, ids=lambda opened: opened.__name__)
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    """Each store in turn, empty."""
    async with request.param(tmp_path, request) as opened:
        yield opened
