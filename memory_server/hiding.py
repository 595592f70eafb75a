"""Keeps packages from being imported that libraries try and do without."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def without(*packages: str) -> Iterator[None]:
    """Let these packages count as missing where they are not loaded yet, for as long as something is imported."""
    hidden: dict[str, Any] = dict.fromkeys(package for package in packages if package not in sys.modules)
    sys.modules.update(hidden)
    try:
        yield
    finally:
        for package in hidden:
            del sys.modules[package]
