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
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar
from xml.etree import ElementTree as ET

import orjson
from rich.console import Console
from rich.table import Table

from memory_server.chunking import Cutter, Limits, clean
from memory_server.errors import ConfigInvalid, DocumentRejected
from memory_server.extraction import Extractor
from memory_server.indexing import consistency, embedding_texts
from memory_server.indexing.consistency import Diagnosis, Report
from memory_server.indexing.ingest import Ingestor, Worker, store_document
from memory_server.indexing.workspaces import Workspaces, choose_home
from memory_server.language_model import extract_by
from memory_server.options import (
    WORKSPACE_RULE,
    Chunker,
    Embedder,
    ServerCall,
    is_workspace_name,
    named_chunker,
    read_database_url,
    read_lightrag_variables,
    read_server_environment,
)
from memory_server.serve import choose_embedder, lock_folder, set_up_logs
from memory_server.storage import graph, records
from memory_server.storage.workspace import Transaction, Workspace

Progress = Callable[[str], None]
USUAL_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Maintenance:
    """What can be done with a data folder; each call raises :class:`ConfigInvalid` while a server uses it.

    ``chunker`` cuts documents in place of the one along headings, ``limits`` are their window.  ``database_url`` names
    the PostgreSQL that holds the workspaces, "" where the folder does.
    """

    data_dir: Path
    embedder: Embedder
    chunker: Chunker | None = None
    limits: Limits = USUAL_LIMITS
    database_url: str = ""

    @asynccontextmanager
    async def opened(self, *names: str) -> AsyncIterator[Workspaces]:
        """Hold the folder; raises :class:`ConfigInvalid` for a workspace of ``names`` that is not there."""

        async def nothing(_: Workspace) -> None:
            """Nothing is built on the workspaces here."""

        with lock_folder(self.data_dir), ThreadPoolExecutor(4, "maintenance") as executor:
            model = f"{self.embedder.model}/{self.embedder.dimension}"
            home = choose_home(self.data_dir, self.database_url)
            workspaces = Workspaces(home, model, executor, memory_limit=256_000_000, most_open=4, on_close=nothing)
            try:
                known = await workspaces.names()
                if missing := [name for name in names if name not in known]:
                    there = ", ".join(known) or "none"
                    raise ConfigInvalid(f"no such workspace: {', '.join(missing)}; there are {there}")
                yield workspaces
            finally:
                await workspaces.close()

    async def check(self, *names: str) -> tuple[Report, ...]:
        """Check the named workspaces, or all."""
        async with self.opened(*names) as workspaces:
            return tuple([await _checked(workspaces, name) for name in names or await workspaces.names()])

    async def reconcile(self, *names: str) -> tuple[Report, ...]:
        """Repair the named workspaces, or all, index what has to be indexed again, and report what is left."""
        async with self.opened(*names) as workspaces:
            found: list[Report] = []
            for name in names or await workspaces.names():
                async with workspaces.lease(name) as workspace:
                    await consistency.reconcile(workspace, self.embedder)
                await self._index(workspaces, name)
                found.append(await _checked(workspaces, name))
            return tuple(found)

    async def diagnose(self, name: str, entity: str) -> Diagnosis | None:
        """Return what one entity is made of, ``None`` if there is none of this name."""
        async with self.opened(name) as workspaces, workspaces.lease(name) as workspace:
            return await consistency.diagnose(workspace, entity)

    async def reindex(self, report: Progress, *names: str, everything: bool = False) -> int:
        """Index outdated workspaces again (or ``everything``); a second call goes on.  Return the documents."""
        total, version = 0, self._cutter().version
        async with self.opened(*names) as workspaces:
            for name in names or await workspaces.names():
                async with workspaces.lease(name) as workspace:
                    total += await consistency.begin_reindex(workspace, version, everything=everything)
                await self._index(workspaces, name)
                report(f"{name}: done, {total} documents so far")
        return total

    async def reindex_document(self, name: str, document: str) -> None:
        """Index one document of a workspace again, named by its id or its source."""
        async with self.opened(name) as workspaces:
            async with workspaces.lease(name) as workspace:
                if await consistency.reindex_document(workspace, document) is None:
                    raise ConfigInvalid(f"no such document in {name}: {document}")
            await self._index(workspaces, name)

    async def import_folder(self, folder: Path, name: str, report: Progress) -> Imported:
        """Move a folder of LightRAG's default file storages into a workspace and index it; resumable."""
        if not is_workspace_name(name):
            raise ConfigInvalid(f"{WORKSPACE_RULE}; got {name!r}")
        async with self.opened() as workspaces:
            async with workspaces.lease(name) as workspace:
                imported = await import_folder(workspace, folder, report)
            report("indexing")
            await self._index(workspaces, name)
            return imported

    def _cutter(self) -> Cutter:
        return Cutter(self.embedder, self.limits, self.chunker)

    async def _index(self, workspaces: Workspaces, name: str) -> None:
        ingestor = Ingestor(self.embedder, extract_by(Extractor()), self._cutter())
        worker = Worker(workspaces, ingestor, attempts=3)
        worker.wake(name)
        await worker.wait_until_idle()
        await worker.stop()
        async with workspaces.lease(name) as workspace, workspace.mutating:
            await embedding_texts.embed_missing(workspace, self.embedder)
        await asyncio.sleep(0)


async def _checked(workspaces: Workspaces, name: str) -> Report:
    async with workspaces.lease(name) as workspace:
        return await consistency.check(workspace)


async def run_check(call: ServerCall, names: Sequence[str], *, repair: bool, as_json: bool) -> int:
    """Print a report per workspace and return the exit code: 1 if something does not agree."""
    folder = _maintained(call)
    reports = await (folder.reconcile if repair else folder.check)(*names)
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
    found = await _maintained(call).diagnose(workspace, entity)
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
    console, folder, count = Console(stderr=True), _maintained(call), 1
    with console.status("indexing"):
        if document:
            await folder.reindex_document(names[0], document)
        else:
            count = await folder.reindex(console.print, *names, everything=everything)
    Console().print(f"{count} documents indexed again")


async def run_import(call: ServerCall, folder: Path, workspace: str) -> None:
    """Move a folder of LightRAG's into a workspace, with progress."""
    console = Console(stderr=True)
    with console.status("importing"):
        done = await _maintained(call).import_folder(folder, workspace, console.print)
    Console().print(
        f"{done.documents} documents, {done.entities} entities and {done.relations} relations imported; "
        f"{done.skipped} documents were there already or hold no text"
    )


def _maintained(call: ServerCall) -> Maintenance:
    set_up_logs("warning", pretty=sys.stderr.isatty())
    return Maintenance(
        call.data,
        choose_embedder(call, os.environ),
        named_chunker(),
        chosen_limits(call),
        read_database_url(os.environ),
    )


def chosen_limits(call: ServerCall) -> Limits:
    """Return the chunker's window as LightRAG's variables set it."""
    chosen = read_lightrag_variables(read_server_environment(call.data))
    return Limits(chosen.chunk_tokens, chosen.chunk_overlap)


Item = TypeVar("Item")

BATCH = 100
Rows = dict[str, dict[str, Any]]  # Any: LightRAG's records
Thing = tuple[tuple[str, ...], dict[str, Any]]  # Any: graph attributes
"""An entity by its name or a relation by both names, with its attributes."""
_GRAPHML: Final = "{http://graphml.graphdrawing.org/xmlns}"
_TYPES: Final[dict[str, Callable[[str], object]]] = {
    **dict.fromkeys(("int", "long"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": lambda text: text.lower() in ("true", "1"),
}
"""The values of GraphML that are no text."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How much was taken over, and how many documents were there already or hold no text."""

    documents: int
    skipped: int
    entities: int
    relations: int


async def import_folder(workspace: Workspace, folder: Path, report: Progress) -> Imported:
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
    for what, things in (("entities", nodes), ("relations", links)):
        for some in _batches(things):
            await workspace.write(partial(_put, things=some))
        report(f"{len(things)} {what}")
    return Imported(taken, len(documents) - taken, len(nodes), len(links))


def _put(tx: Transaction, things: list[Thing]) -> None:
    for (name, *other), attributes in things:
        if other:
            graph.put_edge(tx, name, other[0], attributes)
        else:
            graph.put_node(tx, name, attributes)


def _take(tx: Transaction, documents: Rows, statuses: Rows) -> int:
    known = records.by_ids(tx.db, list(documents))
    new = {key: row for key, row in documents.items() if key not in known}
    for key, row in new.items():
        old = statuses.get(key, {})
        source = str(old.get("file_path") or row.get("file_path") or key)
        created = {"created_at": str(old["created_at"])} if old.get("created_at") else {}
        fields = {"track_id": old.get("track_id"), "metadata": {"imported": True}, **created}
        store_document(tx, key, source, clean(str(row["content"])), fields)
    return len(new)


def _sources(chunks: Rows) -> dict[str, str]:
    """Return this server's chunk ids for the folder's: older versions of LightRAG named chunks by their content."""
    return {
        key: f"{row.get('full_doc_id', 'doc')}-chunk-{int(row.get('chunk_order_index', 0)):03d}"
        for key, row in chunks.items()
    }


def _graph(path: Path, sources: dict[str, str]) -> tuple[list[Thing], list[Thing]]:
    if not path.exists():
        return [], []
    try:
        read = ET.parse(path).getroot()  # noqa: S314 - a file of the operator's; expat bounds what entities make of it
        keys = {
            key.attrib["id"]: (key.attrib["attr.name"], _TYPES.get(key.get("attr.type", ""), str))
            for key in read.iter(f"{_GRAPHML}key")
        }

        def take(element: ET.Element) -> dict[str, Any]:  # Any: graph attributes
            told = [(keys[each.attrib["key"]], each.text or "") for each in element.iter(f"{_GRAPHML}data")]
            data = {name: typed(text) for (name, typed), text in told}
            parts = [sources.get(part, part) for part in str(data.get("source_id", "")).split("<SEP>") if part]
            return {**data, "source_id": "<SEP>".join(parts)}

        nodes: list[Thing] = [((node.attrib["id"],), take(node)) for node in read.iter(f"{_GRAPHML}node")]
        links: list[Thing] = [
            ((link.attrib["source"], link.attrib["target"]), take(link)) for link in read.iter(f"{_GRAPHML}edge")
        ]
    except (OSError, ValueError, KeyError, ET.ParseError) as error:
        raise DocumentRejected(f"{path} is damaged: {error}") from error
    return nodes, links


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
