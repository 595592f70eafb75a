"""Leases: which of several workers on one store answers a chat, and which one leads.

A chat belongs to the worker that holds its lease, for as long as that worker says that it lives.  Whoever was silent
for longer than its term is declared gone, for good: its chats go to others, and nothing that it still tries under a
lease is written or sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from bot.ports.turn_store import Journal


LEADER: Final = "leader"
"""The lease of what only one worker does: receiving, reminders, imports, upkeep."""
LEASE: Final[ContextVar[str | None]] = ContextVar("lease that is worked under", default=None)
"""What is written under a lease is written only while it is held; without one nobody asks."""


@contextmanager
def under(lease: str | None) -> Iterator[None]:
    """Let a lease hold for what this block writes, and for tasks begun in it; ``None``: no lease is asked for."""
    before = LEASE.set(lease)
    try:
        yield
    finally:
        LEASE.reset(before)


@dataclass(frozen=True, slots=True)
class Work:
    """What a look at the store finds.

    ``given`` are places that are ours and were not taken up; ``waiting`` those of ours with messages to be answered,
    and the id of the newest, which grows within a place alone.  ``newest`` is that of all places.  ``changes`` grows
    with everything that workers hold in memory and another one may have changed.
    """

    given: tuple[str, ...]
    waiting: tuple[tuple[str, int], ...]
    newest: int
    changes: int


@dataclass(frozen=True, slots=True)
class LeaseCounts:
    """What one worker has, and what has happened to it.

    ``held`` are the places that it answers, the lead included; ``taken`` how often it took one up.  ``refused`` writes
    were not made because another worker had the lease by then; ``reaped`` others were declared gone by it.
    ``silent_s`` seconds ago its last sign of life was heard.
    """

    held: int
    taken: int
    refused: int
    reaped: int
    silent_s: float


class Leases(Protocol):
    """The leases of one worker; :meth:`join` before use, :meth:`leave` after it."""

    news: asyncio.Event
    """Set when there may be something to look for."""
    is_next: Callable[[str, int, int], bool]
    """Says whether a message of ours that was just accepted is to be answered as it comes, and not read later: told of
    its place, its entry, and the one that waits before it there, 0 for none."""

    def make_journal(self, now: Callable[[], datetime]) -> Journal:
        """Return the journal of all workers: who accepts a message also says whose it is."""

    async def join(self) -> None:
        """Become one of the workers."""

    async def leave(self) -> None:
        """Give everything back; others take over at once."""

    @property
    def gone(self) -> bool:
        """Whether this worker was declared gone; it never comes back."""

    @property
    def leads(self) -> bool:
        """Whether it holds the leader's lease."""

    async def look(self) -> Work:
        """Return what there is to do."""

    async def keep(self, place: str) -> None:
        """Note that a place was taken up."""

    async def count(self) -> LeaseCounts:
        """Return how it stands with them."""

    async def assign(self) -> None:
        """Give what is open, and nobody's that lives, to those who have least; for the leader."""

    async def hand_over(self) -> None:
        """Have every chat with open deliveries taken up anew: for a leader that begins, as others sent for the last."""

    async def release(self, busy: frozenset[str]) -> None:
        """Give everything back but some places."""

    async def hold(self) -> None:
        """Return while this worker may send, waiting for a sign of life.

        Raises :class:`~bot.errors.LeaseLost` once it was declared gone.
        """

    async def take_slot(self, bot_id: int, interval_s: float, ready: Callable[[], Awaitable[None]]) -> None:
        """Return in a moment that is this worker's, among all, to make a request for a bot, as :meth:`hold` does.

        ``ready`` is awaited before, once, as late as may be: a turn that is over when it returns is waited for again.
        """
