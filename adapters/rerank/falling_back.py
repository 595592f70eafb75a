"""A reranker that never costs an answer: what fails or is late leaves the order as it was, with a note."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.errors import MnemeError
from bot.memory.items import Recalled
from bot.memory.ranking.limits import limited
from bot.ports.reranker import Reranker


@dataclass(frozen=True, slots=True)
class Reranked:
    """Results, and why they were not reranked ("" when they were)."""

    found: tuple[Recalled, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class FallingBack:
    """Stage policy "fallback": rerank within ``deadline_s``, else limit by type for the query mode.

    With ``reranker`` ``None`` the limiter alone works; with ``top_k`` 0 everything is returned.
    """

    reranker: Reranker | None
    top_k: int = 20
    deadline_s: float = 2.0

    async def __call__(self, question: str, found: tuple[Recalled, ...], mode: str) -> Reranked:
        """Return at most ``top_k`` results; raises nothing but cancellation."""
        if self.top_k < 1:
            return Reranked(found)
        if self.reranker is None:
            return Reranked(limited(found, mode, self.top_k))
        try:
            async with asyncio.timeout(self.deadline_s):
                return Reranked(await self.reranker.rerank(question, found, self.top_k))
        except TimeoutError:
            reason = f"late after {self.deadline_s:g} s"
        except MnemeError as error:
            reason = str(error)
        return Reranked(limited(found, mode, self.top_k), f"not reranked: {reason}")
