"""Fixtures of several end-to-end tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.processes import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Give an empty place to live in."""
    return Home(tmp_path)
