"""Requests in English to be reminded."""

from __future__ import annotations

from typing import Final

from language.reminders import ReminderPatterns

_WHEN: Final = (
    r"(?:today|tonight|tomorrow|later|next|every|daily|weekly|monthly|again|before|after|at|in|by|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on the|on \d)\b"
)

REMINDERS: Final = ReminderPatterns(
    polite=(
        r"(?:(?:please|pls|hey|hi|ok|okay|and|also|then|so|can|could|would|will|you|i want you to|i need you to|"
        r"i would like you to|i'd like you to|don't forget to|do not forget to)\b[, ]{1,3}){0,6}"
    ),
    requests=(
        rf"remind (?:me|us) (?:please )?(?:to\b|{_WHEN})",
        rf"remind (?:me|us) (?:about|of|that)\b[^,]{{1,80}}?\b{_WHEN}",
        (
            r"(?:set|create|make|add|schedule|start) (?:me |us )?(?:up )?(?:an? |the |another )?(?:\w{1,20} ){0,2}"
            r"(?:reminder|alarm|timer)\b"
        ),
        rf"(?:wake|ping|nudge|alert|notify) (?:me|us) (?:up )?{_WHEN}",
        r"(?:don't|do not) let (?:me|us) forget to\b",
    ),
)
