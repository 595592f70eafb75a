"""Compressor: shortens what was found for a question."""

from __future__ import annotations

from typing import Protocol

from bot.memory.items import Recalled


class Compressor(Protocol):
    """Shortens memories for a question; slower and better than leaving sentences out."""

    async def compress(self, question: str, found: tuple[Recalled, ...], budget_tokens: int) -> tuple[Recalled, ...]:
        """Return ``found`` within ``budget_tokens``, best first, each with a text that its own bears out.

        Raises :class:`~bot.errors.ModelUnavailable`, :class:`~bot.errors.ModelRefused` or
        :class:`~bot.errors.ContextTooLong`; the caller leaves sentences out instead.
        """
        ...
