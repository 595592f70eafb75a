"""Long-term memory over LightRAG's REST API: the two ports, as one object.

Questions have a connection pool, a deadline and a breaker of their own, so that neither a sick server nor a busy
indexer delays an answer; documents go in through :class:`~adapters.rag.ingestion.Submission` and out through
:class:`~adapters.rag.deletion.Erasing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import httpx

from adapters.rag.breaker import Breaker
from adapters.rag.cache import QueryCache
from adapters.rag.deletion import Erasing
from adapters.rag.ingestion import Patience, Submission
from adapters.rag.names import Names
from adapters.rag.query import Questions, Tuning
from adapters.rag.records import Records
from adapters.rag.renaming import Move, Moving
from adapters.rag.wire import Reply, Wire
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, QueryMode, RagAnswer
from bot.turn import IndexDocument

_QUERY_CONNECTIONS: Final = 16
_INDEX_CONNECTIONS: Final = 8
_LARGEST_ANSWER: Final = 4 * 1024 * 1024
_LARGEST_LISTING: Final = 16 * 1024 * 1024
_HEALTH_DEADLINE_S: Final = 2.0


class LightRagClient:
    """Implements ``RagPort`` and ``RagEraser``; one per process, closed with :meth:`close`.

    ``base_url`` and ``api_key`` may be functions: they are asked at every call, "" means that the server has no address
    yet.  ``names`` says what our memories are called there, and whether the server keeps several chats in one
    workspace; ``heard`` is told which incarnation of a workspace has answered.  ``workspace_header=False`` is for a
    proxy that refuses unknown headers.
    ``index_timeout_s`` bounds each request of indexing and erasing, ``cache_ttl_s`` how long an answer is given again;
    both are asked each time.
    """

    def __init__(
        self,
        base_url: str | Callable[[], str],
        api_key: str | Callable[[], str],
        *,
        names: Names,
        heard: Callable[[Scope, str], None] = lambda _scope, _incarnation: None,
        workspace_header: bool = True,
        tuning: Callable[[], Tuning] = Tuning,
        index_timeout_s: Callable[[], float] = lambda: 10.0,
        cache_size: int = 512,
        cache_ttl_s: Callable[[], float] = lambda: 60.0,
        patience: Patience | None = None,
        query_transport: httpx.AsyncBaseTransport | None = None,
        index_transport: httpx.AsyncBaseTransport | None = None,
        breaker: Breaker | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        address = base_url if callable(base_url) else lambda: base_url
        key = api_key if callable(api_key) else lambda: api_key
        self._queries = Wire(
            address,
            key,
            workspace=names.workspace if workspace_header else None,
            heard=heard,
            largest=_LARGEST_ANSWER,
            connections=_QUERY_CONNECTIONS,
            transport=query_transport,
        )
        self._feeding = Wire(
            address,
            key,
            workspace=names.workspace if workspace_header else None,
            heard=heard,
            largest=_LARGEST_LISTING,
            connections=_INDEX_CONNECTIONS,
            transport=index_transport,
        )
        self._cache = QueryCache(cache_size, cache_ttl_s, monotonic)
        self._questions = Questions(
            self._queries,
            has_address=lambda: bool(address()),
            tuning=tuning,
            names=names,
            cache=self._cache,
            breaker=breaker or Breaker(),
        )
        records = Records(self._feeding, index_timeout_s)
        self._submission = Submission(
            self._feeding,
            records,
            names,
            deadline_s=index_timeout_s,
            monotonic=monotonic,
            patience=patience or Patience(),
        )
        self._old = Wire(
            address,
            key,
            workspace=(lambda scope: scope.tag) if workspace_header else None,
            largest=_LARGEST_LISTING,
            connections=_INDEX_CONNECTIONS,
            transport=index_transport,
        )
        self._moving = Moving(self._feeding, self._old, names, index_timeout_s)
        self._erasing = Erasing(self._feeding, records, names, deadline_s=index_timeout_s, workspaces=workspace_header)

    async def query(self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float) -> RagAnswer:
        """Return what is known, within ``deadline_s`` seconds in total; see :class:`~bot.ports.rag.RagPort`."""
        return await self._questions.ask(scope, question, mode, deadline_s=deadline_s)

    async def index(self, document: IndexDocument) -> IndexOutcome:
        """Bring a document one step nearer to ``processed``; see :class:`~bot.ports.rag.RagPort`."""
        outcome = await self._submission.step(document)
        if outcome is IndexOutcome.PROCESSED:
            self._cache.forget(document.scope)
        return outcome

    @property
    def asking(self) -> bool:
        """Whether a question would be sent now: there is an address and the breaker is closed."""
        return self._questions.asking

    async def is_available(self) -> bool:
        """Whether queries have a chance now."""
        return self.asking

    async def erase(self, scope: Scope, source: str) -> bool:
        """Remove one document; see :class:`~bot.ports.rag.RagEraser`."""
        self.forget_cache(scope)
        self._submission.forget(IndexDocument(scope, source, ""))
        gone = await self._erasing.erase(scope, source)
        return gone and not self._submission.unanswered.possible(scope, source)

    async def erase_scope(self, scope: Scope) -> bool:
        """Remove a scope's whole workspace; see :class:`~bot.ports.rag.RagEraser`."""
        self.forget_cache(scope)
        gone = await self._erasing.erase_scope(scope)
        return gone and not self._submission.unanswered.possible(scope)

    async def move(self, scope: Scope, ours: frozenset[str], *, alone: bool) -> Move:
        """Move what a scope has under the name from before ours; see :meth:`~adapters.rag.renaming.Moving.step`."""
        return await self._moving.step(scope, ours, alone=alone)

    def forget_cache(self, scope: Scope) -> None:
        """Forget what was answered to a scope: call it at every erase, before the erase returns."""
        self._cache.forget(scope)

    def hurry(self) -> None:
        """Probe at once instead of after the breaker's pause: the server is known to have come back."""
        self._questions.hurry()

    async def get(self, path: str) -> Reply:
        """Return the answer to a GET outside of any scope, for health checks."""
        return await self._feeding.call("GET", path, None, deadline_s=_HEALTH_DEADLINE_S)

    async def close(self) -> None:
        """End the probing and close all connections."""
        await self._questions.close()
        await self._queries.close()
        await self._feeding.close()
        await self._old.close()


__all__ = ["LightRagClient", "Tuning"]
