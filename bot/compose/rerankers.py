"""The reranker of the settings in force."""

from __future__ import annotations

from adapters.rerank import COHERE, JINA, FlashReranker, HttpReranker
from bot.compose.plugins import made
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.memory_schema import RerankSettings
from bot.ports.reranker import Reranker

_ENDPOINTS = {"cohere": COHERE, "jina": JINA}


class Rerankers:
    """Makes a reranker once per distinct settings, so that a reload of something else keeps its connections."""

    def __init__(self, live: LiveSettings, places: Folders) -> None:
        self._live = live
        self._models = places.models
        self._made_for: RerankSettings | None = None
        self._reranker: Reranker | None = None
        self._endpoints: list[HttpReranker] = []

    def reranker(self) -> Reranker | None:
        """Return the reranker, ``None`` when none is configured."""
        settings = self._live.current().rag.rerank
        if settings != self._made_for:
            self._made_for = settings
            self._reranker = self._make(settings)
        return self._reranker

    async def close(self) -> None:
        """Close the connections of every reranker that was made."""
        for endpoint in self._endpoints:
            await endpoint.close()

    def _make(self, settings: RerankSettings) -> Reranker | None:
        if provider := _ENDPOINTS.get(settings.provider):
            endpoint = HttpReranker(
                provider,
                settings.api_key,
                url=settings.url,
                model=settings.model,
                deadline_s=settings.timeout_seconds,
            )
            self._endpoints.append(endpoint)
            return endpoint
        if settings.provider == "flashrank":
            folder = self._models / "flashrank"
            return FlashReranker(folder, model=settings.model) if settings.model else FlashReranker(folder)
        if settings.provider == "plugin":
            reranker: Reranker | None = made("rerankers", settings.plugin, settings)
            return reranker
        return None
