"""LightRAG's graph storage: nodes, edges and adjacency as rows, attributes composed when read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from lightrag.base import BaseGraphStorage
from lightrag.types import KnowledgeGraph, KnowledgeGraphEdge, KnowledgeGraphNode

from memory_server.storage import composition, edges, subgraph
from memory_server.storage.composition import Attributes, View
from memory_server.storage.tenancy import tenant_of
from memory_server.storage.workspace import Transaction

T = TypeVar("T")
Pair = tuple[str, str]


@dataclass
class SqliteGraphStorage(BaseGraphStorage):  # type: ignore[misc]  # LightRAG has no type information
    """The graph of the bound workspace.  Batches are one read each; every write is committed when it returns."""

    async def has_node(self, node_id: str) -> bool:
        """Return whether the entity exists."""
        return node_id in await self.get_nodes_batch([node_id])

    async def has_nodes_batch(self, node_ids: list[str]) -> set[str]:
        """Return those of the names that exist."""
        return set(await self.get_nodes_batch(node_ids))

    async def has_edge(self, source_node_id: str, target_node_id: str) -> bool:
        """Return whether the relation exists, in either direction."""
        return await self.get_edge(source_node_id, target_node_id) is not None

    async def get_node(self, node_id: str) -> Attributes | None:
        """Return an entity's attributes, ``None`` if it does not exist."""
        return (await self.get_nodes_batch([node_id])).get(node_id)

    async def get_nodes_batch(self, node_ids: list[str]) -> dict[str, Attributes]:
        """Return the attributes of the entities that exist."""
        return await self._read(lambda db, view, _: composition.entities(db, node_ids, view))

    async def get_edge(self, source_node_id: str, target_node_id: str) -> Attributes | None:
        """Return a relation's attributes, ``None`` if it does not exist."""
        pair = (source_node_id, target_node_id)
        return (await self._read(lambda db, view, _: composition.relations(db, [pair], view))).get(pair)

    async def get_edges_batch(self, pairs: list[dict[str, str]]) -> dict[Pair, Attributes]:
        """Return the attributes of the relations that exist, by (src, tgt) as asked."""
        asked = [(pair["src"], pair["tgt"]) for pair in pairs]
        return await self._read(lambda db, view, _: composition.relations(db, asked, view))

    async def node_degree(self, node_id: str) -> int:
        """Return the number of relations of an entity."""
        return (await self.node_degrees_batch([node_id])).get(node_id, 0)

    async def node_degrees_batch(self, node_ids: list[str]) -> dict[str, int]:
        """Return the number of relations of each entity, 0 for one that does not exist."""
        return await self._read(lambda db, _, __: edges.degrees(db, node_ids))

    async def edge_degree(self, src_id: str, tgt_id: str) -> int:
        """Return the sum of both ends' degrees."""
        return (await self.edge_degrees_batch([(src_id, tgt_id)]))[src_id, tgt_id]

    async def edge_degrees_batch(self, edge_pairs: list[Pair]) -> dict[Pair, int]:
        """Return the sum of both ends' degrees for each pair."""
        names = {name for pair in edge_pairs for name in pair}
        degrees = await self.node_degrees_batch(sorted(names))
        return {pair: degrees.get(pair[0], 0) + degrees.get(pair[1], 0) for pair in edge_pairs}

    async def get_node_edges(self, source_node_id: str) -> list[Pair] | None:
        """Return an entity's relations as (entity, neighbour), ``None`` if the entity does not exist."""
        return await self._read(lambda db, view, limit: edges.of_node(db, source_node_id, view, limit))

    async def get_nodes_edges_batch(self, node_ids: list[str]) -> dict[str, list[Pair]]:
        """Return the relations of each entity, an empty list for one that does not exist."""
        return await self._read(
            lambda db, view, limit: {name: edges.of_node(db, name, view, limit) or [] for name in node_ids}
        )

    async def upsert_node(self, node_id: str, node_data: dict[str, str]) -> None:
        """Insert or change an entity: given attributes replace those of the same name."""
        await self.upsert_nodes_batch([(node_id, node_data)])

    async def upsert_nodes_batch(self, nodes: list[tuple[str, dict[str, str]]]) -> None:
        """Insert or change entities in one transaction."""
        await self._write(partial(edges.put_node, name=name, attributes=data) for name, data in nodes)

    async def upsert_edge(self, source_node_id: str, target_node_id: str, edge_data: dict[str, str]) -> None:
        """Insert or change a relation, creating its ends if needed."""
        await self.upsert_edges_batch([(source_node_id, target_node_id, edge_data)])

    async def upsert_edges_batch(self, edges_: list[tuple[str, str, dict[str, str]]]) -> None:
        """Insert or change relations in one transaction."""
        await self._write(partial(edges.put_edge, source=a, target=b, attributes=data) for a, b, data in edges_)

    async def delete_node(self, node_id: str) -> None:
        """Remove an entity and its relations."""
        await self.remove_nodes([node_id])

    async def remove_nodes(self, nodes: list[str]) -> None:
        """Remove entities and their relations, with what mentioned them."""
        await self._write(partial(edges.drop_node, name=name) for name in nodes)

    async def remove_edges(self, edges_: list[Pair]) -> None:
        """Remove relations."""
        await self._write(partial(edges.drop_pair, source=a, target=b) for a, b in edges_)

    async def get_all_labels(self) -> list[str]:
        """Return every entity's name, sorted."""
        return await self._read(lambda db, view, _: subgraph.labels(db, view))

    async def get_popular_labels(self, limit: int = 300) -> list[str]:
        """Return names by degree, highest first; ties by name."""
        return await self._read(lambda db, _, __: subgraph.popular(db, limit))

    async def search_labels(self, query: str, limit: int = 50) -> list[str]:
        """Return names that contain the query, best match first."""
        return await self._read(lambda db, _, __: subgraph.search(db, query, limit))

    async def get_all_nodes(self) -> list[Attributes]:
        """Return every entity with its name as ``id``."""
        found = await self._read(lambda db, view, _: composition.entities(db, subgraph.labels(db, view), view))
        return [attributes | {"id": name} for name, attributes in found.items()]

    async def get_all_edges(self) -> list[Attributes]:
        """Return every relation with its ends as ``source`` and ``target``."""
        return await self._read(lambda db, view, _: edges.everything(db, view))

    async def get_knowledge_graph(
        self, node_label: str, max_depth: int = 3, max_nodes: int | None = None
    ) -> KnowledgeGraph:
        """Return the neighbourhood of an entity, or the most connected part of the graph for ``*``."""
        most = self.global_config.get("max_graph_nodes", 1000)
        found = await self._read(
            lambda db, view, _: subgraph.around(db, node_label, max_depth, min(max_nodes or most, most), view)
        )
        nodes = [KnowledgeGraphNode(id=name, labels=[name], properties=a) for name, a in found.nodes.items()]
        links = [
            KnowledgeGraphEdge(id=f"{a}-{b}", type="DIRECTED", source=a, target=b, properties=data)
            for (a, b), data in found.edges.items()
        ]
        return KnowledgeGraph(nodes=nodes, edges=links, is_truncated=found.truncated)

    async def index_done_callback(self) -> None:
        """Empty the log, where what was removed or replaced still is; writes are committed when they return."""
        workspace = tenant_of(self.workspace).workspace
        if workspace.freed:
            workspace.freed = False
            await workspace.checkpoint()

    async def drop(self) -> dict[str, str]:
        """Remove the whole graph."""
        tables = ("nodes", "aliases", "mentions", "edges", "adjacency", "edge_mentions", "texts")

        def clear(tx: Transaction) -> None:
            for table in tables:
                tx.db.execute(f"DELETE FROM {table}")  # noqa: S608 - constants

        await self._write([clear])
        return {"status": "success", "message": "data dropped"}

    async def _read(self, ask: Callable[[sqlite3.Connection, View, int | None], T]) -> T:
        tenant = tenant_of(self.workspace)
        return await tenant.workspace.read(
            lambda db: ask(db, composition.view_of(db, tenant.documents), tenant.edge_limit)
        )

    async def _write(self, changes: Iterable[Callable[[Transaction], None]]) -> None:
        def change(tx: Transaction) -> None:
            for part in changes:
                part(tx)

        workspace = tenant_of(self.workspace, write=True).workspace
        await workspace.write(change)
        workspace.freed = True
