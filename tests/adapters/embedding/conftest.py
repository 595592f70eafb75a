"""One model file for all tests of this folder: making it takes a second."""

from pathlib import Path

import pytest

from adapters.embedding.build import build_model


@pytest.fixture(scope="session")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the finished int8 model."""
    folder = tmp_path_factory.mktemp("model")
    build_model(folder, lambda _: None)
    return folder
