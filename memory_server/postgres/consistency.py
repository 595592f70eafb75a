"""Consistency of documents, chunks, graph and vectors of a PostgreSQL workspace, and a look at one entity."""

from __future__ import annotations

from typing import Any

from lightrag.lightrag import LightRAG

from memory_server.indexing.consistency import SAMPLE, Diagnosis, Report

_SEPARATOR = "<SEP>"
CHECKS = {
    "processed documents without chunks": "SELECT id FROM LIGHTRAG_DOC_STATUS s WHERE workspace = $1 AND "
    "status = 'processed' AND id NOT IN (SELECT full_doc_id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1)",
    "waiting documents without text": "SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1 AND status IN "
    "('pending', 'processing') AND id NOT IN (SELECT id FROM LIGHTRAG_DOC_FULL WHERE workspace = $1)",
    "texts without document": "SELECT id FROM LIGHTRAG_DOC_FULL WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1)",
    "chunks without document": "SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1 AND full_doc_id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_STATUS WHERE workspace = $1)",
    "chunks without vector": "SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM {chunks} WHERE workspace = $1)",
    "vectors without chunk": "SELECT id FROM {chunks} WHERE workspace = $1 AND id NOT IN "
    "(SELECT id FROM LIGHTRAG_DOC_CHUNKS WHERE workspace = $1)",
    "entities without vector": "SELECT id FROM {nodes} AND id NOT IN "
    "(SELECT entity_name FROM {entities} WHERE workspace = $1)",
    "vectors without entity": "SELECT entity_name AS id FROM {entities} WHERE workspace = $1 AND entity_name NOT IN "
    "(SELECT id FROM {nodes})",
    "relations without ends": "SELECT src_id || ' - ' || tgt_id AS id FROM {edges} AND NOT (src_id IN "
    "(SELECT id FROM {nodes}) AND tgt_id IN (SELECT id FROM {nodes}))",
    "relations without vector": "SELECT src_id || ' - ' || tgt_id AS id FROM {edges} AND NOT EXISTS (SELECT 1 FROM "
    "{relations} v WHERE v.workspace = $1 AND LEAST(v.source_id, v.target_id) = LEAST(e.src_id, e.tgt_id) "
    "AND GREATEST(v.source_id, v.target_id) = GREATEST(e.src_id, e.tgt_id))",
    "vectors without relation": "SELECT v.id FROM {relations} v WHERE v.workspace = $1 AND NOT EXISTS (SELECT 1 FROM "
    "{edges} AND LEAST(v.source_id, v.target_id) = LEAST(e.src_id, e.tgt_id) "
    "AND GREATEST(v.source_id, v.target_id) = GREATEST(e.src_id, e.tgt_id))",
}


async def check(rag: LightRAG) -> Report:
    """Compare everything with everything; nothing is changed."""
    graph = rag.chunk_entity_relation_graph.namespace
    names = {
        "nodes": f"lightrag_graph_nodes WHERE workspace = $1 AND namespace = '{graph}'",
        "edges": f"lightrag_graph_edges e WHERE e.workspace = $1 AND e.namespace = '{graph}'",
        "chunks": rag.chunks_vdb.table_name,
        "entities": rag.entities_vdb.table_name,
        "relations": rag.relationships_vdb.table_name,
    }
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for finding, ask in CHECKS.items():
        rows: list[dict[str, Any]] = await rag.doc_status.db.query(  # Any: LightRAG's untyped client
            ask.format(**names), [rag.workspace], multirows=True
        )
        if rows:
            found[finding] = (len(rows), tuple(str(row["id"]) for row in rows[:SAMPLE]))
    return Report(rag.workspace, found)


async def diagnose(rag: LightRAG, name: str) -> Diagnosis | None:
    """Return what an entity is made of, ``None`` if there is none of this name."""
    attributes: dict[str, Any] | None = await rag.chunk_entity_relation_graph.get_node(name)  # Any: scalars
    if attributes is None:
        return None
    chunks = [part for part in str(attributes.get("source_id", "")).split(_SEPARATOR) if part]
    stored = [row for row in await rag.text_chunks.get_by_ids(chunks) if row]
    pairs = await rag.chunk_entity_relation_graph.get_node_edges(name) or []
    ask = f"SELECT 1 FROM {rag.entities_vdb.table_name} WHERE workspace = $1 AND entity_name = $2"  # noqa: S608 - LightRAG's table
    vector = await rag.doc_status.db.query(ask, [rag.workspace, name])
    return Diagnosis(
        name,
        attributes,
        tuple(chunks),
        tuple(dict.fromkeys(str(row["full_doc_id"]) for row in stored)),
        tuple(sorted(other for _, other in pairs)),
        bool(vector),
    )
