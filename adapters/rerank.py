"""Rerankers: Cohere (v2) and Jina (v1) over HTTP, which differ in address, model and one field, FlashRank here.

https://docs.cohere.com/reference/rerank and https://jina.ai/reranker: POST ``{model, query, documents, top_n}`` gives
``{"results": [{"index", "relevance_score"}]}``.
"""

import asyncio
import importlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import httpx

from bot.errors import ModelRefused, ModelUnavailable
from bot.memory.items import Recalled

_KEY_REFUSED: Final = frozenset({401, 403})
_REFUSED: Final = frozenset({400, 402, 404, 422})
_LONGEST_DOCUMENT: Final = 4000
_MOST_DOCUMENTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider listens, its default model, and what else it wants in the body."""

    name: str
    url: str
    model: str
    extra: tuple[tuple[str, object], ...] = ()


COHERE: Final = Provider("Cohere", "https://api.cohere.com/v2/rerank", "rerank-v3.5")
JINA: Final = Provider(
    "Jina", "https://api.jina.ai/v1/rerank", "jina-reranker-v2-base-multilingual", (("return_documents", False),)
)


class HttpReranker:
    """The port :class:`~bot.ports.embedder.Reranker` over HTTP; closed with :meth:`close`.

    ``url`` and ``model`` take the place of the provider's, "" keeps them.  ``deadline_s`` bounds the whole call.
    """

    def __init__(
        self,
        provider: Provider,
        api_key: str,
        *,
        url: str = "",
        model: str = "",
        deadline_s: float = 2.0,
    ) -> None:
        self._provider = provider
        self._url = url or provider.url
        self._model = model or provider.model
        self._deadline_s = deadline_s
        self._client = httpx.AsyncClient(headers={"Authorization": f"Bearer {api_key}"}, timeout=deadline_s)

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
        found = found[:_MOST_DOCUMENTS]
        if not found or top_k < 1:
            return ()
        windows = [
            (place, memory.text[start : start + _LONGEST_DOCUMENT])
            for place, memory in enumerate(found)
            for start in range(0, max(len(memory.text), 1), _LONGEST_DOCUMENT)
        ][:_MOST_DOCUMENTS]
        body = {
            "model": self._model,
            "query": question,
            "documents": [text for _, text in windows],
            "top_n": min(top_k + max(len(windows) - len(found), 0), len(windows)),
            **dict(self._provider.extra),
        }
        answer = await self._post(body)
        scored = _scores(answer, len(windows))
        if scored is None:
            raise ModelUnavailable(f"the reranker ({self._provider.name}) gave an answer of another shape")
        best: dict[int, float] = {}  # a long text is as relevant as its most relevant part
        for window, score in scored:
            best.setdefault(windows[window][0], score)
        return tuple(_scored(found[index], score) for index, score in list(best.items())[:top_k])

    async def check(self) -> None:
        """Rank one word: the providers offer no cheaper call that looks at the key.  Raises as :meth:`rerank` does."""
        await self._post(
            {"model": self._model, "query": "a", "documents": ["a"], "top_n": 1, **dict(self._provider.extra)}
        )

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(self, body: dict[str, object]) -> Any:  # Any: JSON, checked by the caller
        name = self._provider.name
        try:
            async with asyncio.timeout(self._deadline_s):
                response = await self._client.post(self._url, json=body)
        except (httpx.HTTPError, TimeoutError) as error:
            raise ModelUnavailable(f"the reranker ({name}) cannot be reached: {type(error).__name__}") from error
        if response.status_code in _KEY_REFUSED:
            status = response.status_code
            raise ModelRefused(f"the reranker ({name}) does not accept rag.rerank.apiKey: HTTP {status}")
        if response.status_code in _REFUSED:
            raise ModelRefused(f"the reranker ({name}) refuses: HTTP {response.status_code}; check key and model")
        if response.status_code != httpx.codes.OK:
            raise ModelUnavailable(f"the reranker ({name}) answers HTTP {response.status_code}")
        try:
            return response.json()
        except ValueError as error:
            raise ModelUnavailable(f"the reranker ({name}) does not answer in JSON") from error


def _scores(answer: Any, count: int) -> list[tuple[int, float]] | None:  # Any: JSON of any shape
    """Return pairs of index and score, best first, ``None`` for an answer that is not one."""
    results = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(results, list):
        return None
    pairs: dict[int, float] = {}
    for entry in results:
        index, score = (entry.get("index"), entry.get("relevance_score")) if isinstance(entry, dict) else (None, None)
        if not isinstance(index, int) or not isinstance(score, int | float) or not 0 <= index < count:
            return None
        if not math.isfinite(score):
            return None
        pairs.setdefault(index, float(score))
    return sorted(pairs.items(), key=lambda pair: -pair[1])


def _scored(memory: Recalled, score: float) -> Recalled:
    return replace(memory, score=score, signals=MappingProxyType({**memory.signals, "rerank": round(score, 4)}))


class FlashReranker:
    """The port :class:`~bot.ports.embedder.Reranker` on this machine; one text pair at a time, in a thread.

    A cross-encoder through FlashRank, when the extra ``rerank`` is installed.  It fetches its model by itself at the
    first use; without the package or the model it says so and is left out.
    """

    def __init__(self, cache_dir: Path, *, model: str = "ms-marco-MiniLM-L-12-v2") -> None:
        self._cache_dir = cache_dir
        self._model = model
        self._ranker: Any = None  # Any: FlashRank has no types

    async def rerank(self, question: str, found: tuple[Recalled, ...], top_k: int) -> tuple[Recalled, ...]:
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
        return tuple(_scored(found[entry["id"]], float(entry["score"])) for entry in ranked[:top_k])


def _library() -> Any:  # Any: an optional package without types
    try:
        return importlib.import_module("flashrank")
    except ImportError as error:
        raise ModelRefused("the local reranker is not installed: add the extra 'rerank'") from error
