"""Nodes and edges in SQL: finding, writing and removing them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import islice

import orjson

from memory_server.storage import composition
from memory_server.storage.composition import Attributes, View
from memory_server.storage.workspace import Transaction


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
        "SELECT n.name, sum(1 + (a.other = a.node)) FROM nodes n JOIN adjacency a ON a.node = n.no "
        "WHERE n.name IN (SELECT value FROM json_each(?)) GROUP BY n.no",
        (orjson.dumps(asked).decode(),),
    )
    return dict.fromkeys(asked, 0) | dict(rows.fetchall())


def list_node_edges(db: sqlite3.Connection, name: str, view: View, limit: int | None) -> list[tuple[str, str]] | None:
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


def list_edges(db: sqlite3.Connection, view: View) -> list[Attributes]:
    """Return every relation of the view with its ends."""
    rows = db.execute(
        "SELECT e.no, e.data, s.name, t.name FROM edges e "
        "JOIN nodes s ON s.no = CASE WHEN e.flip THEN e.b ELSE e.a END "
        "JOIN nodes t ON t.no = CASE WHEN e.flip THEN e.a ELSE e.b END"
    ).fetchall()
    found = composition.compose_relations_by_number(db, [(no, data) for no, data, _, _ in rows], view)
    return [found[no] | {"source": source, "target": target} for no, _, source, target in rows if no in found]


def drop_node(tx: Transaction, name: str) -> None:
    """Remove an entity with its edges, mentions, aliases and vectors."""
    no = find_node_number(tx.db, name)
    if no is None:
        return
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
