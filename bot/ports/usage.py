"""The ledger of what calls to language models cost: per scope, day, model and purpose."""

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from bot.memory.scope import Scope
from bot.usage import Usage, UsageKind


@dataclass(frozen=True, slots=True)
class Spending:
    """What a scope has cost in a stretch of time: answers, and everything in the background."""

    answers: Usage = field(default_factory=Usage)
    background: Usage = field(default_factory=Usage)

    @property
    def total(self) -> Usage:
        """Both together."""
        return self.answers + self.background

    @property
    def background_share(self) -> float:
        """The background's share of all tokens, read and written, 0..1."""
        total, background = self.total, self.background
        tokens = total.prompt + total.completion
        return (background.prompt + background.completion) / tokens if tokens else 0.0


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What calls of one kind to one model have used for a scope: of calls whose cost was reported, or of others.

    ``scope`` is its tag, "" for all that were erased; ``day`` an ISO date (UTC), "" for a sum of several.
    """

    scope: str
    day: str
    model: str
    kind: UsageKind
    used: Usage


class UsageLedger(Protocol):
    """Keeps what was spent, by scope until that is erased, and then of all erased ones together.

    Figures only: no text, no author.
    """

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        """Add to today (UTC) and return at once; a crash within the next second may lose it."""

    async def read(self, scope: Scope) -> tuple[Spending, Spending]:
        """Return what a scope has cost today (UTC) and in all; the last second may be missing.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """

    async def add_up(self, first: date, last: date, scope: Scope | None = None) -> tuple[UsageRow, ...]:
        """Return the sums of the days (UTC) from ``first`` to ``last`` by scope, model and kind, in that order.

        Of one scope, or of all; errors and what may be missing as for :meth:`read`.
        """

    async def list_days(self, scope: Scope, after: str = "", limit: int = 366) -> tuple[UsageRow, ...]:
        """Return what a scope has used day by day, oldest first, of at most ``limit`` days behind ``after``.

        ``after`` is an ISO date; errors as for :meth:`read`.
        """
