"""A text that was asked for: the next message of one person in one place becomes the end of a command.

Kept by the store, so that a restart between question and answer does not turn the answer into something else.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.memory.scope import Scope
from bot.messages import InboundMessage


class AwaitedTexts(Protocol):
    """At most one awaited text per person and place; a new question takes the place of an open one."""

    async def expect(self, asked: InboundMessage, scope: Scope, command: str, now: datetime, lasts_s: float) -> None:
        """Wait ``lasts_s`` seconds for the next message of whoever wrote ``asked``, to be put behind ``command``.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def take(self, message: InboundMessage, scope: Scope, now: datetime) -> str | None:
        """Return the command that this message completes, once; ``None`` when nothing is awaited (any more).

        The same update gets it again: a turn may be run twice.
        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...

    async def give_up(self, message: InboundMessage) -> None:
        """Stop waiting for a text of this message's author in its place.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
