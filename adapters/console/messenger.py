"""Answers in the terminal.

A terminal has no message ids and no rate limits: a printed answer is delivered.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass, field
from typing import TextIO

from adapters.console.shown import show_what_fits, shown
from bot.errors import DeliveryUnknown
from bot.ports.messenger import Mark
from bot.turn import Address

PROMPT = "mneme> "
_INDENT = " " * len(PROMPT)


class PlainDraft:
    """Scripts get whole answers: a draft shows nothing."""

    message_id: int | None = None

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


@dataclass(slots=True)
class PlainMessenger:
    """Prints each answer after ``mneme> ``, continuation lines indented, and flushes."""

    out: TextIO = field(default_factory=lambda: sys.stdout)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the whole text: a terminal has no limit."""
        return (text.strip() or "…",)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        """Print it."""
        text = PROMPT + shown(part).replace("\n", "\n" + _INDENT)
        for label, data in buttons:
            text += f"\n{_INDENT}[{shown(label)}] {shown(data)}"
        try:
            show_what_fits(self.out)
            self.out.write(text + "\n")
            self.out.flush()
        except (OSError, ValueError) as error:
            raise DeliveryUnknown(f"the terminal is gone: {error}") from error
        return next(self._ids)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> PlainDraft:
        """Return a draft that shows nothing."""
        return PlainDraft()
