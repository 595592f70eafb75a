"""What the operator sees of a user: when they came, when they wrote last, how much; never what."""

from __future__ import annotations

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
        ...
