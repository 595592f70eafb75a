"""Reads the lines of the chronicle out of a model's answer, and how little of it is believed.

Each line names one exchange by its number.  It may only say what the author of that exchange typed, as items may, so
that a line about another exchange, of what was cited, or of the model's own making, is none.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from adapters.llm.asking import is_grounded
from bot.memory.chronicle import LINE_TOKENS, WrittenLine, find_reworded
from bot.memory.learning.speech_acts import keep_own_words
from bot.memory.sanitise import clean, flatten
from bot.memory.secrets.redaction import redact
from bot.turn import Exchange
from language.tokens import count_tokens

MOST_LINES: Final = 12
"""Lines of one answer; a session is mostly one."""
_LOOKED_AT: Final = 40
_LINE_CHARS: Final = 400
"""Characters of a line, before it is measured in tokens."""


def read_digest(digest: object, exchanges: tuple[Exchange, ...]) -> tuple[WrittenLine, ...]:
    """Return the lines of ``{"number of the exchange": "line"}`` that their exchanges bear out, at most twelve.

    Anything else gives none; a line that is too long is none either: cut, it might say something else.
    """
    if not isinstance(digest, dict):
        return ()
    numbered = {str(number): exchange for number, exchange in enumerate(exchanges, 1)}
    read = (
        _read_line(text, numbered[number]) for number, text in islice(digest.items(), _LOOKED_AT) if number in numbered
    )
    return tuple(islice((line for line in read if line is not None), MOST_LINES))


def _read_line(text: object, exchange: Exchange) -> WrittenLine | None:
    if not isinstance(text, str) or len(text) > _LINE_CHARS:
        return None
    line = redact(flatten(text, _LINE_CHARS)).text
    own = redact(keep_own_words(clean(exchange.user_text))).text
    if not line or count_tokens(line) > LINE_TOKENS or not is_grounded(line, f"{own} {exchange.author.name}"):
        return None
    return None if find_reworded(line, exchange.user_text) is None else WrittenLine(exchange.uid, line)
