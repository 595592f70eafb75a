"""Long-term memory over LightRAG's REST API: the two ports, as one object.

Questions have a connection pool, a deadline and a breaker of their own, so that neither a sick server nor a busy
indexer delays an answer; documents go in through :class:`~adapters.rag.client.IngestionRoute` and out through
:class:`~adapters.rag.client.DeletionRoute`.

Documents into LightRAG and out of it: one after the other, a step at a time, each step safe to repeat.

The server is the truth: a POST of a name that it knows gets 409 with the document's status, so that after any fault
(an answer lost, a wrong track id, a restart of either side) posting again tells where the document stands.  The memory
kept here only saves requests and remembers which repair was tried; losing it costs time, nothing else.

LightRAG confirms a deletion before it begins, also one of a document that never was, and its own success message has
been wrong; so an erase ends only when the listing does not know the document and a query does not find it.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote

import httpx
from cachetools import LRUCache

from adapters.rag.query import CircuitBreaker, QueryCache, QueryRoute, QuerySize
from adapters.rag.transport import (
    NO_SUCH_ROUTE,
    DocumentRecord,
    DocumentRecords,
    DocumentState,
    ServerNames,
    ServerReply,
    Transport,
    document_id,
    object_in,
    read_conflict,
    refuse_status,
)
from bot.errors import DocumentRejected, MemoryUnavailable
from bot.memory.document import clean_for_lightrag
from bot.memory.scope import Scope
from bot.ports.rag import IndexOutcome, QueryMode, RagAnswer
from bot.turn import IndexDocument

_MOST_REMEMBERED: Final = 10_000
_BUSY_PAUSE_S: Final = 1.0
_POISON: Final = 5
_OTHERS: Final = 3
"""A document that gets 500 five times, while three others were taken since, is at fault itself."""
_UNDATED: Final = "a failure of unknown date"
_RECOVERED: Final = "the repair has begun"


@dataclass(frozen=True, slots=True)
class IngestionTimes:
    """Seconds of waiting before something is done about it.

    ``empty_track_s``: a track that shows nothing is given up.  ``stuck_s``, doubling: a document under way is resumed.
    ``repair_s``: a repair that does not show has failed.  ``reinsert_s``: the pause before the second repair.
    ``late_s``: a request without an answer is no longer carried out.
    """

    empty_track_s: float = 2.0
    stuck_s: float = 120.0
    repair_s: float = 60.0
    reinsert_s: float = 20.0
    late_s: float = 15.0


@dataclass(slots=True)
class _Progress:
    """What is known about a document on its way; ``since`` is monotonic."""

    since: float
    track: str = ""
    repairs: int = 0
    failed_at: str = ""
    nudges: int = 0
    distinct: bool = False
    errors: int = 0
    taken_before: int = 0


class IngestionRoute:
    """Implements ``RagPort.index``."""

    def __init__(self, records: DocumentRecords, *, monotonic: Callable[[], float], patience: IngestionTimes) -> None:
        self._records, self._names = records, records.names
        self._monotonic, self._patience = monotonic, patience
        self._known: LRUCache[str, _Progress] = LRUCache(_MOST_REMEMBERED)
        self._taken = 0
        self.in_flight = InFlight(patience.late_s, monotonic)
        """What was sent and may still be stored."""

    async def step(self, document: IndexDocument) -> IndexOutcome:
        """Do the one request that brings the document nearer to ``processed``, and say where it stands."""
        progress: _Progress = self._known.setdefault(_name(document), _Progress(self._monotonic()))
        outcome = await (self._look(document, progress) if progress.track else self._post(document, progress))
        if outcome is not IndexOutcome.WAITING:
            self.forget(document)
        return outcome

    def forget(self, document: IndexDocument) -> None:
        """Drop what is remembered about a document: it is done, or somebody erases it."""
        self._known.pop(_name(document), None)

    async def _post(self, document: IndexDocument, progress: _Progress) -> IndexOutcome:
        text = clean_for_lightrag(document.text)
        body = {
            # LightRAG drops a text that it has seen under another name
            "text": f"Source: {document.source}\n{text}" if progress.distinct else text,
            "file_source": self._names.document(document.source),
        }
        with self.in_flight.sending(document.scope, document.source):
            reply = await self._records.call("POST", "/documents/text", document.scope, body)
        match reply.status:
            case 200:
                self._taken += 1
                progress.since = self._monotonic()
                track = reply.body.get("track_id") if isinstance(reply.body, dict) else None
                progress.track = quote(track, safe="") if isinstance(track, str) else ""
                return IndexOutcome.WAITING
            case 409 if (state := read_conflict(reply)) is not None:
                return await self._judge(document, progress, state)
            case 409:
                raise MemoryUnavailable(
                    "long-term memory unavailable: it is deleting something, HTTP 409", retry_after_s=_BUSY_PAUSE_S
                )
            case 400 | 413 | 422:
                raise DocumentRejected(f"long-term memory refuses the document: HTTP {reply.status}")
            case _:
                raise self._trouble(progress, reply)

    async def _look(self, document: IndexDocument, progress: _Progress) -> IndexOutcome:
        name = self._names.document(document.source)
        wanted = document_id(name)
        found = await self._records.list_tracked(document.scope, progress.track)
        mine = sorted((record for record in found if record.source == name), key=lambda record: bool(record.original))
        if mine and not mine[0].original:  # itself comes before what was taken for its duplicate
            return await self._judge(document, progress, mine[0].state, mine[0].updated_at)
        if mine:
            return await self._duplicate(document, progress, mine[0], wanted)
        if self._seconds_waited(progress) >= self._patience.empty_track_s:
            progress.track = ""
        return IndexOutcome.WAITING

    async def _duplicate(
        self, document: IndexDocument, progress: _Progress, record: DocumentRecord, wanted: str
    ) -> IndexOutcome:
        """Our POST was taken for a duplicate: of ourselves (two POSTs at once), or of another document's text."""
        if record.original != wanted:
            progress.distinct = True
        await self._records.delete(document.scope, record.id)
        progress.track = ""
        return IndexOutcome.WAITING

    async def _judge(
        self, document: IndexDocument, progress: _Progress, state: DocumentState, updated_at: str = ""
    ) -> IndexOutcome:
        if state is DocumentState.PROCESSED:
            return IndexOutcome.PROCESSED
        if state is not DocumentState.FAILED:
            if progress.failed_at:
                progress.failed_at = _RECOVERED
            if self._seconds_waited(progress) >= self._patience.stuck_s * 2**progress.nudges:
                progress.nudges += 1
                await self._resume(document)
            return IndexOutcome.WAITING
        return await self._repair(document, progress, updated_at or _UNDATED)

    async def _repair(self, document: IndexDocument, progress: _Progress, failed_at: str) -> IndexOutcome:
        """Have it processed once more, then delete and insert it again, then give up."""
        if progress.failed_at == failed_at and self._seconds_waited(progress) < self._patience.repair_s:
            return IndexOutcome.WAITING
        match progress.repairs:
            case 0:
                await self._resume(document)
            case 1:
                if self._seconds_waited(progress) < self._patience.reinsert_s:
                    return IndexOutcome.WAITING
                wanted = document_id(self._names.document(document.source))
                if not await self._records.delete(document.scope, wanted):
                    return IndexOutcome.WAITING
                progress.track, failed_at = "", _UNDATED
            case _:
                return IndexOutcome.FAILED
        progress.repairs += 1
        progress.failed_at = failed_at
        progress.since = self._monotonic()
        return IndexOutcome.WAITING

    async def _resume(self, document: IndexDocument) -> None:
        """Have failed documents processed again, and those that a crash left lying: LightRAG resumes nothing itself."""
        reply = await self._records.call("POST", "/documents/reprocess_failed", document.scope)
        if reply.status != 200:  # noqa: PLR2004 - HTTP's "OK"
            raise refuse_status(reply)

    def _trouble(self, progress: _Progress, reply: ServerReply) -> MemoryUnavailable | DocumentRejected:
        """Tell a sick server from a document that makes it sick: the others were taken meanwhile."""
        if reply.status == 500:  # noqa: PLR2004 - HTTP's "internal server error"
            if not progress.errors:
                progress.taken_before = self._taken
            progress.errors += 1
            if progress.errors >= _POISON and self._taken - progress.taken_before >= _OTHERS:
                return DocumentRejected(f"long-term memory answers HTTP 500 to this document, {progress.errors} times")
        return refuse_status(reply)

    def _seconds_waited(self, progress: _Progress) -> float:
        return self._monotonic() - progress.since


def _name(document: IndexDocument) -> str:
    return f"{document.scope.tag}/{document.source}"


_MANY: Final = 1000


class InFlight:
    """Remembers for ``for_s`` seconds of ``monotonic`` which documents were sent without an answer.

    A POST that timed out may be stored after an erase has looked for the document and found nothing; so an erase does
    not believe that until the POST can no longer be under way.
    """

    def __init__(self, for_s: float, monotonic: Callable[[], float]) -> None:
        self._for_s = for_s
        self._monotonic = monotonic
        self._sent: dict[tuple[Scope, str], float] = {}

    @contextmanager
    def sending(self, scope: Scope, source: str) -> Iterator[None]:
        """Wrap a request: one that ends without an exception was answered."""
        if len(self._sent) > _MANY:
            self._sent = {key: at for key, at in self._sent.items() if self._is_recent(at)}
        try:
            yield
        except BaseException:
            self._sent[scope, source] = self._monotonic()
            raise
        # An older unanswered request for the same document stays remembered: this answer says nothing about it.

    def possible(self, scope: Scope, source: str = "") -> bool:
        """Whether a document (any of the scope's, without a ``source``) may still arrive."""
        return any(self._is_recent(at) for (of, name), at in self._sent.items() if of == scope and source in {"", name})

    def _is_recent(self, at: float) -> bool:
        return self._monotonic() - at < self._for_s


_BATCH: Final = 100
_VERIFIED_RESULTS: Final = 100


class DeletionRoute:
    """Implements ``RagEraser``."""

    def __init__(self, records: DocumentRecords) -> None:
        self._records, self._names = records, records.names

    async def erase(self, scope: Scope, source: str) -> bool:
        """Remove one document; ``True`` once it is gone.  A repeated call is one more step."""
        name = self._names.document(source)
        wanted = document_id(name)
        if await self._records.find(scope, wanted) is not None or await self._residue(scope, name, wanted):
            await self._records.delete(scope, wanted)
            return False
        return True

    async def erase_scope(self, scope: Scope) -> bool:
        """Drop the workspace where the server can; else remove every document of the scope, one batch per call."""
        reply = await self._records.call("DELETE", f"/workspaces/{self._names.workspace(scope)}", scope)
        if reply.status == 200 and isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
            return reply.body.get("status") != "busy" and not reply.body.get("residue")
        if reply.status not in NO_SUCH_ROUTE:
            raise refuse_status(reply)
        mine = []
        for record in await self._records.all(scope):
            named = self._names.source(record.source)
            if named is not None and named.tag == scope.tag:
                mine.append(record.id)
        if mine:
            await self._records.delete(scope, *mine[:_BATCH])
        return not mine

    async def _residue(self, scope: Scope, name: str, wanted: str) -> bool:
        """Whether a search still finds anything that names the document."""
        named = self._names.source(name)
        about = f"{named.tag} {named.uid}" if named else name
        asked = {
            "query": f"Ref: {about}",
            "mode": "mix",
            "ll_keywords": [about],
            "hl_keywords": [about],
            "chunk_top_k": _VERIFIED_RESULTS,
            "top_k": _VERIFIED_RESULTS,
            "enable_rerank": False,
            "ids": [wanted],
        }
        reply = await self._records.call("POST", "/query/data", scope, asked)
        data = object_in(reply).get("data")
        if not isinstance(data, dict):
            raise MemoryUnavailable("long-term memory unavailable: an answer that makes no sense")
        return any(name in names.split("<SEP>") for names in _named(data))


def _named(data: Mapping[str, object]) -> Iterator[str]:
    for kind in ("chunks", "entities", "relationships"):
        entries = data.get(kind)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("file_path"), str):
                yield entry["file_path"]


_QUERY_CONNECTIONS: Final = 16
_INDEX_CONNECTIONS: Final = 8
_CACHED: Final = 512
"""Answers that may be given again."""
_LARGEST_ANSWER: Final = 4 * 1024 * 1024
_LARGEST_LISTING: Final = 16 * 1024 * 1024
_HEALTH_DEADLINE_S: Final = 2.0


class LightRagClient:
    """Implements ``RagPort`` and ``RagEraser``; one per process, closed with :meth:`close`.

    ``base_url`` and ``api_key`` may be functions: they are asked at every call, "" means that the server has no address
    yet.  ``names`` says what our memories are called there, and whether the server keeps several chats in one
    workspace; ``heard`` is told which incarnation of a workspace has answered.
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
        size: Callable[[], QuerySize] = QuerySize,
        index_timeout_s: Callable[[], float] = lambda: 10.0,
        cache_ttl_s: Callable[[], float] = lambda: 60.0,
        patience: IngestionTimes | None = None,
        query_transport: httpx.AsyncBaseTransport | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:

        def connect(largest: int, connections: int, transport: httpx.AsyncBaseTransport | None = None) -> Transport:
            return Transport(
                base_url if callable(base_url) else lambda: base_url,
                api_key if callable(api_key) else lambda: api_key,
                workspace=names.workspace,
                heard=heard,
                largest=largest,
                connections=connections,
                transport=transport,
            )

        self._query_transport = connect(_LARGEST_ANSWER, _QUERY_CONNECTIONS, query_transport)
        self._index_transport = connect(_LARGEST_LISTING, _INDEX_CONNECTIONS)
        self.cache = QueryCache(_CACHED, cache_ttl_s, monotonic)
        self._query_route = QueryRoute(
            self._query_transport, size=size, names=names, cache=self.cache, breaker=CircuitBreaker()
        )
        records = DocumentRecords(self._index_transport, names, index_timeout_s)
        self._ingestion_route = IngestionRoute(records, monotonic=monotonic, patience=patience or IngestionTimes())
        self._deletion_route = DeletionRoute(records)

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        return await self._query_route.ask(scope, question, mode, deadline_s=deadline_s, documents_only=documents_only)

    async def index(self, document: IndexDocument) -> IndexOutcome:
        outcome = await self._ingestion_route.step(document)
        if outcome is IndexOutcome.PROCESSED:
            self.cache.forget(document.scope)
        return outcome

    @property
    def asking(self) -> bool:
        return self._query_route.asking

    async def erase(self, scope: Scope, source: str) -> bool:
        self.cache.forget(scope)
        self._ingestion_route.forget(IndexDocument(scope, source, ""))
        gone = await self._deletion_route.erase(scope, source)
        return gone and not self._ingestion_route.in_flight.possible(scope, source)

    async def erase_scope(self, scope: Scope) -> bool:
        self.cache.forget(scope)
        gone = await self._deletion_route.erase_scope(scope)
        return gone and not self._ingestion_route.in_flight.possible(scope)

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
