"""How long to wait before trying again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Doubling pauses from ``first_s`` to ``longest_s`` seconds, each shortened by up to a quarter at random.

    The jitter keeps many bots behind one network from coming back in step.
    """

    first_s: float = 1.0
    longest_s: float = 30.0
    failures: int = field(default=0, init=False)

    def next_s(self) -> float:
        """Count one more failure and return the pause that follows it, in seconds."""
        pause = min(self.longest_s, self.first_s * float(1 << min(self.failures, 16)))
        self.failures += 1
        return pause * random.uniform(0.75, 1.0)

    def reset(self) -> None:
        """Forget the failures: it worked."""
        self.failures = 0
