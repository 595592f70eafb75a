"""The receiver's collaborators, as small as they can be: a clock, paired users, a journal in memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiogram.client.telegram import TelegramAPIServer

from adapters.telegram.access import AllowLists
from adapters.telegram.polling import TelegramReceiver
from adapters.telegram.rate_limit import RateLimit, SendLimits
from bot.messages import Address, InboundMessage
from bot.retry import Backoff
from harness.fakes.telegram import FakeTelegram

ANNA = 7
STRANGER = 666
GROUP = -100123


@dataclass(slots=True)
class WallClock:
    """The real time, moved by hand when a test needs an hour to pass."""

    moved_s: float = 0.0

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic() + self.moved_s


class StaticChats:
    """Implements :class:`Chats` for a platform whose chats stay where they are."""

    def home(self, bot_id: int, chat_id: int) -> int:
        """Return the id itself."""
        return chat_id

    def current(self, address: Address) -> Address:
        """Return the address itself."""
        return address

    def is_gone(self, address: Address) -> bool:
        """Nobody leaves."""
        return False

    async def has_met(self, bot_id: int, chat_id: int) -> bool:
        """Nothing is known."""
        return False

    async def has_said(self, address: Address, message_id: int) -> bool:
        """Know of no message."""
        return False

    async def record_move(self, bot_id: int, old_id: int, new_id: int) -> None:
        """Forget it."""

    async def record_departure(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""

    async def record_arrival(self, bot_id: int, chat_id: int) -> None:
        """Forget it."""


@dataclass(slots=True)
class PairedUsers:
    """Access in memory; ``touched`` lists the users that anything was stored about."""

    codes: dict[str, datetime] = field(default_factory=dict)
    paired_users: set[int] = field(default_factory=set)
    tried: int = 0

    async def is_paired(self, bot_id: int, user_id: int) -> bool:
        """Whether the user is paired."""
        return user_id in self.paired_users

    async def issue(self, bot_id: int, code: str, expires_at: datetime) -> None:
        """Store a code."""
        self.codes[code] = expires_at

    async def redeem(self, bot_id: int, user_id: int, code: str, now: datetime) -> bool:
        """Pair the user if the code is known and fresh."""
        self.tried += 1
        if self.codes.pop(code, now) <= now:
            return False
        self.paired_users.add(user_id)
        return True

    async def unpair(self, bot_id: int, user_id: int) -> bool:
        """Take a pairing back."""
        known = user_id in self.paired_users
        self.paired_users.discard(user_id)
        return known


@dataclass(slots=True)
class Journal:
    """What was accepted; ``failures`` are raised before, one per call."""

    accepted: list[InboundMessage] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)

    async def accept(self, message: InboundMessage) -> None:
        """Keep the message, unless a failure is due."""
        if self.failures:
            raise self.failures.pop(0)
        self.accepted.append(message)

    @property
    def texts(self) -> list[str]:
        """What was written."""
        return [message.text for message in self.accepted]


def server_of(telegram: FakeTelegram) -> TelegramAPIServer:
    """Return the address of the fake as aiogram wants it."""
    return TelegramAPIServer.from_base(telegram.url)


def receiver_for(telegram: FakeTelegram, journal: Journal, **changes: Any) -> TelegramReceiver:  # Any: its arguments
    """Return a receiver that lets Anna in."""
    named = {"allowed": "users", "allowed_chats": "chats", "owners": "owners", "open_groups": "open_groups"}
    lists = {of: changes.pop(name) for name, of in named.items() if name in changes}
    arguments: dict[str, Any] = {  # Any: as above
        "accept": journal.accept,
        "access": PairedUsers(),
        "lists": AllowLists(**({"users": lambda: frozenset({ANNA})} | lists)),
        "clock": WallClock(),
        "chats": StaticChats(),
        "rate_limit": RateLimit(WallClock(), SendLimits()),
        "api_server": server_of(telegram),
        "poll_s": 1,
        "backoff": Backoff(first_s=0.01, longest_s=0.02),
    }
    return TelegramReceiver(telegram.token, **(arguments | changes))


@asynccontextmanager
async def running(receiver: TelegramReceiver) -> AsyncIterator[TelegramReceiver]:
    """Run a receiver, and stop it at the end."""
    task = asyncio.create_task(receiver.run())
    try:
        yield receiver
    finally:
        receiver.stop()
        await asyncio.wait_for(task, 60)
        await receiver.close()
