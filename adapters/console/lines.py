"""Terminal lines as messages.

The terminal is one user with one chat; ids of its updates grow over restarts because they are taken from the clock.
A terminal does not tell its reader's language: the lines do, and a bare command is answered in that of the line before.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from bot.memory.items import Trust
from bot.memory.sanitise import clean
from bot.turn import Address, Author, InboundMessage
from language import language_of

_COMMAND = re.compile(r"^\s*/\w+")

ADDRESS = Address(platform="console", bot_id=0, chat_id=1)
AUTHOR = Author(id=1, name="", trust=Trust.OWNER)


@dataclass(slots=True)
class Lines:
    """Makes messages of lines; ``now`` is the aware local time, ``language`` the tag to begin with, "" if unknown."""

    now: Callable[[], datetime]
    language: str = ""
    _last_id: int = field(default_factory=time.time_ns)

    def message(self, text: str) -> InboundMessage:
        """Return the line as a message with an id that was never used before."""
        self._last_id = max(self._last_id + 1, time.time_ns())
        said = _COMMAND.sub("", text)
        if any(letter.isalpha() for letter in said):
            self.language = language_of(said).code
        return InboundMessage(
            address=ADDRESS,
            update_id=self._last_id,
            message_id=self._last_id,
            author=AUTHOR,
            text=clean(text).strip(),
            sent_at=self.now(),
            language=self.language,
        )
