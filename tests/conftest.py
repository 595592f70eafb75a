"""Rules of every test: nothing leaves this machine, and nothing depends on its speed or its clock."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from harness.growth.recording import record_patterns
from tests.offline import sitecustomize as offline

record_patterns()

# What a day is called must not depend on where this runs.
os.environ["TZ"] = "UTC"
time.tzset()

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


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Undo what a test set up for logs, and close its files: the next test logs as if it were the first."""
    root = logging.getLogger()
    handlers, level, configured = list(root.handlers), root.level, structlog.get_config()
    yield
    for handler in [each for each in root.handlers if each not in handlers and not _is_of_pytest(each)]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    structlog.configure(**configured)


def _is_of_pytest(handler: logging.Handler) -> bool:
    return type(handler).__module__.startswith("_pytest")


@pytest.fixture(scope="session")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that holds the finished int8 model: making it takes seconds."""
    from adapters.embedding.build import build_model  # noqa: PLC0415 - patterns are recorded from before this import

    folder = tmp_path_factory.mktemp("model")
    build_model(folder, lambda _: None)
    return folder


@pytest.fixture
def noon() -> Iterator[None]:
    """Make it about noon: between midnight and four a.m. Mneme asks which day "tomorrow" is."""
    os.environ["TZ"] = f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"
    time.tzset()
    yield
    os.environ["TZ"] = "UTC"
    time.tzset()
