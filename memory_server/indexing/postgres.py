"""Workspaces in PostgreSQL: LightRAG's own storages and pipeline, behind the same gate.

For those who outgrow one machine.  What differs from the SQLite server: documents go through LightRAG's pipeline (its
own merge and summaries), and erase is as good as LightRAG's (its caches of answers are off here).

LightRAG's vector tables hold every workspace and have one approximate index; a search asks the index for the nearest
rows of all chats and then keeps those of one, which for a small chat may be none.  Here a search reads the rows of its
workspace and is exact.  And a request may be limited to some documents: their chunks, the entities and relations they
mention, and no sentence of another document (a description that was merged from several cannot be taken apart).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import asyncpg
import structlog
from lightrag.kg import postgres_impl
from lightrag.kg.pgtable_impl import PGTableGraphStorage
from lightrag.kg.shared_storage import get_namespace_data
from lightrag.lightrag import LightRAG

from memory_server.chunking import cut_into_rows
from memory_server.embedding import split_into_windows
from memory_server.errors import ConfigInvalid, ModelRefused, ScopeMissing, StorageUnavailable, Temporary, locate_error
from memory_server.indexing.instances import lightrag_for, wrap_model
from memory_server.indexing.workspaces import Access, Background, Bound, RequestRefused
from memory_server.language_model import LanguageModel, RuleModel
from memory_server.options import Embedder, ServerOptions, Vectors
from memory_server.storage.composition import limit_attributes

CLASSES = ("PGKVStorage", "PGVectorStorage", "ScopedPgGraphStorage", "PGDocStatusStorage")
ACTIVE = ("pending", "parsing", "analyzing", "processing")

OPEN_S, ANSWER_S = 15.0, 5.0
"""How long the database may take to open a workspace, and to answer at all, until a request gets 503."""
QUIET_S, POLL_S = 60.0, 0.05
"""How long a drop waits for the indexing of a document and for other requests to end."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 2.0, 300.0
_WAIT_AGAIN = (
    "UPDATE LIGHTRAG_DOC_STATUS SET status = 'pending' WHERE workspace = $1 AND status = 'failed' "
    "AND COALESCE(metadata::jsonb ->> 'is_duplicate', 'false') <> 'true' RETURNING id"
)
_UNLIKE = "SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1 AND (file_path IS NULL OR file_path !~ $2)"
_TABLES = (
    "SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, "
    "table_name) WHERE c.column_name = 'workspace' AND t.table_type = 'BASE TABLE' AND c.table_name LIKE 'lightrag%' "
    "AND c.table_schema = ANY (current_schemas(false))"
)

_BOUND: ContextVar[LightRAG] = ContextVar("postgres_workspace")


class PostgresWorkspaces(Background):
    """One LightRAG per workspace over a shared connection pool; at most ``most_open`` idle ones are kept.

    The server is the one that LightRAG's POSTGRES_* environment variables name.
    """

    def __init__(self, options: ServerOptions, embedder: Embedder, model: LanguageModel, rules: RuleModel) -> None:
        super().__init__()
        self._options, self._embedder, self._model, self._rules = options, embedder, model, rules
        self._open: OrderedDict[str, LightRAG] = OrderedDict()
        self._users: dict[str, int] = {}
        self._changing = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._accepting: dict[str, asyncio.Lock] = {}
        self._dropping: set[str] = set()
        self._pauses: dict[str, float] = {}
        """Seconds until a workspace is tried again whose last run met an outage."""
        self._outages = Outages()

    @asynccontextmanager
    async def __call__(self, name: str, access: Access) -> AsyncIterator[Bound]:
        """Bind a workspace's LightRAG to a request."""
        if name in self._dropping:
            raise RequestRefused(409, "this workspace is being dropped; try again in a moment")
        async with self.lease(name) as rag:
            await _reachable(rag)
            token = _BOUND.set(rag)
            try:
                documents = await _choose_documents(rag, access)
                with limit_to_chunks(await _chunks_of(rag, documents)):
                    yield Bound("", documents is not None and not documents)
            finally:
                _BOUND.reset(token)

    @asynccontextmanager
    async def lease(self, name: str) -> AsyncIterator[LightRAG]:
        """Hold a workspace's LightRAG open."""
        # Counted before it is opened, so that it stays open; those that are open wait for no other one's opening.
        self._users[name] = self._users.get(name, 0) + 1
        try:
            if name not in self._open:
                await self._open_within(name)
            self._open.move_to_end(name)
            yield self._open[name]
        finally:
            self._users[name] -= 1
            await self._shrink()

    async def _open_within(self, name: str) -> None:
        """Open a workspace, the wait for other openings included in the time that it may take."""
        try:
            async with asyncio.timeout(OPEN_S), self._opening:
                if name not in self._open:
                    self._open[name] = await self._opened(name)
        except TimeoutError as error:
            raise StorageUnavailable(f"PostgreSQL does not answer within {OPEN_S:g} s") from error

    def accepting(self, name: str) -> asyncio.Lock:
        """Return the lock under which a source is looked for and inserted: of two posts at once one finds the other."""
        return self._accepting.setdefault(name, asyncio.Lock())

    def wake(self, name: str) -> None:
        """Let LightRAG's pipeline index what waits in a workspace; returns at once."""
        if name not in self._dropping:
            super().wake(name)

    async def resume(self) -> None:
        """Wake every workspace that has waiting documents; tried again until the database can be asked."""
        pause = FIRST_PAUSE_S
        while True:
            try:
                names = await self._names("WHERE status = ANY($1)", list(ACTIVE))
            except Exception as error:  # noqa: BLE001 - the edge of a background task: it is reported and tried again
                structlog.get_logger().error("resuming_failed", error=locate_error(error), pause_s=pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
                continue
            for name in names:
                self.wake(name)
            return

    async def names(self) -> list[str]:
        """Return the workspaces that hold documents."""
        return await self._names("")

    async def drop(self, name: str) -> tuple[bool, list[str]]:
        """Remove every row of a workspace, once nothing is being indexed and nobody is in it.

        Return whether it held documents, and the tables that still hold rows of it (none).

        Raises :class:`StorageUnavailable` while somebody is: what is being written would come back.
        """
        if name in self._dropping:
            raise StorageUnavailable(f"workspace {name} is being dropped already")
        self._dropping.add(name)
        try:
            existed = name in await self.names()
            async with self.lease(name) as rag:
                await self._quiet(name, rag)
                for store in _stores(rag):
                    await store.drop()
                left = await _rows_left(rag)
            async with self._changing:
                if name in self._open and not self._users[name]:
                    await self._close(name)
            return existed, left
        finally:
            self._dropping.discard(name)

    async def _quiet(self, name: str, rag: LightRAG) -> None:
        """End a workspace's indexing and wait until nobody but the caller is in it."""
        try:
            async with asyncio.timeout(QUIET_S):
                while (task := self._busy.get(name)) is not None:
                    status = await get_namespace_data("pipeline_status", workspace=rag.workspace)
                    status["cancellation_requested"] = True
                    await asyncio.wait([task], timeout=POLL_S)
                while self._users[name] > 1:  # noqa: ASYNC110 - requests leave without telling
                    await asyncio.sleep(POLL_S)
        except TimeoutError as error:
            raise StorageUnavailable(f"workspace {name} is still being indexed or used; nothing was removed") from error

    async def close(self) -> None:
        """End indexing and close every connection."""
        await self.stop()
        for name in list(self._open):
            await self._close(name)

    async def _work(self, name: str) -> float | None:
        try:
            again = await self._run(name)
        except Exception as error:  # noqa: BLE001 - the worker's edge: the documents wait, and are tried again
            structlog.get_logger().error("indexing_stopped", workspace=name, error=locate_error(error))
            again = True
        if not again:
            self._pauses.pop(name, None)
            return None
        pause = self._pauses[name] = min(2 * self._pauses.get(name, FIRST_PAUSE_S / 2), LONGEST_PAUSE_S)
        return pause

    async def _run(self, name: str) -> bool:
        """Run LightRAG's pipeline; ``True`` if an outage kept documents from being indexed, which then wait again."""
        async with self.lease(name) as rag:
            before = self._outages.count
            await rag.apipeline_process_enqueue_documents()
            if self._outages.count == before or name in self._dropping:
                return False
            waiting = await rag.doc_status.db.query(_WAIT_AGAIN, [rag.workspace], multirows=True)
            structlog.get_logger().warning("indexing_postponed", workspace=name, documents=len(waiting or ()))
            return bool(waiting)

    async def _opened(self, name: str) -> LightRAG:
        register()
        llm = Watched(self._model, self._outages) if self._options.llm.url else self._rules
        roles = {role: {"func": wrap_model(self._model)} for role in ("query", "keyword")}
        embedder = Watched(self._embedder, self._outages)
        rag = lightrag_for(
            name, self._options.data_dir, embedder, llm, CLASSES,
            self._options.lightrag, role_llm_configs=roles,
            enable_llm_cache_for_entity_extract=True, force_llm_summary_on_merge=12,
            max_pending_documents=self._options.most_pending, chunking_func=cut_into_rows,
            chunk_token_size=self._options.lightrag.chunk_tokens,
            chunk_overlap_token_size=self._options.lightrag.chunk_overlap,
        )  # fmt: skip
        try:
            await rag.initialize_storages()
        except (OSError, asyncpg.PostgresError) as error:
            raise StorageUnavailable(f"PostgreSQL cannot be reached or used: {error}") from error
        except ValueError as error:
            raise ConfigInvalid(f"PostgreSQL: {error}; set POSTGRES_HOST, _USER, _PASSWORD and _DATABASE") from error
        return rag

    async def _names(self, where: str, *values: Any) -> list[str]:  # Any: statement parameters
        async with self.lease(self._options.default_workspace) as rag:
            ask = f"SELECT DISTINCT workspace FROM LIGHTRAG_DOC_STATUS {where}"  # noqa: S608 - the caller's constant
            rows = await rag.doc_status.db.query(ask, list(values), multirows=True)
        return sorted(row["workspace"] for row in rows or ())

    async def _shrink(self) -> None:
        async with self._changing:
            idle = [name for name in self._open if not self._users.get(name)]
            for name in idle[: max(0, len(self._open) - self._options.most_open)]:
                await self._close(name)

    async def _close(self, name: str) -> None:
        rag = self._open.pop(name)
        await rag.finalize_storages()
        for wrapped in rag.role_llm_funcs.values():
            await wrapped.shutdown()


class BoundPostgres:
    """Looks like a LightRAG to its routers; every attribute is that of the bound workspace's."""

    def __getattr__(self, name: str) -> Any:  # Any: whatever LightRAG has under this name
        return getattr(current_rag(), name)


def current_rag() -> LightRAG:
    """Return the LightRAG of the running request; raises :class:`ScopeMissing` outside of one."""
    rag = _BOUND.get(None)
    if rag is None:
        raise ScopeMissing("memory was touched outside a request for a workspace")
    return rag


async def _choose_documents(rag: LightRAG, access: Access) -> frozenset[str] | None:
    """Return the ids of the documents that a request may see, ``None`` for all."""
    if not access.unlike:
        return access.documents
    # The pattern holds letters, digits and the signs of a pattern: what is special besides in a regular expression is
    # the dot.
    expression = access.unlike.replace(".", r"\.").replace("*", ".*").replace("?", ".")
    rows = await rag.doc_status.db.query(_UNLIKE, [rag.workspace, f"^{expression}$"], multirows=True)
    unlike = frozenset(row["id"] for row in rows or ())
    return unlike if access.documents is None else access.documents & unlike


async def _chunks_of(rag: LightRAG, documents: frozenset[str] | None) -> frozenset[str] | None:
    """Return the ids of the chunks of some documents, ``None`` for no limit."""
    if documents is None:
        return None
    rows = await rag.doc_status.get_by_ids(sorted(documents)) if documents else []
    return frozenset(chunk for row in rows if row for chunk in row.get("chunks_list") or ())


async def _reachable(rag: LightRAG) -> None:
    """Raise :class:`StorageUnavailable` unless the database answers: LightRAG's own calls try for minutes."""
    try:
        async with asyncio.timeout(ANSWER_S), rag.doc_status.db.pool.acquire() as connection:
            await connection.execute("SELECT 1")
    except (OSError, TimeoutError, AttributeError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StorageUnavailable(f"PostgreSQL does not answer: {type(error).__name__}") from error


async def _rows_left(rag: LightRAG) -> list[str]:
    """Return the tables that hold rows of a workspace."""
    tables = [row["table_name"] for row in await rag.doc_status.db.query(_TABLES, [], multirows=True) or ()]
    found = []
    for table in sorted(tables):
        ask = f'SELECT count(*) AS n FROM "{table}" WHERE workspace = $1'  # noqa: S608 - a name from the catalogue
        found += [table] if (await rag.doc_status.db.query(ask, [rag.workspace]))["n"] else []
    return found


def _stores(rag: LightRAG) -> list[Any]:  # Any: LightRAG's untyped storages
    names = (
        "full_docs", "text_chunks", "full_entities", "full_relations", "entity_chunks", "relation_chunks",
        "entities_vdb", "relationships_vdb", "chunks_vdb", "chunk_entity_relation_graph", "llm_response_cache",
        "doc_status",
    )  # fmt: skip
    return [getattr(rag, name) for name in names]


@dataclass(slots=True)
class Outages:
    """Counts how often vectors or the model were out of reach: LightRAG's pipeline only says that something failed."""

    count: int = 0

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Count what fails inside for want of the other side."""
        try:
            yield
        except (Temporary, ModelRefused):
            self.count += 1
            raise


class Watched:
    """Looks like an embedder or a language model; the outages of its calls are counted."""

    def __init__(self, inner: Any, outages: Outages) -> None:  # Any: the one or the other
        self._inner, self._outages = inner, outages

    def __getattr__(self, name: str) -> Any:  # Any: whatever the inner one has under this name
        return getattr(self._inner, name)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """See :class:`~memory_server.options.Embedder`."""
        with self._outages.noted():
            vectors: Vectors = await self._inner.embed(texts)
            return vectors

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """See :class:`~memory_server.options.WindowedEmbedder`."""
        with self._outages.noted():
            return await split_into_windows(self._inner, text, topics=topics)

    async def complete(self, *given: Any, **hints: Any) -> Any:  # Any: LightRAG's
        """See :class:`~memory_server.language_model.LanguageModel`."""
        with self._outages.noted():
            return await self._inner.complete(*given, **hints)


Row = dict[str, Any]  # Any: LightRAG's records are JSON objects of its own making

_COLUMNS = {
    "chunks": "id, content, file_path",
    "entities": "entity_name",
    "relationships": "source_id AS src_id, target_id AS tgt_id",
}
_WITHIN = {"chunks": "id = ANY($5)", "entities": "chunk_ids && $5", "relationships": "chunk_ids && $5"}
_SEEN: ContextVar[frozenset[str] | None] = ContextVar("postgres_chunks", default=None)


@contextmanager
def limit_to_chunks(chunks: frozenset[str] | None) -> Iterator[None]:
    """Let everything inside see these chunks (ids) only; ``None`` sees all."""
    token = _SEEN.set(chunks)
    try:
        yield
    finally:
        _SEEN.reset(token)


@dataclass
class PGVectorStorage(postgres_impl.PGVectorStorage):  # type: ignore[misc]  # LightRAG has no type information
    """Vectors searched exactly within the workspace, and within the chunks that may be seen.

    LightRAG knows from the name whether the database needs pgvector, so the name is its own.
    """

    async def query(self, query: str, top_k: int, query_embedding: Any = None) -> list[Row]:  # Any: a vector
        """Return the ``top_k`` nearest records above the threshold, best first."""
        if query_embedding is None:
            query_embedding = (await self.embedding_func([query], context="query"))[0]
        seen = _SEEN.get()
        half = getattr(self.db, "vector_index_type", None) == "HNSW_HALFVEC"
        distance = f"content_vector <=> $4::{'halfvec' if half else 'vector'}"
        within = "" if seen is None else f"AND {_WITHIN[self.namespace]}"
        # Zero is added so that no index can serve the order.
        ask = (
            f"SELECT {_COLUMNS[self.namespace]}, EXTRACT(EPOCH FROM create_time)::BIGINT AS created_at "  # noqa: S608 - LightRAG's own names
            f"FROM {self.table_name} WHERE workspace = $1 {within} AND {distance} < $2 "
            f"ORDER BY ({distance}) + 0 LIMIT $3"
        )
        values = [self.workspace, 1 - self.cosine_better_than_threshold, top_k, query_embedding]
        rows = await self.db.query(ask, params=values if seen is None else [*values, sorted(seen)], multirows=True)
        return list(rows or ())


@dataclass
class ScopedPgGraphStorage(PGTableGraphStorage):  # type: ignore[misc]  # LightRAG has no type information
    """The graph, as far as the chunks that may be seen have a part in it."""

    async def get_node(self, node_id: str) -> Row | None:
        """Return an entity's attributes, ``None`` if it does not exist or may not be seen."""
        return (await self.get_nodes_batch([node_id])).get(node_id)

    async def get_nodes_batch(self, node_ids: list[str]) -> dict[str, Row]:
        """Return the attributes of the entities that exist and may be seen."""
        found = await super().get_nodes_batch(node_ids)
        return {name: row for name, stored in found.items() if (row := _seen(stored, name)) is not None}

    async def get_edge(self, source_node_id: str, target_node_id: str) -> Row | None:
        """Return a relation's attributes, ``None`` if it does not exist or may not be seen."""
        stored = await super().get_edge(source_node_id, target_node_id)
        return None if stored is None else _seen(stored, "")

    async def get_edges_batch(self, pairs: list[dict[str, str]]) -> dict[tuple[str, str], Row]:
        """Return the attributes of the relations that exist and may be seen, by the pair as it was asked."""
        found = await super().get_edges_batch(pairs)
        return {pair: row for pair, stored in found.items() if (row := _seen(stored, "")) is not None}


def register() -> None:
    """Put both classes into LightRAG's registry; safe to repeat."""
    kg = import_module("lightrag.kg")
    graph = ScopedPgGraphStorage.__name__
    known = kg.STORAGE_IMPLEMENTATIONS["GRAPH_STORAGE"]["implementations"]
    if graph not in known:
        known.append(graph)
    kg.STORAGE_ENV_REQUIREMENTS[graph] = kg.STORAGE_ENV_REQUIREMENTS[PGTableGraphStorage.__name__]
    kg.STORAGES[graph] = kg.STORAGES[PGVectorStorage.__name__] = __name__


def _seen(stored: Row, name: str) -> Row | None:
    chunks = _SEEN.get()
    return stored if chunks is None else limit_attributes(stored, chunks, name)
