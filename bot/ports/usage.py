"""The ledger of what calls to language models cost: per scope, day, model and purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
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


class UsageLedger(Protocol):
    """Keeps what was spent until the scope is erased.  Figures only: no text, no author."""

    def note(self, scope: Scope, kind: UsageKind, model: str, used: Usage) -> None:
        """Add to today (UTC) and return at once; a crash within the next second may lose it."""
        ...

    async def read(self, scope: Scope) -> tuple[Spending, Spending]:
        """Return what a scope has cost today (UTC) and in all; the last second may be missing.

        Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
