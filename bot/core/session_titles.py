"""The title of a session that nobody gave one: made of what was said, so that it is gone when that is."""

from __future__ import annotations

from typing import Final

from bot.memory.learning.speech_acts import SpeechAct, classify_speech
from bot.memory.sanitise import flatten
from bot.ports.turn_store import SessionListing
from language.sentences import split_sentences

_LONGEST: Final = 48
"""Characters: a line on a phone."""
_LOOKED_AT: Final = 400


def make_title(session: SessionListing) -> str:
    """Return the given title, else how the summary begins, else the first message that is more than a greeting.

    "" for a session in which nothing was written.
    """
    if session.title:
        return session.title
    if session.summary:
        return _shorten(session.summary)
    told = [text for text in session.openings if classify_speech(text[:_LOOKED_AT]) is not SpeechAct.SMALLTALK]
    return _shorten((told or list(session.openings) or [""])[0])


def _shorten(text: str) -> str:
    sentences = split_sentences(flatten(text, _LOOKED_AT))
    first = sentences[0].rstrip(".!… ") if sentences else ""
    if len(first) <= _LONGEST:
        return first
    return f"{first[:_LONGEST].rsplit(' ', 1)[0].rstrip(',;: ')}…"
