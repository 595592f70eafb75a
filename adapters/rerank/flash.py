"""A local cross-encoder through FlashRank, when the extra ``rerank`` is installed.

It fetches its model by itself at the first use; without the package or the model it says so and is left out.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.errors import ModelRefused, ModelUnavailable
from bot.memory.items import Recalled


class FlashReranker:
    """The port :class:`~bot.ports.reranker.Reranker` on this machine; one text pair at a time, in a thread."""

    def __init__(self, cache_dir: Path, *, model: str = "ms-marco-MiniLM-L-12-v2") -> None:
        self._cache_dir = cache_dir
        self._model = model
        self._ranker: Any = None  # Any: FlashRank has no types

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        """Return the most relevant results, best first; see :class:`~bot.ports.reranker.Reranker`."""
        if not found or top_k < 1:
            return ()
        return await asyncio.to_thread(self._run, question, found, top_k)

    def _run(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        library = _library()
        if self._ranker is None:
            try:
                self._ranker = library.Ranker(model_name=self._model, cache_dir=str(self._cache_dir))
            except Exception as error:  # FlashRank raises whatever its download raises
                raise ModelUnavailable(
                    f"the local reranker cannot load {self._model}: {type(error).__name__}"
                ) from error
        passages = [{"id": place, "text": memory.text} for place, memory in enumerate(found)]
        ranked = self._ranker.rerank(library.RerankRequest(query=question, passages=passages))
        return tuple(
            replace(
                found[entry["id"]],
                score=float(entry["score"]),
                signals=MappingProxyType({**found[entry["id"]].signals, "rerank": round(float(entry["score"]), 4)}),
            )
            for entry in ranked[:top_k]
        )


def _library() -> Any:  # Any: an optional package without types
    try:
        return importlib.import_module("flashrank")
    except ImportError as error:
        raise ModelRefused("the local reranker is not installed: add the extra 'rerank'") from error
