"""Chats of the whole application without a language model, with the embedding model that comes along."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder
from harness.application import NO_RAG, RunningChats, run_chats


@pytest.fixture(scope="module")
def model(model_dir: Path) -> Iterator[E5Embedder]:
    """The real embedding model, loaded once."""
    embedder = E5Embedder(model_dir, niceness=0)
    embedder.load()
    yield embedder
    embedder.close()


@pytest.fixture
async def chats(tmp_path: Path, model: E5Embedder) -> AsyncIterator[RunningChats]:
    """Chats in English behind it."""
    async with run_chats(tmp_path, NO_RAG, model) as running:
        yield running
