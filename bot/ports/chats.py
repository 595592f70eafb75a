"""Chats: what one has settled for itself, where it is now, and who runs it.

Users: who was paired by a one-time code beside the allow list, and what the operator sees of each, never words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Protocol, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog

from bot.memory.scope import ScopeKind
from bot.messages import Address


@dataclass(frozen=True, slots=True)
class UserFigures:
    """Figures of one user's own chat with a bot.

    ``name`` is the one they wrote under last, "" when nothing of theirs is kept; ``paired_at`` is ``None`` for who is
    let in by the configuration; ``messages`` counts what is kept of them, ``tokens`` what models read and wrote for
    them in the stretch that was asked for.
    """

    id: int
    name: str
    paired_at: datetime | None
    last_seen: datetime | None
    messages: int
    tokens: int


class Access(Protocol):
    """Paired users, beside the allow list of the configuration."""

    async def is_paired(self, bot_id: int, user_id: int) -> bool:
        """Whether this user redeemed a pairing code of this bot before."""

    async def issue(self, bot_id: int, code: str, expires_at: datetime) -> None:
        """Store a one-time code (only its hash)."""

    async def redeem(self, bot_id: int, user_id: int, code: str, now: datetime) -> bool:
        """Pair the user if the code is valid, unexpired and unused; wrong codes leave no trace of the user."""

    async def unpair(self, bot_id: int, user_id: int) -> bool:
        """Take a user's pairing back; ``False`` if there was none.  Their next message is a stranger's."""


class Chats(Protocol):
    """Answers from memory, and keeps over restarts what it was told."""

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id that a chat had first: its memory and its place on the allow list go by that one."""

    def current(self, address: Address) -> Address:
        """Return where a place is now; what it referred to does not exist there."""

    def is_gone(self, address: Address) -> bool:
        """Whether the bot was removed from the chat, or blocked."""

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        """Whether anything was ever answered there.  Raises :class:`~bot.errors.StorageUnavailable`."""

    async def has_said(self, address: Address, message_id: int) -> bool:
        """Whether a message of a place is kept, in any version; errors as for :meth:`has_met`."""

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Let the conversations of a chat go on under another id.

        Known from now on also when it raises :class:`~bot.errors.StorageUnavailable`: then until the next start.
        """

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        """Note that nothing can be sent to a chat any more; errors as for :meth:`record_move`."""

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Note that a chat can be reached (again); errors as for :meth:`record_move`."""


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """The choices of one chat; what is empty or ``None`` is left to the operator's settings.

    ``language`` is a two-letter code, ``time_zone`` an IANA name that is known here.  Nothing that nobody asked for at
    that moment is sent from ``quiet_from`` to ``quiet_to``, times of day in that zone; both are set or none is.
    """

    language: str = ""
    memory: bool | None = None
    streaming: bool | None = None
    time_zone: str = ""
    quiet_from: time | None = None
    quiet_to: time | None = None
    scope: ScopeKind | None = None

    @classmethod
    def read(
        cls,
        language: str,
        memory: bool | None,  # noqa: FBT001 - as it is kept
        streaming: bool | None,  # noqa: FBT001 - as above
        time_zone: str,
        quiet: tuple[str | None, str | None],
        scope: ScopeKind | None = None,
    ) -> Self:
        """Return the choices that were written down; one that cannot be read counts as not made, and is logged."""
        begin, end = (_read_time(told) for told in quiet)
        if begin is None or end is None:
            begin = end = None
        return cls(language, memory, streaming, time_zone if is_zone(time_zone) else "", begin, end, scope)

    def localise(self, moment: datetime) -> datetime:
        """Return an aware moment in the chat's zone, as it is where the chat has none."""
        return moment.astimezone(ZoneInfo(self.time_zone)) if self.time_zone else moment

    def find_quiet_end(self, now: datetime) -> datetime | None:
        """Return when the quiet hours end that ``now`` (aware) falls into, in UTC; ``None`` while it is not quiet."""
        if self.quiet_from is None or self.quiet_to is None:
            return None
        local = self.localise(now)
        begin, end = self.quiet_from, self.quiet_to
        here = local.time()
        quiet = begin <= here < end if begin <= end else here >= begin or here < end
        if not quiet:
            return None
        day = local.date() + timedelta(days=1 if here >= end else 0)
        return datetime.combine(day, end, local.tzinfo).astimezone(UTC)


def _read_time(told: str | None) -> time | None:
    try:
        return time.fromisoformat(told) if told else None
    except ValueError:
        structlog.get_logger().warning("a chat's quiet hours cannot be read")
        return None


def is_zone(name: str) -> bool:
    """Return whether a name is that of a time zone that is known here."""
    try:
        return bool(name and ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        structlog.get_logger().warning("a time zone is not known here", zone=name)
        return False


class ChatSettingsStore(Protocol):
    """Answers from memory, and keeps over restarts what it was told.

    A chat is what its members call so: all topics of a group, and the group after it has got another id.
    """

    @property
    def known(self) -> Mapping[tuple[str, int, int], ChatSettings]:
        """The chats that have made a choice, by platform, bot and chat: mostly none."""

    def find(self, address: Address) -> ChatSettings:
        """Return the choices of the chat that a place belongs to; the defaults where it has made none."""

    async def adjust(self, address: Address, edit: Callable[[ChatSettings], ChatSettings]) -> ChatSettings:
        """Change some of a chat's choices, whoever else changes others at the same time; return all of them.

        Raises :class:`~bot.errors.StorageUnavailable`; then those from before hold.
        """

    def list_chats(self) -> tuple[tuple[Address, ChatSettings], ...]:
        """Return every chat that has made a choice, by the id it had first, and its choices; in the order of ids."""


class GroupRoles(Protocol):
    """Asks a platform, anew every time: whoever was an admin yesterday may be none today."""

    async def is_admin(self, address: Address, user_id: int) -> bool:
        """Return whether a user runs the group that a place belongs to; ``False`` where that cannot be learned."""
