"""Patterns of requests to be reminded of something later, in one language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderPatterns:
    """Requests for a reminder, an alarm or a timer.

    All patterns are tried from the beginning of a sentence, match in either case and bound every repetition.
    """

    polite: str = ""
    """What may stand before a request: "could you please"."""
    requests: tuple[str, ...] = ()
    """The requests themselves; an errand or a time makes them, "remind me where Vera lives" is a question."""
