"""Rules of every test: nothing leaves this machine, and nothing depends on its speed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.offline import sitecustomize as offline

# How fast examples are made is not what is tested, and a busy machine is slow.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

os.environ["PYTHONPATH"] = offline.inherited(os.environ.get("PYTHONPATH"))


@pytest.fixture(autouse=True)
def stays_here() -> Iterator[None]:
    """Fail a test that tried to reach another machine, whoever swallowed the error."""
    offline.LEFT.clear()
    yield
    assert offline.LEFT == [], "tests use no network but loopback"
