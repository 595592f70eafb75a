"""Long pastes, which Telegram's clients cut at 4096 characters and send as several messages within a second."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime

from bot.turn import InboundMessage, MessageKind

_CUT_LENGTH = 3_500
"""A client cuts at 4096 or at the last break before it; a shorter message was not cut."""
_WITHIN_S = 1.0
"""Dates of messages have whole seconds; parts of one paste are at most one apart."""
_REMEMBERED = 1_000
_PREFIX = "paste:"


@dataclass(frozen=True, slots=True)
class _Part:
    group_id: str
    message_id: int
    sent_at: datetime


class Pastes:
    """Gives the parts of a paste one ``group_id``, named after its first message.

    Only a message as long as a cut one can begin or continue a paste; the shorter rest ends it.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, int], _Part] = OrderedDict()

    def joined(self, message: InboundMessage) -> InboundMessage:
        """Return the message with its ``group_id`` if it looks like a part of a paste; asked again, the same."""
        before = self._open.get(_key(message))
        if message.kind is not MessageKind.TEXT or message.group_id or message.forwarded_from:
            return message
        follows = (
            before is not None
            and before.message_id < message.message_id
            and abs((message.sent_at - before.sent_at).total_seconds()) <= _WITHIN_S
            and not message.text.startswith("/")
        )
        group = before.group_id if before is not None and follows else f"{_PREFIX}{message.message_id}"
        return replace(message, group_id=group) if _long(message) or follows else message

    def accepted(self, message: InboundMessage) -> None:
        """Remember a message that ``joined`` returned and that was accepted: the next one may follow it."""
        self._open.pop(_key(message), None)
        if message.group_id is not None and message.group_id.startswith(_PREFIX) and _long(message):
            self._open[_key(message)] = _Part(message.group_id, message.message_id, message.sent_at)
            if len(self._open) > _REMEMBERED:
                self._open.popitem(last=False)


def _key(message: InboundMessage) -> tuple[str, int]:
    return message.address.key, message.author.id


def _long(message: InboundMessage) -> bool:
    return len(message.text.encode("utf-16-le", "surrogatepass")) // 2 >= _CUT_LENGTH
