"""The chat that runs now, for whatever a turn calls that knows nothing of chats: a clock, a draft, a tool.

Everything that is awaited or started in the block belongs to its chat.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from bot.messages import Address

_HERE: Final[ContextVar[Address | None]] = ContextVar("chat that runs now", default=None)


@contextmanager
def in_chat(address: Address) -> Iterator[None]:
    """Let the rules of a chat hold in this block, and in tasks begun in it."""
    before = _HERE.set(address)
    try:
        yield
    finally:
        _HERE.reset(before)


def find_chat() -> Address | None:
    """Return where we are, ``None`` outside of any conversation."""
    return _HERE.get()
