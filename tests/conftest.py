"""What holds for every test: nothing leaves this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.offline import sitecustomize as offline

os.environ["PYTHONPATH"] = offline.inherited(os.environ.get("PYTHONPATH"))


@pytest.fixture(autouse=True)
def stays_here() -> Iterator[None]:
    """Fail a test that tried to reach another machine, whoever swallowed the error."""
    offline.LEFT.clear()
    yield
    assert offline.LEFT == [], "tests use no network but loopback"
