"""Pauses between attempts: doubling and jittered, or as long as a server's ``Retry-After`` asks for.

For retries that keep their state elsewhere (a row, a poller, a supervisor); a call that is simply repeated on the
spot uses ``stamina``.
"""

import math
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_MOST_DOUBLINGS: Final = 64
LONGEST_ASKED_S: Final = 24 * 3600.0
"""No longer pause is believed of a server."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses in seconds: ``first_s``, then twice the one before, at most ``longest_s``.

    ``jitter`` (0..1) is the share of each pause that chance may take off it, so that many clients do not come back at
    once.
    """

    first_s: float
    longest_s: float
    jitter: float = 0.0

    def pause_s(self, failures: int, dice: random.Random | None = None) -> float:
        """Return the pause after a failure that ``failures`` others (0 and more) came before."""
        pause = min(self.first_s * 2.0 ** min(failures, _MOST_DOUBLINGS), self.longest_s)
        return pause * (1.0 - self.jitter * (dice or random).random()) if self.jitter else pause


@dataclass(slots=True)
class Pauses:
    """The pauses of one endless loop: each longer than the one before, until something works."""

    backoff: Backoff
    dice: random.Random | None = None
    failures: int = field(default=0, init=False)

    def next_s(self) -> float:
        """Count one more failure and return the pause that follows it, in seconds."""
        pause = self.backoff.pause_s(self.failures, self.dice)
        self.failures += 1
        return pause

    def reset(self) -> None:
        """Forget the failures: it worked."""
        self.failures = 0


def read_retry_after(header: str, *, longest_s: float = LONGEST_ASKED_S, now: datetime | None = None) -> float | None:
    """Return the seconds that a ``Retry-After`` asks for, 0 to ``longest_s``; ``None`` if it cannot be read.

    It holds seconds or an HTTP date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after.
    """
    value = header.strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - (now or datetime.now(UTC))).total_seconds()
    return min(max(seconds, 0.0), longest_s) if math.isfinite(seconds) else None
