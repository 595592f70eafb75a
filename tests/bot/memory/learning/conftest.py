"""The embedding model by whose vectors kinds of sentences are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder


@pytest.fixture
async def model(model_dir: Path) -> AsyncIterator[E5Embedder]:
    """The embedding model."""
    embedder = E5Embedder(model_dir, niceness=0)
    embedder.load()
    yield embedder
    embedder.close()
