"""Workspaces in PostgreSQL: LightRAG's own storages and pipeline, behind the same gate.

For those who outgrow one machine.  What differs from the SQLite server: documents go through LightRAG's pipeline (its
own merge and summaries), and erase is as good as LightRAG's (its caches of answers are off here).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import asyncpg
import structlog
from lightrag.lightrag import LightRAG

from adapters.memory_server.entry import Access
from adapters.memory_server.faults import place_of
from adapters.memory_server.instance import completing, lightrag_for
from adapters.memory_server.language_model import LanguageModel
from adapters.memory_server.options import ServerOptions
from adapters.memory_server.postgres_storages import limited_to, register
from adapters.memory_server.rule_model import RuleModel
from adapters.memory_server.strategies import heading_rows
from bot.errors import ConfigInvalid, ScopeMissing, StorageUnavailable
from bot.ports.embedder import Embedder

CLASSES = ("PGKVStorage", "PGVectorStorage", "ScopedPgGraphStorage", "PGDocStatusStorage")
ACTIVE = ("pending", "parsing", "analyzing", "processing")

_BOUND: ContextVar[LightRAG] = ContextVar("postgres_workspace")


class PostgresWorkspaces:
    """One LightRAG per workspace over a shared connection pool; at most ``most_open`` idle ones are kept.

    The server is the one that LightRAG's POSTGRES_* environment variables name.
    """

    def __init__(self, options: ServerOptions, embedder: Embedder, model: LanguageModel, rules: RuleModel) -> None:
        self._options, self._embedder, self._model, self._rules = options, embedder, model, rules
        self._open: OrderedDict[str, LightRAG] = OrderedDict()
        self._users: dict[str, int] = {}
        self._changing = asyncio.Lock()
        self._indexing: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def __call__(self, name: str, access: Access) -> AsyncIterator[str]:
        """Bind a workspace's LightRAG to a request."""
        async with self.lease(name) as rag:
            token = _BOUND.set(rag)
            try:
                with limited_to(await _chunks_of(rag, access.documents)):
                    yield ""
            finally:
                _BOUND.reset(token)

    @asynccontextmanager
    async def lease(self, name: str) -> AsyncIterator[LightRAG]:
        """Hold a workspace's LightRAG open."""
        async with self._changing:
            if name not in self._open:
                self._open[name] = await self._opened(name)
            self._open.move_to_end(name)
            self._users[name] = self._users.get(name, 0) + 1
        try:
            yield self._open[name]
        finally:
            self._users[name] -= 1
            await self._shrink()

    def wake(self, name: str) -> None:
        """Let LightRAG's pipeline index what waits in a workspace; returns at once."""
        if name not in self._indexing:
            self._indexing[name] = asyncio.create_task(self._index(name), name=f"index {name}")

    async def resume(self) -> None:
        """Wake every workspace that has waiting documents."""
        for name in await self._names("WHERE status = ANY($1)", list(ACTIVE)):
            self.wake(name)

    async def names(self) -> list[str]:
        """Return the workspaces that hold documents."""
        return await self._names("")

    async def drop(self, name: str) -> bool:
        """Remove every row of a workspace; ``False`` if it held no document."""
        existed = name in await self.names()
        async with self.lease(name) as rag:
            for store in _stores(rag):
                await store.drop()
        return existed

    async def close(self) -> None:
        """End indexing and close every connection."""
        for task in self._indexing.values():
            task.cancel()
        await asyncio.gather(*self._indexing.values(), return_exceptions=True)
        for name in list(self._open):
            await self._close(name)

    async def settled(self) -> None:
        """Return once nothing is being indexed."""
        while self._indexing:
            await asyncio.wait(list(self._indexing.values()))

    async def _index(self, name: str) -> None:
        try:
            async with self.lease(name) as rag:
                await rag.apipeline_process_enqueue_documents()
        except Exception as error:  # noqa: BLE001 - the worker's edge: the documents wait, and are tried again at the next insert or start
            structlog.get_logger().error("indexing_stopped", workspace=name, error=place_of(error))
        finally:
            del self._indexing[name]

    async def _opened(self, name: str) -> LightRAG:
        register()
        llm = self._model if self._options.llm.url else self._rules
        roles = {role: {"func": completing(self._model)} for role in ("query", "keyword")}
        rag = lightrag_for(
            name, self._options.data_dir, self._embedder, llm, CLASSES, role_llm_configs=roles,
            enable_llm_cache_for_entity_extract=True, force_llm_summary_on_merge=12,
            max_pending_documents=self._options.most_pending, chunking_func=heading_rows,
            chunk_token_size=self._options.chunk_tokens, chunk_overlap_token_size=self._options.chunk_overlap,
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
            ask = f"SELECT DISTINCT workspace FROM LIGHTRAG_DOC_STATUS {where}"  # noqa: S608 - constants
            rows = await rag.doc_status.db.query(ask, list(values), multirows=True)
        return sorted(row["workspace"] for row in rows or ())

    async def _shrink(self) -> None:
        async with self._changing:
            idle = [name for name in self._open if not self._users[name]]
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
        return getattr(bound(), name)


def bound() -> LightRAG:
    """Return the LightRAG of the running request; raises :class:`ScopeMissing` outside of one."""
    rag = _BOUND.get(None)
    if rag is None:
        raise ScopeMissing("memory was touched outside a request for a workspace")
    return rag


async def _chunks_of(rag: LightRAG, documents: frozenset[str] | None) -> frozenset[str] | None:
    """Return the ids of the chunks of some documents, ``None`` for no limit."""
    if documents is None:
        return None
    rows = await rag.doc_status.get_by_ids(sorted(documents)) if documents else []
    return frozenset(chunk for row in rows if row for chunk in row.get("chunks_list") or ())


def _stores(rag: LightRAG) -> list[Any]:  # Any: LightRAG's untyped storages
    names = (
        "full_docs", "text_chunks", "full_entities", "full_relations", "entity_chunks", "relation_chunks",
        "entities_vdb", "relationships_vdb", "chunks_vdb", "chunk_entity_relation_graph", "llm_response_cache",
        "doc_status",
    )  # fmt: skip
    return [getattr(rag, name) for name in names]
