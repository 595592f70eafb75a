"""The commands besides serving, on a data folder that no server uses at the time.

A running server offers the same under ``/workspaces/{name}``, but for importing; both call the same functions.
An import takes documents over as they are and indexes them here; the graph that a model extracted is kept as written
attributes, which join what this server finds by itself.  Every step may be repeated: what is there already is left.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import networkx as nx
import orjson
from rich.console import Console
from rich.table import Table

from memory_server.chunking import Cutter, Limits, clean, tokenizer
from memory_server.errors import ConfigInvalid, DocumentRejected
from memory_server.extraction import Extractor
from memory_server.indexing import consistency
from memory_server.indexing import consistency as reindexing
from memory_server.indexing.consistency import Diagnosis, Report
from memory_server.indexing.ingest import Ingestor, Worker
from memory_server.indexing.workspaces import Workspaces
from memory_server.language_model import RuleExtractor
from memory_server.options import (
    WORKSPACE_RULE,
    Chunker,
    Embedder,
    ServerCall,
    named_chunker,
    read_lightrag_variables,
    read_server_environment,
    workspace_name,
)
from memory_server.serve import choose_embedder, lock_folder, set_up_logs
from memory_server.storage import graph, kv, records
from memory_server.storage.workspace import Transaction, Workspace

Progress = Callable[[str], None]
_USUAL = Limits()


@asynccontextmanager
async def open_workspaces(data_dir: Path, embedder: Embedder) -> AsyncIterator[Workspaces]:
    """Open a data folder for one command; raises :class:`ConfigInvalid` while a server uses it."""

    async def nothing(_: Workspace) -> None:
        """Nothing is built on the workspaces here."""

    with lock_folder(data_dir), ThreadPoolExecutor(4, "maintenance") as executor:
        model = f"{embedder.model}/{embedder.dimension}"
        folder = data_dir / "workspaces"
        workspaces = Workspaces(folder, model, executor, memory_limit=256_000_000, most_open=4, on_close=nothing)
        try:
            yield workspaces
        finally:
            await workspaces.close()


async def check(data_dir: Path, embedder: Embedder, names: Sequence[str] = ()) -> tuple[Report, ...]:
    """Check the named workspaces, or all."""
    async with open_workspaces(data_dir, embedder) as workspaces:
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
    async with open_workspaces(data_dir, embedder) as workspaces:
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
    async with open_workspaces(data_dir, embedder) as workspaces:
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
    async with open_workspaces(data_dir, embedder) as workspaces:
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
    async with open_workspaces(data_dir, embedder) as workspaces:
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
    async with open_workspaces(data_dir, embedder) as workspaces:
        async with workspaces.lease(workspace) as held:
            imported = await import_folder(held, folder, report)
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
    await worker.wait_until_idle()
    await worker.stop()
    async with workspaces.lease(name) as workspace, workspace.mutating:
        await consistency.embed_missing(workspace, embedder)
    await asyncio.sleep(0)


def _chosen(workspaces: Workspaces, names: Sequence[str]) -> Sequence[str]:
    known = workspaces.names()
    if missing := [name for name in names if name not in known]:
        raise ConfigInvalid(f"no such workspace: {', '.join(missing)}; there are {', '.join(known) or 'none'}")
    return names or known


async def run_check(call: ServerCall, names: Sequence[str], *, repair: bool, as_json: bool) -> int:
    """Print a report per workspace and return the exit code: 1 if something does not agree."""
    if repair:
        reports = await reconcile(call.data, _embedder(call), names, named_chunker(), limits=chosen_limits(call))
    else:
        reports = await check(call.data, _embedder(call), names)
    if as_json:
        rows = [
            {"workspace": r.workspace, "clean": r.clean, "damage": r.damage, "findings": r.findings} for r in reports
        ]
        Console(soft_wrap=True).print_json(json.dumps(rows))
    else:
        table = Table("workspace", "finding", "how many", "such as", box=None)
        for report in reports:
            for finding, (count, examples) in report.findings.items():
                table.add_row(report.workspace, finding, str(count), ", ".join(map(str, examples)))
            if report.damage or report.clean:
                table.add_row(report.workspace, report.damage or "[green]all agrees[/green]", "", "")
        Console().print(table)
    return 0 if all(report.clean for report in reports) else 1


async def run_diagnose(call: ServerCall, workspace: str, entity: str, *, as_json: bool) -> int:
    """Print what an entity is made of and return the exit code: 1 if there is none of this name."""
    found = await diagnose(call.data, _embedder(call), workspace, entity)
    console = Console(soft_wrap=True)
    if found is None:
        Console(stderr=True).print(f"no entity of this name in {workspace}: {entity}", markup=False)
        return 1
    if as_json:
        console.print_json(json.dumps(asdict(found), default=str))
        return 0
    for name, value in asdict(found).items():
        console.print(f"{name:>11}  {value}", markup=False)
    return 0


async def run_reindex(call: ServerCall, names: Sequence[str], *, everything: bool, document: str) -> None:
    """Index again, with a line per workspace; only ``document`` where one is named."""
    if document and len(names) != 1:
        raise ConfigInvalid("--document needs the workspace that the document is in, and no other")
    console, embedder, limits = Console(stderr=True), _embedder(call), chosen_limits(call)
    with console.status("indexing"):
        if document:
            count = await reindex_document(call.data, embedder, names[0], document, named_chunker(), limits=limits)
        else:
            count = await reindex(
                call.data,
                embedder,
                console.print,
                names,
                named_chunker(),
                limits=limits,
                everything=everything,
            )
    Console().print(f"{count} documents indexed again")


async def run_import(call: ServerCall, folder: Path, workspace: str) -> None:
    """Move a folder of LightRAG's into a workspace, with progress."""
    console = Console(stderr=True)
    with console.status("importing"):
        done = await import_directory(
            call.data, _embedder(call), folder, workspace, console.print, named_chunker(), limits=chosen_limits(call)
        )
    Console().print(
        f"{done.documents} documents, {done.entities} entities and {done.relations} relations imported; "
        f"{done.skipped} documents were there already or hold no text"
    )


def chosen_limits(call: ServerCall) -> Limits:
    """Return the chunker's window as LightRAG's variables set it."""
    chosen = read_lightrag_variables(read_server_environment(call.data))
    return Limits(chosen.chunk_tokens, chosen.chunk_overlap)


def _embedder(call: ServerCall) -> Embedder:
    if os.environ.get("MEMORY_SERVER_STORAGE", "sqlite") != "sqlite":
        raise ConfigInvalid("the memory server's commands work on its files; with PostgreSQL ask the running server")
    set_up_logs("warning", pretty=sys.stderr.isatty())
    return choose_embedder(call, os.environ)


Item = TypeVar("Item")

BATCH = 100
Rows = dict[str, dict[str, Any]]  # Any: LightRAG's records


@dataclass(frozen=True, slots=True)
class Imported:
    """How much was taken over, and how many documents were there already or hold no text."""

    documents: int
    skipped: int
    entities: int
    relations: int


async def import_folder(workspace: Workspace, folder: Path, report: Callable[[str], None]) -> Imported:
    """Take a folder's documents and graph over.

    Raises :class:`ConfigInvalid` when it is not a LightRAG folder and :class:`DocumentRejected` when a file in it is
    damaged.
    """
    documents, chunks = _json(folder / "kv_store_full_docs.json"), _json(folder / "kv_store_text_chunks.json")
    statuses = _json(folder / "kv_store_doc_status.json")
    if not documents:
        raise ConfigInvalid(f"{folder} holds no kv_store_full_docs.json: it is not a LightRAG folder, or an empty one")
    taken = 0
    for batch in _batches(list(documents)):
        rows = {key: documents[key] for key in batch if clean(str(documents[key].get("content", "")))}
        taken += await workspace.write(partial(_take, documents=rows, statuses=statuses))
        report(f"{taken} of {len(documents)} documents")
    nodes, links = _graph(folder / "graph_chunk_entity_relation.graphml", _sources(chunks))
    for some in _batches(nodes):
        await workspace.write(partial(_put_nodes, nodes=some))
    report(f"{len(nodes)} entities")
    for few in _batches(links):
        await workspace.write(partial(_put_edges, links=few))
    report(f"{len(links)} relations")
    return Imported(taken, len(documents) - taken, len(nodes), len(links))


def _put_nodes(tx: Transaction, nodes: list[tuple[str, dict[str, Any]]]) -> None:  # Any: graph attributes
    for name, attributes in nodes:
        graph.put_node(tx, name, attributes)


def _put_edges(tx: Transaction, links: list[tuple[str, str, dict[str, Any]]]) -> None:  # Any: graph attributes
    for source, target, attributes in links:
        graph.put_edge(tx, source, target, attributes)


def _take(tx: Transaction, documents: Rows, statuses: Rows) -> int:
    known = records.by_ids(tx.db, list(documents))
    new = {key: row for key, row in documents.items() if key not in known}
    now = datetime.now(UTC).isoformat()
    for key, row in new.items():
        text, old = clean(str(row["content"])), statuses.get(key, {})
        path = str(old.get("file_path") or row.get("file_path") or key)
        record = {
            "status": "pending",
            "content_summary": text[:100],
            "content_length": len(text),
            "created_at": str(old.get("created_at") or now),
            "updated_at": now,
            "file_path": path,
            "track_id": old.get("track_id"),
            "metadata": {"imported": True},
        }
        records.store(tx.db, {key: record})
        kv.store(tx, "full_docs", {key: {"content": text, "file_path": path, "parse_format": "raw"}})
    return len(new)


def _sources(chunks: Rows) -> dict[str, str]:
    """Return this server's chunk ids for the folder's: older versions of LightRAG named chunks by their content."""
    return {
        key: f"{row.get('full_doc_id', 'doc')}-chunk-{int(row.get('chunk_order_index', 0)):03d}"
        for key, row in chunks.items()
    }


def _graph(
    path: Path, sources: dict[str, str]
) -> tuple[list[tuple[str, dict[str, Any]]], list[tuple[str, str, dict[str, Any]]]]:  # Any: graph attributes
    if not path.exists():
        return [], []
    try:
        read = nx.read_graphml(path)
    except (OSError, ValueError, nx.NetworkXError, SyntaxError) as error:
        raise DocumentRejected(f"{path} is damaged: {error}") from error
    nodes = [(str(name), _renamed(data, sources)) for name, data in read.nodes(data=True)]
    links = [(str(a), str(b), _renamed(data, sources)) for a, b, data in read.edges(data=True)]
    return nodes, links


def _renamed(data: dict[str, Any], sources: dict[str, str]) -> dict[str, Any]:  # Any: graph attributes
    parts = [sources.get(part, part) for part in str(data.get("source_id", "")).split("<SEP>") if part]
    return {**data, "source_id": "<SEP>".join(parts)}


def _json(path: Path) -> Rows:
    if not path.exists():
        return {}
    try:
        rows: Rows = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise DocumentRejected(f"{path} is damaged: {error}") from error
    return rows


def _batches(items: list[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
