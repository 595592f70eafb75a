"""The part of a message that rules look at: its first 20,000 characters.

Every rule costs time for every letter, and while one reads, no other chat is answered.  A message is stored, shown to
the model and masked as a whole, however long it is; what is said beyond the limit is only not analysed: no question,
no fact, no date is looked for in it.
"""

from __future__ import annotations

from typing import Final

MOST_ANALYSED: Final = 20_000
"""Characters: five full messages of Telegram, about ten pages; what is longer is a document that was pasted."""
_WORD: Final = 64


def analysed(text: str) -> str:
    """Return the beginning of a text that rules look at, no word of it cut in two."""
    if len(text) <= MOST_ANALYSED:
        return text
    end = max(text.rfind(sign, MOST_ANALYSED - _WORD, MOST_ANALYSED) for sign in " \n\t")
    return text[: end if end > 0 else MOST_ANALYSED]


def passed_over(text: str) -> str:
    """Return a sentence about what of a text is not analysed, "" when all of it is."""
    if len(text) <= MOST_ANALYSED:
        return ""
    return f"the first {MOST_ANALYSED} of {len(text)} characters were analysed; all of them are kept"
