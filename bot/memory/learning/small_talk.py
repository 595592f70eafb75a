"""Tells small talk from what says something, and decides which exchanges are not worth indexing.

An index full of "ok" and "thanks" answers every short question with "ok" and "thanks".
"""

from __future__ import annotations

from typing import Final

from bot.memory.sanitise import visible
from language import languages
from language.small_talk import OTHER, Phrases
from language.words import words

_LENGTHS: Final = (4, 3, 2, 1)
"""Words of a phrase, the longest first."""
_HEAD: Final = 64
"""Characters that mostly hold more than the longest phrase."""
_TALK: Final = (*(each.small_talk for each in languages()), OTHER)
_ONE_WORD: Final = frozenset[str]().union(*(each.words for each in _TALK))
_FILLERS: Final = frozenset[str]().union(*(each.fillers for each in _TALK))
ABOUT_ASSISTANT: Final = Phrases().union(*(each.about_assistant for each in _TALK))
"""Questions about the assistant, as tuples of words."""
WELLBEING: Final = Phrases().union(*(each.wellbeing for each in _TALK))
"""Forms of "how are you", as tuples of words."""
_KNOWN: Final = Phrases().union(*(each.phrases for each in _TALK)) | ABOUT_ASSISTANT | WELLBEING


def is_trivial(text: str) -> bool:
    """Return whether ``text`` is nothing but greetings, thanks, yes, no, "how are you", whatever its case and emoji.

    Also true for a text without any word ("👍", "?!").
    """
    head = words(visible(text[:_HEAD]))
    if len(head) > _LENGTHS[0] and not _phrase_at(head, 0):  # no need to read the rest; the last word may be cut
        return False
    said = words(visible(text))
    position = 0
    while position < len(said):
        step = _phrase_at(said, position)
        if step == 0:
            return False
        position += step
    return True


def skip_reason(
    user_text: str, assistant_text: str, *, min_length: int, states_fact: bool, synthetic: bool
) -> str | None:
    """Return why an exchange is not indexed, in words for the log, or ``None`` when it is.

    ``min_length`` in characters, user and assistant together; a stated fact is indexed however short it is.
    """
    if synthetic:
        return "synthetic answer"
    if not visible(assistant_text).strip():
        return "empty answer"
    if is_trivial(user_text):
        return "greeting or acknowledgement"
    length = len(user_text.strip()) + len(assistant_text.strip())
    if length < min_length and not states_fact:
        return f"shorter than {min_length} characters"
    return None


def says(text: str, phrases: frozenset[tuple[str, ...]]) -> bool:
    """Return whether one of ``phrases`` stands in ``text``, which is trivial."""
    said = words(visible(text))
    return any(said[start : start + length] in phrases for start in range(len(said)) for length in _LENGTHS)


def _phrase_at(said: tuple[str, ...], position: int) -> int:
    """Return how many words from ``position`` on say nothing; a filler counts only after another such word."""
    for length in _LENGTHS:
        if said[position : position + length] in _KNOWN:
            return length
    if said[position] in _ONE_WORD or (position > 0 and said[position] in _FILLERS):
        return 1
    return 0
