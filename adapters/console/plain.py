"""Terminal chat for scripts: one message per input line, answers on standard output, nothing else there."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from adapters.console.lines import Lines
from bot.turn import InboundMessage


@dataclass(frozen=True, slots=True)
class PlainReceiver:
    """Reads lines until the end of input.

    ``accept`` journals and starts a message; ``answered`` returns when its answer is out; ``settled`` (``--settle``)
    when what was said is indexed in long-term memory.
    """

    accept: Callable[[InboundMessage], Awaitable[None]]
    answered: Callable[[], Awaitable[None]]
    settled: Callable[[], Awaitable[None]] | None
    lines: Lines
    source: BinaryIO = field(default_factory=lambda: sys.stdin.buffer)

    async def run(self) -> None:
        """Return at the end of input, when every line is answered."""
        while raw := await asyncio.to_thread(self.source.readline):
            message = self.lines.message(raw.decode("utf-8", errors="replace"))
            if not message.text:
                continue
            await self.accept(message)
            await self.answered()
            if self.settled is not None:
                await self.settled()
