"""Recognises requests to be reminded of something later, which nobody here can do yet.

"Remind me where Vera lives" asks for what is remembered; only an errand or a time makes it a reminder.
Sentences are cut first and each is matched from its beginning, with bounded repetition: time grows with the text.
"""

from __future__ import annotations

import re
from typing import Final

from language import languages

_SENTENCES: Final = 50
_SENTENCE: Final = 300
"""Characters of a sentence that are looked at: who asks for a reminder says so at its beginning."""
_BREAKS: Final = re.compile(r"[.!?;\n]")

_PATTERNS: Final = tuple(
    re.compile(f"{each.reminders.polite}(?:{request})", re.IGNORECASE)
    for each in languages()
    for request in each.reminders.requests
)


def wants_reminder(text: str) -> bool:
    """Return whether a sentence of the text asks for a reminder, an alarm or a timer."""
    sentences = (sentence.strip(" \t\"'«»—-")[:_SENTENCE] for sentence in _BREAKS.split(text[: _SENTENCES * _SENTENCE]))
    looked_at = [sentence for sentence in sentences if sentence][:_SENTENCES]
    return any(pattern.match(sentence) for sentence in looked_at for pattern in _PATTERNS)
