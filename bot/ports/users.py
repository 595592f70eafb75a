"""Users: who was paired by a one-time code beside the allow list, and what the operator sees of each, never words."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol


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


class UserDirectory(Protocol):
    """Describes users from what is stored anyway."""

    async def describe(self, bot_id: int, listed: tuple[int, ...], first: date, last: date) -> tuple[UserFigures, ...]:
        """Return who is paired with a bot, and who is ``listed``, by id; tokens are those of these days (UTC).

        Raises :class:`~bot.errors.StorageUnavailable`.
        """


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
