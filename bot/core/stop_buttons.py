"""The button under an answer that is being written: whoever asked ends it with a touch.

Nothing is stored: an answer is being written by this process or by none, and what a process that died has left under a
message means nothing to the next one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bot.errors import ButtonRefused
from bot.messages import InboundMessage
from bot.ports.tickets import PressRefusal
from bot.turn import Turn

_PREFIX: Final = "stop:"
_TOKEN_BYTES: Final = 18


class StopButtons:
    """The buttons of the answers under way, each bound to its turn, its chat and its asker."""

    def __init__(self) -> None:
        self._turns: dict[str, Turn] = {}

    @contextmanager
    def offer(self, turn: Turn) -> Iterator[str]:
        """Yield the data of a button that ends this turn; it does so until the context is left."""
        data = f"{_PREFIX}{secrets.token_urlsafe(_TOKEN_BYTES)}"
        self._turns[data] = turn
        try:
            yield data
        finally:
            del self._turns[data]

    def press(self, message: InboundMessage) -> bool:
        """End the answer whose button was pressed and return ``True``; ``False`` if it is a button of another kind.

        Raises :class:`~bot.errors.ButtonRefused` for somebody else's, and for one whose answer is not being written.
        """
        if not message.text.startswith(_PREFIX):
            return False
        turn = self._turns.get(message.text)
        here = message.address
        if turn is None or (turn.address.bot_id, turn.address.chat_id) != (here.bot_id, here.chat_id):
            raise ButtonRefused(PressRefusal.EXPIRED.value, spent=turn is None)
        if turn.message.author.id != message.author.id:
            raise ButtonRefused(PressRefusal.NOT_YOURS.value, spent=False)
        turn.stop.set()
        return True


@contextmanager
def offer_stop(stops: StopButtons, turn: Turn, label: str) -> Iterator[tuple[str, str]]:
    """Yield label and data of the button that ends a turn."""
    with stops.offer(turn) as data:
        yield label, data
