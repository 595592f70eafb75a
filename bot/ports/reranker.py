"""Reranker: a model that reads question and result together and sorts the results anew."""

from __future__ import annotations

from typing import Protocol

from bot.memory.items import Recalled


class Reranker(Protocol):
    """Sorts results; slower and better than what found them."""

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        """Return the ``top_k`` most relevant of ``found``, best first, with the model's score as ``score``.

        Raises :class:`~bot.errors.ModelUnavailable` or :class:`~bot.errors.ModelRefused`; nothing is retried.
        """
        ...
