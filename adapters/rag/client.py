"""Long-term memory over LightRAG's REST API: the two ports, as one object.

Questions have a connection pool, a deadline and a breaker of their own, so that neither a sick server nor a busy
indexer delays an answer; documents go in through :class:`~adapters.rag.ingestion.IngestionRoute` and out through
:class:`~adapters.rag.ingestion.DeletionRoute`.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Final

import httpx

from adapters.rag.ingestion import DeletionRoute, IngestionRoute, IngestionTimes
from adapters.rag.query import CircuitBreaker, QueryCache, QueryRoute, QuerySize
from adapters.rag.transport import DocumentRecords, ServerNames, ServerReply, Transport, object_in, refuse_status
from bot.errors import MemoryUnavailable
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
        names: ServerNames,
        heard: Callable[[Scope, str], None] = lambda _scope, _incarnation: None,
        workspace_header: bool = True,
        size: Callable[[], QuerySize] = QuerySize,
        index_timeout_s: Callable[[], float] = lambda: 10.0,
        cache_size: int = 512,
        cache_ttl_s: Callable[[], float] = lambda: 60.0,
        patience: IngestionTimes | None = None,
        query_transport: httpx.AsyncBaseTransport | None = None,
        index_transport: httpx.AsyncBaseTransport | None = None,
        breaker: CircuitBreaker | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:

        def connect(largest: int, connections: int, transport: httpx.AsyncBaseTransport | None) -> Transport:
            return Transport(
                base_url if callable(base_url) else lambda: base_url,
                api_key if callable(api_key) else lambda: api_key,
                workspace=names.workspace if workspace_header else None,
                heard=heard,
                largest=largest,
                connections=connections,
                transport=transport,
            )

        self._query_transport = connect(_LARGEST_ANSWER, _QUERY_CONNECTIONS, query_transport)
        self._index_transport = connect(_LARGEST_LISTING, _INDEX_CONNECTIONS, index_transport)
        self._cache = QueryCache(cache_size, cache_ttl_s, monotonic)
        self._query_route = QueryRoute(
            self._query_transport, size=size, names=names, cache=self._cache, breaker=breaker or CircuitBreaker()
        )
        records = DocumentRecords(self._index_transport, names, index_timeout_s)
        self._ingestion_route = IngestionRoute(records, monotonic=monotonic, patience=patience or IngestionTimes())
        self._deletion_route = DeletionRoute(records, workspaces=workspace_header)

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        return await self._query_route.ask(scope, question, mode, deadline_s=deadline_s, documents_only=documents_only)

    async def index(self, document: IndexDocument) -> IndexOutcome:
        outcome = await self._ingestion_route.step(document)
        if outcome is IndexOutcome.PROCESSED:
            self._cache.forget(document.scope)
        return outcome

    @property
    def asking(self) -> bool:
        return self._query_route.asking

    async def erase(self, scope: Scope, source: str) -> bool:
        self.forget_cache(scope)
        self._ingestion_route.forget(IndexDocument(scope, source, ""))
        gone = await self._deletion_route.erase(scope, source)
        return gone and not self._ingestion_route.in_flight.possible(scope, source)

    async def erase_scope(self, scope: Scope) -> bool:
        self.forget_cache(scope)
        gone = await self._deletion_route.erase_scope(scope)
        return gone and not self._ingestion_route.in_flight.possible(scope)

    async def drop(self, workspace: str) -> bool:
        """Remove a workspace by its name; ``True`` once there is none (left)."""
        path = f"/workspaces/{workspace}"
        reply = await self._index_transport.call("DELETE", path, None, deadline_s=_HEALTH_DEADLINE_S)
        return reply.status in {200, 404} and not (isinstance(reply.body, dict) and reply.body.get("residue"))

    def forget_cache(self, scope: Scope) -> None:
        """Forget what was answered to a scope: call it at every erase, before the erase returns."""
        self._cache.forget(scope)

    def hurry(self) -> None:
        self._query_route.hurry()

    async def get(self, path: str) -> ServerReply:
        """Return the answer to a GET outside of any scope, for health checks."""
        return await self._index_transport.call("GET", path, None, deadline_s=_HEALTH_DEADLINE_S)

    async def close(self) -> None:
        await self._query_route.close()
        await self._query_transport.close()
        await self._index_transport.close()


_NAMED: Final = 3


class ServerKind(StrEnum):
    """How the server handles ``LIGHTRAG-WORKSPACE``.

    Mneme's own memory server keeps each workspace apart, says so in ``/health`` by an object ``mneme``, and lists its
    workspaces; LightRAG's own puts everything into the one that it was started with, whatever the header says.
    """

    OURS = "ours"
    STOCK = "stock"


async def identify_server(client: LightRagClient) -> ServerKind:
    """Ask the server what it is.  Raises :class:`~bot.errors.MemoryUnavailable`, also for a wrong key."""
    return (await _look(client))[0]


async def _look(client: LightRagClient) -> tuple[ServerKind, dict[str, object]]:
    """Return what the server is, and what it says of its health."""
    told = object_in(await client.get("/health"))
    if isinstance(told.get("mneme"), dict):
        return ServerKind.OURS, told
    reply = await client.get("/workspaces")
    if reply.status in {401, 403}:
        raise refuse_status(reply)
    listed = reply.status == 200 and isinstance(reply.body, dict) and isinstance(reply.body.get("workspaces"), list)  # noqa: PLR2004 - HTTP's "OK"
    return ServerKind.OURS if listed else ServerKind.STOCK, told


async def health(client: LightRagClient) -> tuple[str, str]:
    """Return "ok", "degraded" or "down", and the reason in one sentence.

    ``/health`` answers to everybody; only a route behind the key tells whether the key is right.
    """
    try:
        kind, told = await _look(client)
        object_in(await client.get("/workspaces" if kind is ServerKind.OURS else "/documents/pipeline_status"))
    except MemoryUnavailable as error:
        return "down", str(error)
    if not client.asking:
        return "degraded", "the server is up, but its answers to questions failed lately"
    damaged = told.get("set_aside")
    if isinstance(damaged, list) and damaged:
        kept = ", ".join(map(str, damaged[:_NAMED])) + (", …" if len(damaged) > _NAMED else "")
        return "degraded", (
            f"{len(damaged)} damaged workspace files were set aside in workspaces/damaged ({kept}); what was said is "
            "indexed again by itself; delete them once nothing is missing"
        )
    what = "Mneme's memory server" if kind is ServerKind.OURS else "a stock LightRAG server, one workspace for all"
    return "ok", f"{what} answers"
