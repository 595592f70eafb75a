"""The chat that runs now, for whatever a turn calls that knows nothing of chats: a clock, a draft, a tool.

Everything that is awaited or started in the block belongs to its chat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from bot.messages import Address

HERE: Final[ContextVar[Address | None]] = ContextVar("chat that runs now", default=None)
"""Where we are, ``None`` outside of any conversation."""


@contextmanager
def in_chat(address: Address) -> Iterator[None]:
    """Let the rules of a chat hold in this block, and in tasks begun in it."""
    before = HERE.set(address)
    try:
        yield
    finally:
        HERE.reset(before)
