"""A channel: a platform on which people talk to Mneme, with what it can do and what it cannot.

``adapters/telegram`` and ``adapters/console`` are two; others are found by an entry point in the group
``mneme.channels``: an asynchronous function of the :class:`~bot.runtime.app.App` and of what takes messages in
(:data:`Accept`) that returns a :class:`Channel`.  Only those are loaded that ``plugins.channels`` names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.messages import Address, InboundMessage
from bot.ports.chats import GroupRoles
from bot.ports.messenger import FileSource, Messenger
from bot.ports.reminders import Reminder

Accept = Callable[[InboundMessage], Awaitable[None]]
"""Takes a message in; it is on disk once this has returned, and a repeated one is recognised by its ``update_id``."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a channel can do beyond what the optional protocols of its messenger say (``bot/ports/messenger.py``)."""

    edits: bool = True
    """Whether a message that was sent can become another; else only the end of a long piece of work is told."""
    local: bool = False
    """Whether whoever writes sits at this machine, and hands over files by their path."""
    mention: str = "{name}"
    """How a person of a group is named so that they are told of it, with ``{name}`` and ``{id}``."""


async def _admit_everybody(_reminder: Reminder) -> bool:
    return True


async def _nothing() -> None:
    """Nothing is left to close."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One platform, ready to run; ``name`` is the platform of its addresses."""

    name: str
    messenger: Messenger
    receive: Callable[[], Coroutine[Any, Any, None]]  # Any: a coroutine is not sent to
    """Receives messages until ``stop`` is called."""
    stop: Callable[[], None]
    close: Callable[[], Awaitable[None]] = _nothing
    """Closes connections, once no turn sends any more."""
    abilities: Abilities = Abilities()
    files: FileSource | None = None
    """Where the files of its messages lie."""
    roles: GroupRoles | None = None
    """Who runs its groups."""
    show_menu: Callable[[Address, str], Awaitable[None]] | None = None
    """Shows a chat the menu of commands in a language, "" for that of each reader; never raises."""
    tell_operator: Callable[[str], Awaitable[None]] | None = None
    """Sends the operator a sentence; :class:`~bot.errors.NotDelivered` asks to be tried again."""
    operator_at: Callable[[], Address | None] | None = None
    """Where the operator is told, ``None`` when nobody is named."""
    trouble: Callable[[], str] | None = None
    """What is wrong with it now, "" when nothing is."""
    remark: Callable[[], str] | None = None
    """What is worth knowing though nothing is wrong."""
    admits: Callable[[Reminder], Awaitable[bool]] = _admit_everybody
    """Whether who asked for a reminder may still be written to there."""
    client: object = None
    """The client of its library, for features of just this channel."""
