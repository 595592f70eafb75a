"""What ``mneme memory-server`` does besides serving, on a data folder that no server uses at the time.

A running server offers the same under ``/workspaces/{name}``; both call the same functions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from memory_server.chunking.headings import Limits
from memory_server.chunking.strategies import Cutter
from memory_server.chunking.tokens import tokenizer
from memory_server.cli.lock import only_server
from memory_server.errors import ConfigInvalid
from memory_server.extraction.extract import Extractor
from memory_server.extraction.extractors import RuleExtractor
from memory_server.indexing import consistency
from memory_server.indexing import reindex as reindexing
from memory_server.indexing.consistency import Diagnosis, Report
from memory_server.indexing.ingest import Ingestor
from memory_server.indexing.worker import Worker
from memory_server.indexing.workspaces import Workspaces
from memory_server.options import WORKSPACE_RULE, workspace_name
from memory_server.ports import Chunker, Embedder
from memory_server.storage import importing
from memory_server.storage.importing import Imported
from memory_server.storage.workspace import Workspace

Progress = Callable[[str], None]
_USUAL = Limits()


@asynccontextmanager
async def opened(data_dir: Path, embedder: Embedder) -> AsyncIterator[Workspaces]:
    """Open a data folder for one command; raises :class:`ConfigInvalid` while a server uses it."""

    async def nothing(_: Workspace) -> None:
        """Nothing is built on the workspaces here."""

    with only_server(data_dir), ThreadPoolExecutor(4, "maintenance") as executor:
        model = f"{embedder.model}/{embedder.dimension}"
        folder = data_dir / "workspaces"
        workspaces = Workspaces(folder, model, executor, memory_limit=256_000_000, most_open=4, on_close=nothing)
        try:
            yield workspaces
        finally:
            await workspaces.close()


async def check(data_dir: Path, embedder: Embedder, names: Sequence[str] = ()) -> tuple[Report, ...]:
    """Check the named workspaces, or all."""
    async with opened(data_dir, embedder) as workspaces:
        found: list[Report] = []
        for name in _chosen(workspaces, names):
            async with workspaces.lease(name) as workspace:
                found.append(await consistency.check(workspace))
        return tuple(found)


async def reconcile(
    data_dir: Path,
    embedder: Embedder,
    names: Sequence[str] = (),
    chunker: Chunker | None = None,
    *,
    limits: Limits = _USUAL,
) -> tuple[Report, ...]:
    """Repair the named workspaces, or all, index what has to be indexed again, and report what is left."""
    async with opened(data_dir, embedder) as workspaces:
        found: list[Report] = []
        for name in _chosen(workspaces, names):
            async with workspaces.lease(name) as workspace:
                await consistency.reconcile(workspace, embedder)
            await _index(workspaces, _cutter(embedder, chunker, limits), name)
            async with workspaces.lease(name) as workspace:
                found.append(await consistency.check(workspace))
        return tuple(found)


async def diagnose(data_dir: Path, embedder: Embedder, workspace: str, entity: str) -> Diagnosis | None:
    """Return what one entity is made of, ``None`` if there is none of this name."""
    async with opened(data_dir, embedder) as workspaces:
        _chosen(workspaces, [workspace])
        async with workspaces.lease(workspace) as held:
            return await consistency.diagnose(held, entity)


async def reindex(
    data_dir: Path,
    embedder: Embedder,
    report: Progress,
    names: Sequence[str] = (),
    chunker: Chunker | None = None,
    *,
    limits: Limits = _USUAL,
    everything: bool = False,
) -> int:
    """Index outdated workspaces again (or ``everything``); resumable: a second call goes on.  Return the documents."""
    cutter = _cutter(embedder, chunker, limits)
    async with opened(data_dir, embedder) as workspaces:
        total = 0
        for name in _chosen(workspaces, names):
            async with workspaces.lease(name) as workspace:
                total += await reindexing.begin_reindex(workspace, cutter.version, everything=everything)
            await _index(workspaces, cutter, name)
            report(f"{name}: done, {total} documents so far")
        return total


async def reindex_document(
    data_dir: Path,
    embedder: Embedder,
    workspace: str,
    document: str,
    chunker: Chunker | None = None,
    *,
    limits: Limits = _USUAL,
) -> int:
    """Index one document of a workspace again, named by its id or its source; return 1, or raise without it."""
    async with opened(data_dir, embedder) as workspaces:
        _chosen(workspaces, [workspace])
        async with workspaces.lease(workspace) as held:
            found = await reindexing.reindex_document(held, document)
        if found is None:
            raise ConfigInvalid(f"no such document in {workspace}: {document}")
        await _index(workspaces, _cutter(embedder, chunker, limits), workspace)
        return 1


async def import_directory(
    data_dir: Path,
    embedder: Embedder,
    folder: Path,
    workspace: str,
    report: Progress,
    chunker: Chunker | None = None,
    *,
    limits: Limits = _USUAL,
) -> Imported:
    """Move a folder of LightRAG's default file storages into a workspace and index it; resumable."""
    if workspace_name(workspace) is None:
        raise ConfigInvalid(f"{WORKSPACE_RULE}; got {workspace!r}")
    async with opened(data_dir, embedder) as workspaces:
        async with workspaces.lease(workspace) as held:
            imported = await importing.import_folder(held, folder, report)
        report("indexing")
        await _index(workspaces, _cutter(embedder, chunker, limits), workspace)
        return imported


def _cutter(embedder: Embedder, chunker: Chunker | None, limits: Limits) -> Cutter:
    return Cutter(tokenizer(), embedder, limits, chunker)


async def _index(workspaces: Workspaces, cutter: Cutter, name: str) -> None:
    embedder = cutter.embedder
    ingestor = Ingestor(embedder, RuleExtractor(Extractor()), cutter)
    worker = Worker(workspaces, ingestor, attempts=3)
    worker.wake(name)
    await worker.settled()
    await worker.stop()
    async with workspaces.lease(name) as workspace, workspace.mutating:
        await consistency.embed_missing(workspace, embedder)
    await asyncio.sleep(0)


def _chosen(workspaces: Workspaces, names: Sequence[str]) -> Sequence[str]:
    known = workspaces.names()
    if missing := [name for name in names if name not in known]:
        raise ConfigInvalid(f"no such workspace: {', '.join(missing)}; there are {', '.join(known) or 'none'}")
    return names or known
