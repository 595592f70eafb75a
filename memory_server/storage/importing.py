"""Move an existing LightRAG folder (its default file storages) into a workspace.

Documents are taken over as they are and indexed here; the graph that a model extracted is kept as written attributes,
which join what this server finds by itself.  Every step may be repeated: what is there already is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import networkx as nx
import orjson

from memory_server.chunking.headings import clean
from memory_server.errors import ConfigInvalid, DocumentRejected
from memory_server.storage import edges, kv, records
from memory_server.storage.workspace import Transaction, Workspace

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
        edges.put_node(tx, name, attributes)


def _put_edges(tx: Transaction, links: list[tuple[str, str, dict[str, Any]]]) -> None:  # Any: graph attributes
    for source, target, attributes in links:
        edges.put_edge(tx, source, target, attributes)


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
        graph = nx.read_graphml(path)
    except (OSError, ValueError, nx.NetworkXError, SyntaxError) as error:
        raise DocumentRejected(f"{path} is damaged: {error}") from error
    nodes = [(str(name), _renamed(data, sources)) for name, data in graph.nodes(data=True)]
    links = [(str(a), str(b), _renamed(data, sources)) for a, b, data in graph.edges(data=True)]
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
