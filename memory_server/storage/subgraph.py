"""Container of the graph for people who look at it: labels, search, neighbourhoods."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from memory_server.storage import composition, edges
from memory_server.storage.composition import Attributes, View


@dataclass(slots=True)
class Subgraph:
    """Entities and relations by name; ``truncated`` says that some were left out."""

    nodes: dict[str, Attributes] = field(default_factory=dict)
    edges: dict[tuple[str, str], Attributes] = field(default_factory=dict)
    truncated: bool = False


def labels(db: sqlite3.Connection, view: View) -> list[str]:
    """Return the names of every entity of the view, sorted by code point."""
    names = [name for (name,) in db.execute("SELECT name FROM nodes ORDER BY name")]
    return names if view.chunks is None else [name for name in names if composition.entities(db, [name], view)]


def popular(db: sqlite3.Connection, limit: int) -> list[str]:
    """Return names by degree, highest first; ties by name; isolated entities last."""
    rows = db.execute(
        "SELECT n.name FROM nodes n "
        "LEFT JOIN (SELECT node, sum(1 + (other = node)) AS degree FROM adjacency GROUP BY node) d "
        "ON d.node = n.no ORDER BY COALESCE(d.degree, 0) DESC, n.name LIMIT ?",
        (limit,),
    )
    return [name for (name,) in rows]


def search(db: sqlite3.Connection, query: str, limit: int) -> list[str]:
    """Return names that contain the query, scored as LightRAG's file storage does: exact, prefix, word, inside."""
    wanted = query.lower().strip()
    if not wanted:
        return []
    scored = [
        (-_score(name, wanted), name) for (name,) in db.execute("SELECT name FROM nodes") if wanted in name.lower()
    ]
    return [name for _, name in sorted(scored)[:limit]]


def _score(name: str, wanted: str) -> int:
    lower = name.lower()
    if lower == wanted:
        return 1000
    if lower.startswith(wanted):
        return 500
    return 100 - len(name) + (50 if f" {wanted}" in lower or f"_{wanted}" in lower else 0)


def around(db: sqlite3.Connection, label: str, depth: int, most: int, view: View) -> Subgraph:
    """Return the breadth-first neighbourhood of an entity (``*``: the most connected entities), at most ``most``."""
    found = Subgraph()
    if label == "*":
        ranked = popular(db, -1)
        chosen, found.truncated = ranked[:most], len(ranked) > most
    else:
        chosen, found.truncated = _reached(db, label, depth, most, view)
    found.nodes = composition.entities(db, chosen, view)
    for name in found.nodes:
        for _, other in edges.of_node(db, name, view, None) or ():
            if other in found.nodes and name <= other:
                found.edges |= composition.relations(db, [(name, other)], view)
    return found


def _reached(db: sqlite3.Connection, label: str, depth: int, most: int, view: View) -> tuple[list[str], bool]:
    if edges.node_number(db, label) is None:
        return [], False
    seen, level = [label], [label]
    for _ in range(depth):
        near = {other for name in level for _, other in edges.of_node(db, name, view, None) or ()} - set(seen)
        degree = edges.degrees(db, near)
        level = sorted(near, key=lambda name: (-degree[name], name))
        seen.extend(level)
        if len(seen) > most:
            return seen[:most], True
    beyond = len(seen) >= most and any(
        other not in seen for name in level for _, other in edges.of_node(db, name, view, None) or ()
    )
    return seen, beyond
