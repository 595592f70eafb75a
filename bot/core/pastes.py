"""Long pastes, which arrive as several messages: which of them are one."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from cachetools import LRUCache

from bot.messages import InboundMessage, MessageKind

_CUT_LENGTH: Final = 3_500
"""A client cuts at 4096 or at the last break before it; a shorter message was not cut."""
_WITHIN_S: Final = 1.0
"""Dates of messages have whole seconds; parts of one paste are at most one apart."""
_MOST_PARTS: Final = 50
"""200,000 characters: what goes on for longer is the next paste, so that nobody waits for one without an end."""
_REMEMBERED: Final = 1_000
PREFIX: Final = "paste:"
"""Of the ``group_id`` of a paste's parts."""


@dataclass(frozen=True, slots=True)
class _LastPart:
    group_id: str
    message_id: int
    sent_at: datetime
    number: int


class SplitMessages:
    """Gives the parts of a long paste one ``group_id``, named after its first message.

    Telegram's clients cut a paste at 4096 characters and send the parts as messages within a second.
    Only a message as long as a cut one can begin or continue a paste; the shorter rest ends it.
    """

    def __init__(self) -> None:
        self._open: LRUCache[tuple[str, int], _LastPart] = LRUCache(_REMEMBERED)

    def join(self, message: InboundMessage) -> InboundMessage:
        """Return the message with its ``group_id`` if it looks like a part of a paste; asked again, the same.

        What was joined before is joined anew: by who had not seen the parts before it.
        """
        before = self._open.get(_make_key(message))
        album = message.group_id is not None and not message.group_id.startswith(PREFIX)
        if message.kind is not MessageKind.TEXT or album or message.forwarded_from:
            return message
        follows = (
            before is not None
            and before.message_id < message.message_id
            and before.number < _MOST_PARTS
            and abs((message.sent_at - before.sent_at).total_seconds()) <= _WITHIN_S
            and not message.text.startswith("/")
        )
        group = before.group_id if before is not None and follows else message.group_id
        group = group or f"{PREFIX}{message.message_id}"
        return replace(message, group_id=group) if _is_long(message) or follows else message

    def remember(self, message: InboundMessage) -> None:
        """Remember a message that ``join`` returned and that was accepted: the next one may follow it."""
        before = self._open.pop(_make_key(message), None)
        if message.group_id is not None and message.group_id.startswith(PREFIX) and _is_long(message):
            number = before.number + 1 if before is not None and before.group_id == message.group_id else 1
            self._open[_make_key(message)] = _LastPart(message.group_id, message.message_id, message.sent_at, number)


def _make_key(message: InboundMessage) -> tuple[str, int]:
    return message.address.key, message.author.id


def _is_long(message: InboundMessage) -> bool:
    return len(message.text.encode("utf-16-le", "surrogatepass")) // 2 >= _CUT_LENGTH
