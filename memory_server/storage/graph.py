"""LightRAG's graph storage: nodes, edges and adjacency as rows, attributes composed when read."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar

import orjson
from lightrag.base import BaseGraphStorage
from lightrag.types import KnowledgeGraph, KnowledgeGraphEdge, KnowledgeGraphNode

from memory_server.storage import composition
from memory_server.storage.composition import Attributes, GraphView
from memory_server.storage.engines import ALL
from memory_server.storage.workspace import Transaction, for_each_table, tenant_of

T = TypeVar("T")
Pair = tuple[str, str]

_CLEAR_GRAPH = for_each_table(
    "DELETE FROM TABLE", ("nodes", "aliases", "mentions", "edges", "adjacency", "edge_mentions", "texts")
)


@dataclass
class SqliteGraphStorage(BaseGraphStorage):  # type: ignore[misc]  # LightRAG has no type information
    """The graph of the bound workspace.  Batches are one read each; every write is committed when it returns."""

    async def has_node(self, node_id: str) -> bool:
        return node_id in await self.get_nodes_batch([node_id])

    async def has_nodes_batch(self, node_ids: list[str]) -> set[str]:
        return set(await self.get_nodes_batch(node_ids))

    async def has_edge(self, source_node_id: str, target_node_id: str) -> bool:
        return await self.get_edge(source_node_id, target_node_id) is not None

    async def get_node(self, node_id: str) -> Attributes | None:
        return (await self.get_nodes_batch([node_id])).get(node_id)

    async def get_nodes_batch(self, node_ids: list[str]) -> dict[str, Attributes]:
        return await self._read(lambda db, view, _: composition.entities(db, node_ids, view))

    async def get_edge(self, source_node_id: str, target_node_id: str) -> Attributes | None:
        pair = (source_node_id, target_node_id)
        return (await self._read(lambda db, view, _: composition.relations(db, [pair], view))).get(pair)

    async def get_edges_batch(self, pairs: list[dict[str, str]]) -> dict[Pair, Attributes]:
        asked = [(pair["src"], pair["tgt"]) for pair in pairs]
        return await self._read(lambda db, view, _: composition.relations(db, asked, view))

    async def node_degree(self, node_id: str) -> int:
        return (await self.node_degrees_batch([node_id])).get(node_id, 0)

    async def node_degrees_batch(self, node_ids: list[str]) -> dict[str, int]:
        return await self._read(lambda db, _, __: count_degrees(db, node_ids))

    async def edge_degree(self, src_id: str, tgt_id: str) -> int:
        return (await self.edge_degrees_batch([(src_id, tgt_id)]))[src_id, tgt_id]

    async def edge_degrees_batch(self, edge_pairs: list[Pair]) -> dict[Pair, int]:
        names = {name for pair in edge_pairs for name in pair}
        degrees = await self.node_degrees_batch(sorted(names))
        return {pair: degrees.get(pair[0], 0) + degrees.get(pair[1], 0) for pair in edge_pairs}

    async def get_node_edges(self, source_node_id: str) -> list[Pair] | None:
        return await self._read(lambda db, view, limit: list_node_edges(db, source_node_id, view, limit))

    async def get_nodes_edges_batch(self, node_ids: list[str]) -> dict[str, list[Pair]]:
        return await self._read(
            lambda db, view, limit: {name: list_node_edges(db, name, view, limit) or [] for name in node_ids}
        )

    async def upsert_node(self, node_id: str, node_data: dict[str, str]) -> None:
        await self.upsert_nodes_batch([(node_id, node_data)])

    async def upsert_nodes_batch(self, nodes: list[tuple[str, dict[str, str]]]) -> None:
        await self._write(partial(put_node, name=name, attributes=data) for name, data in nodes)

    async def upsert_edge(self, source_node_id: str, target_node_id: str, edge_data: dict[str, str]) -> None:
        await self.upsert_edges_batch([(source_node_id, target_node_id, edge_data)])

    async def upsert_edges_batch(self, edges_: list[tuple[str, str, dict[str, str]]]) -> None:
        await self._write(partial(put_edge, source=a, target=b, attributes=data) for a, b, data in edges_)

    async def delete_node(self, node_id: str) -> None:
        await self.remove_nodes([node_id])

    async def remove_nodes(self, nodes: list[str]) -> None:
        await self._write(partial(drop_named, name=name) for name in nodes)

    async def remove_edges(self, edges_: list[Pair]) -> None:
        await self._write(partial(drop_pair, source=a, target=b) for a, b in edges_)

    async def get_all_labels(self) -> list[str]:
        return await self._read(lambda db, view, _: list_labels(db, view))

    async def get_popular_labels(self, limit: int = 300) -> list[str]:
        return await self._read(lambda db, _, __: list_popular_labels(db, limit))

    async def search_labels(self, query: str, limit: int = 50) -> list[str]:
        return await self._read(lambda db, _, __: search_labels(db, query, limit))

    async def get_all_nodes(self) -> list[Attributes]:
        found = await self._read(lambda db, view, _: composition.entities(db, list_labels(db, view), view))
        return [attributes | {"id": name} for name, attributes in found.items()]

    async def get_all_edges(self) -> list[Attributes]:
        return await self._read(lambda db, view, _: list_edges(db, view))

    async def get_knowledge_graph(
        self, node_label: str, max_depth: int = 3, max_nodes: int | None = None
    ) -> KnowledgeGraph:
        """Return the neighbourhood of an entity, or the most connected part of the graph for ``*``."""
        most = self.global_config.get("max_graph_nodes", 1000)
        return await self._read(
            lambda db, view, _: find_neighbourhood(db, node_label, max_depth, min(max_nodes or most, most), view)
        )

    async def index_done_callback(self) -> None:
        """Empty the log, where what was removed or replaced still is; writes are committed when they return."""
        workspace = tenant_of(self.workspace).workspace
        if workspace.freed:
            workspace.freed = False
            await workspace.checkpoint()

    async def drop(self) -> dict[str, str]:
        def clear(tx: Transaction) -> None:
            for statement in _CLEAR_GRAPH.values():
                tx.db.execute(statement)

        await self._write([clear])
        return {"status": "success", "message": "data dropped"}

    async def _read(self, ask: Callable[[sqlite3.Connection, GraphView, int | None], T]) -> T:
        tenant = tenant_of(self.workspace)
        return await tenant.workspace.read(
            lambda db: ask(db, composition.build_view(db, tenant.documents), tenant.edge_limit)
        )

    async def _write(self, changes: Iterable[Callable[[Transaction], None]]) -> None:
        def change(tx: Transaction) -> None:
            for part in changes:
                part(tx)

        workspace = tenant_of(self.workspace, write=True).workspace
        await workspace.write(change)
        workspace.freed = True


def list_labels(db: sqlite3.Connection, view: GraphView) -> list[str]:
    """Return the names of every entity of the view, sorted by code point."""
    names = [name for (name,) in db.execute("SELECT name FROM nodes ORDER BY name")]
    return names if view.chunks is None else [name for name in names if composition.entities(db, [name], view)]


def list_popular_labels(db: sqlite3.Connection, limit: int) -> list[str]:
    """Return names by degree, highest first; ties by name; isolated entities last."""
    rows = db.execute(
        "SELECT n.name FROM nodes n "
        "LEFT JOIN (SELECT node, sum(CASE WHEN other = node THEN 2 ELSE 1 END) AS degree "
        "FROM adjacency GROUP BY node) d ON d.node = n.no ORDER BY COALESCE(d.degree, 0) DESC, n.name LIMIT ?",
        (limit,),
    )
    return [name for (name,) in rows]


def search_labels(db: sqlite3.Connection, query: str, limit: int) -> list[str]:
    """Return names that contain the query, scored as LightRAG's file storage does: exact, prefix, word, inside."""
    wanted = query.lower().strip()
    if not wanted:
        return []
    scored = [
        (-_score_label(name, wanted), name)
        for (name,) in db.execute("SELECT name FROM nodes")
        if wanted in name.lower()
    ]
    return [name for _, name in sorted(scored)[:limit]]


def _score_label(name: str, wanted: str) -> int:
    lower = name.lower()
    if lower == wanted:
        return 1000
    if lower.startswith(wanted):
        return 500
    return 100 - len(name) + (50 if f" {wanted}" in lower or f"_{wanted}" in lower else 0)


def find_neighbourhood(db: sqlite3.Connection, label: str, depth: int, most: int, view: GraphView) -> KnowledgeGraph:
    """Return the breadth-first neighbourhood of an entity (``*``: the most connected entities), at most ``most``."""
    if label == "*":
        ranked = list_popular_labels(db, ALL)
        chosen, truncated = ranked[:most], len(ranked) > most
    else:
        chosen, truncated = _reach(db, label, depth, most, view)
    found = composition.entities(db, chosen, view)
    near = [(name, other) for name in found for _, other in list_node_edges(db, name, view, None) or ()]
    links = composition.relations(db, [(a, b) for a, b in near if b in found and a <= b], view)
    return KnowledgeGraph(
        nodes=[KnowledgeGraphNode(id=name, labels=[name], properties=data) for name, data in found.items()],
        edges=[
            KnowledgeGraphEdge(id=f"{a}-{b}", type="DIRECTED", source=a, target=b, properties=data)
            for (a, b), data in links.items()
        ],
        is_truncated=truncated,
    )


def _reach(db: sqlite3.Connection, label: str, depth: int, most: int, view: GraphView) -> tuple[list[str], bool]:
    if find_node_number(db, label) is None:
        return [], False
    seen, level = [label], [label]
    for _ in range(depth):
        near = {other for name in level for _, other in list_node_edges(db, name, view, None) or ()} - set(seen)
        degree = count_degrees(db, near)
        level = sorted(near, key=lambda name: (-degree[name], name))
        seen.extend(level)
        if len(seen) > most:
            return seen[:most], True
    beyond = len(seen) >= most and any(
        other not in seen for name in level for _, other in list_node_edges(db, name, view, None) or ()
    )
    return seen, beyond


def find_node_number(db: sqlite3.Connection, name: str) -> int | None:
    """Return an entity's number, ``None`` if it does not exist."""
    row = db.execute("SELECT no FROM nodes WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def ensure_node(db: sqlite3.Connection, name: str) -> int:
    """Return an entity's number, making the entity if needed."""
    known = find_node_number(db, name)
    if known is not None:
        return known
    made: int = db.execute("INSERT INTO nodes (name) VALUES (?) RETURNING no", (name,)).fetchone()[0]
    return made


def ensure_edge(db: sqlite3.Connection, source: int, target: int) -> int:
    """Return the number of the edge between two nodes, making it if needed."""
    a, b = sorted((source, target))
    row = db.execute("SELECT no FROM edges WHERE a = ? AND b = ?", (a, b)).fetchone()
    if row:
        return int(row[0])
    ask = "INSERT INTO edges (a, b, flip) VALUES (?, ?, ?) RETURNING no"
    no: int = db.execute(ask, (a, b, source > target)).fetchone()[0]
    ends = {(a, no, b), (b, no, a)}
    db.executemany("INSERT INTO adjacency (node, edge, other) VALUES (?, ?, ?)", ends)
    return no


def put_node(tx: Transaction, name: str, attributes: Attributes) -> None:
    """Write an entity's attributes over those it has."""
    db = tx.db
    no = ensure_node(db, name)
    (data,) = db.execute("SELECT data FROM nodes WHERE no = ?", (no,)).fetchone()
    known = orjson.loads(data) if data else {}
    db.execute("UPDATE nodes SET data = ? WHERE no = ?", (orjson.dumps(known | attributes).decode(), no))


def put_edge(tx: Transaction, source: str, target: str, attributes: Attributes) -> None:
    """Write a relation's attributes over those it has, making its ends if needed."""
    db = tx.db
    ends = [ensure_node(db, name) for name in (source, target)]
    db.executemany(
        "UPDATE nodes SET data = '{}' WHERE no = ? AND data IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM mentions WHERE node = no)",
        [(no,) for no in ends],
    )
    no = ensure_edge(db, *ends)
    (data,) = db.execute("SELECT data FROM edges WHERE no = ?", (no,)).fetchone()
    known = orjson.loads(data) if data else {}
    db.execute("UPDATE edges SET data = ? WHERE no = ?", (orjson.dumps(known | attributes).decode(), no))


def count_degrees(db: sqlite3.Connection, names: Iterable[str]) -> dict[str, int]:
    """Return the number of edges of each entity; one to itself has two ends there and counts twice, as in any graph."""
    asked = list(names)
    rows = db.execute(
        "SELECT n.name, sum(CASE WHEN a.other = a.node THEN 2 ELSE 1 END) FROM nodes n "
        "JOIN adjacency a ON a.node = n.no WHERE n.name IN (SELECT value FROM json_each(?)) GROUP BY n.no",
        (orjson.dumps(asked).decode(),),
    )
    return dict.fromkeys(asked, 0) | dict(rows.fetchall())


def list_node_edges(
    db: sqlite3.Connection, name: str, view: GraphView, limit: int | None
) -> list[tuple[str, str]] | None:
    """Return an entity's edges as (entity, neighbour), the newest first; ``None`` if it does not exist."""
    no = find_node_number(db, name)
    if no is None:
        return None
    rows = db.execute(
        "SELECT n.name, e.no, e.data FROM adjacency a JOIN nodes n ON n.no = a.other JOIN edges e ON e.no = a.edge "
        "WHERE a.node = ? ORDER BY a.edge DESC",
        (no,),
    )
    if view.chunks is None:
        return [(name, other) for other, _, _ in islice(rows, limit)]
    mentioned = composition.list_mentioned_edges(db, view)
    whole = [row for row in rows if row[1] in mentioned or row[2] is not None]
    present = composition.compose_relations_by_number(db, [(edge, data) for _, edge, data in whole], view)
    return [(name, other) for other, edge, _ in whole if edge in present][:limit]


def list_edges(db: sqlite3.Connection, view: GraphView) -> list[Attributes]:
    """Return every relation of the view with its ends."""
    rows = db.execute(
        "SELECT e.no, e.data, s.name, t.name FROM edges e "
        "JOIN nodes s ON s.no = CASE WHEN e.flip = 1 THEN e.b ELSE e.a END "
        "JOIN nodes t ON t.no = CASE WHEN e.flip = 1 THEN e.a ELSE e.b END"
    ).fetchall()
    found = composition.compose_relations_by_number(db, [(no, data) for no, data, _, _ in rows], view)
    return [found[no] | {"source": source, "target": target} for no, _, source, target in rows if no in found]


def drop_named(tx: Transaction, name: str) -> None:
    """Remove an entity by its name, if there is one."""
    if (no := find_node_number(tx.db, name)) is not None:
        drop_node(tx, no)


def drop_node(tx: Transaction, no: int) -> None:
    """Remove an entity with its edges, mentions, aliases and vectors."""
    for (edge,) in tx.db.execute("SELECT edge FROM adjacency WHERE node = ?", (no,)).fetchall():
        drop_edge(tx, edge)
    for statement in (
        "DELETE FROM mentions WHERE node = ?",
        "DELETE FROM aliases WHERE node = ?",
        "DELETE FROM nodes WHERE no = ?",
    ):
        tx.db.execute(statement, (no,))
    tx.drop_vector("entities", no)


def drop_pair(tx: Transaction, source: str, target: str) -> None:
    """Remove the edge between two entities, if there is one."""
    row = composition.find_edge(tx.db, source, target)
    if row is not None:
        drop_edge(tx, row[0])


def drop_edge(tx: Transaction, no: int) -> None:
    """Remove an edge with its mentions and vector."""
    for ends in tx.db.execute("SELECT a, b FROM edges WHERE no = ?", (no,)).fetchall():
        tx.db.executemany("DELETE FROM adjacency WHERE node = ? AND edge = ?", [(end, no) for end in ends])
    tx.db.execute("DELETE FROM edge_mentions WHERE edge = ?", (no,))
    tx.db.execute("DELETE FROM edges WHERE no = ?", (no,))
    tx.drop_vector("relationships", no)
