"""Starting Mneme sets up the logs of the process; every test gives them back."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler

import pytest
import structlog


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave logging as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in root.handlers:
        if isinstance(handler, RotatingFileHandler):
            handler.close()
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()
