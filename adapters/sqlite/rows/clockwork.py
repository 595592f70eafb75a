"""The time stamps that storage gives by itself; nothing is ordered by them."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the aware current time."""
    return datetime.now(UTC)
