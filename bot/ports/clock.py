"""Clock: time that tests can hold."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Wall clock in the operator's time zone, and a monotonic one for everything that is waited for."""

    def now(self) -> datetime:
        """Return the aware local time."""

    def monotonic(self) -> float:
        """Return seconds that never jump."""
