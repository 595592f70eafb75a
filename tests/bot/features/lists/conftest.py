"""The embedding model, which reads what sentences order, once for all tests of lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder


@pytest.fixture(scope="session")
def reader(model_dir: Path) -> Iterator[E5Embedder]:
    """The model, loaded."""
    model = E5Embedder(model_dir, niceness=0)
    model.load()
    yield model
    model.close()
