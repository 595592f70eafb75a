"""Tells questions about time from others: what answers them is dated with the day of the week.

"What did we do last week" and "was that before the exam" are read against a calendar; "where does Vera live" is not,
and its lines stay shorter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from bot.memory.overviews import find_overview
from bot.memory.patterns import cut_for_rules
from language import alternatives, languages

_LANGUAGES: Final = languages()
_CUES: Final = re.compile(
    r"\b{}\b".format(
        alternatives(
            (
                r"(?:19|20)\d\d",
                *(each.calendar.exactly for each in _LANGUAGES),
                *(each.calendar.compares for each in _LANGUAGES),
                *(month for each in _LANGUAGES for month in each.calendar.months),
                *(each.interrogatives.when for each in _LANGUAGES),
                *(each.questions.time for each in _LANGUAGES),
            )
        )
    )
)
_RECENT: Final = 16


@lru_cache(maxsize=_RECENT)
def asks_about_time(message: str) -> bool:
    """Return whether a message asks when, how long, in what order, or names a time ("last week", "in March")."""
    text = cut_for_rules(message)
    if _CUES.search(text.lower()):
        return True
    overview = find_overview(text)
    return overview is not None and overview.chronological
