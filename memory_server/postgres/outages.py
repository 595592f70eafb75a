"""Tell an outage from a fault of the document, where LightRAG's pipeline only says that something failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from memory_server.errors import ModelRefused, Temporary
from memory_server.extraction.language_model import Answer, LanguageModel
from memory_server.ports import Embedder, Vectors


@dataclass(slots=True)
class Outages:
    """How often vectors or the model were out of reach."""

    count: int = 0

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Count what fails inside for want of the other side."""
        try:
            yield
        except (Temporary, ModelRefused):
            self.count += 1
            raise


@dataclass(frozen=True, slots=True)
class WatchedEmbedder:
    """An embedder whose outages are counted."""

    embedder: Embedder
    outages: Outages

    @property
    def model(self) -> str:
        """See :class:`~memory_server.ports.Embedder`."""
        return self.embedder.model

    @property
    def dimension(self) -> int:
        """See :class:`~memory_server.ports.Embedder`."""
        return self.embedder.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See :class:`~memory_server.ports.Embedder`."""
        with self.outages.noted():
            return await self.embedder.embed(texts)


@dataclass(frozen=True, slots=True)
class WatchedModel:
    """A language model whose outages are counted."""

    model: LanguageModel
    outages: Outages

    @property
    def name(self) -> str:
        """See :class:`LanguageModel`."""
        return self.model.name

    async def complete(self, prompt: str, system_prompt: str | None = None, **hints: Any) -> Answer:  # Any: LightRAG's
        """See :class:`LanguageModel`."""
        with self.outages.noted():
            return await self.model.complete(prompt, system_prompt, **hints)
