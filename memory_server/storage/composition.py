"""Compose entities and relations from their mentions, when they are read.

LightRAG keeps one merged description per entity and rewrites it at every insert; what one document said can then not be
taken out again.  Here the description is the newest sentences that mention the entity, the sources are their chunks:
an insert only appends, an erased document is gone from every description at once, and a query that is limited to some
documents sees descriptions made of these documents only.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from memory_server.storage.engines import ALL
from memory_server.storage.records import BY_HAND

SEPARATOR = "<SEP>"
ENTITY_SOURCES, ENTITY_TEXTS = 24, 8
RELATION_SOURCES, RELATION_TEXTS = 12, 4
"""How many of the newest mentions name their chunk, and how many lend their sentence."""

MENTIONED_EDGES = (
    "SELECT m.edge FROM json_each(?) c JOIN edge_mentions_recent m ON m.chunk = c.value "
    "UNION SELECT m.edge FROM json_each(?1) c JOIN edge_mentions_settled m ON m.chunk = c.value"
)
"""The relations that the chunks of a JSON array mention."""

Place = tuple[int, int, str]
"""Chunk, number of the sentence, kind of the entity or keywords of the relation."""
_Mention = tuple[str, str | None, str, str | None, int]
"""Kind or keywords, sentence, chunk id, file path, time."""

Attributes = dict[str, Any]  # Any: LightRAG's graph attributes are scalars of its own making


@dataclass(frozen=True, slots=True)
class GraphView:
    """What a read may see: chunk numbers as a JSON array, and the same chunks' ids; ``None`` sees everything."""

    chunks: str | None = None
    ids: frozenset[str] = frozenset()


EVERYTHING = GraphView()


def build_view(db: sqlite3.Connection, documents: frozenset[str] | None) -> GraphView:
    """Return the view of a set of documents."""
    if documents is None:
        return EVERYTHING
    rows = db.execute(
        "SELECT c.no, c.id FROM status s JOIN chunks c ON c.doc = s.no WHERE s.id IN (SELECT value FROM json_each(?))",
        (orjson.dumps(sorted(documents)).decode(),),
    ).fetchall()
    stored = db.execute(
        "SELECT c.value FROM status s, json_each(s.data, '$.chunks_list') c "
        "WHERE s.id IN (SELECT value FROM json_each(?))",
        (orjson.dumps(sorted(documents)).decode(),),
    )
    by_hand = documents & {BY_HAND}
    chunks = frozenset([id_ for _, id_ in rows] + [r[0] for r in stored])
    return GraphView(orjson.dumps([no for no, _ in rows]).decode(), chunks | by_hand)


def list_mentioned_edges(db: sqlite3.Connection, view: GraphView) -> frozenset[int]:
    """Return the numbers of the relations that the chunks of a view mention."""
    return frozenset(edge for (edge,) in db.execute(MENTIONED_EDGES, (view.chunks,)))


def entities(db: sqlite3.Connection, names: Iterable[str], view: GraphView = EVERYTHING) -> dict[str, Attributes]:
    """Return the attributes of the entities that exist in the view, by name."""
    nodes: dict[str, tuple[int, str | None]] = {}
    for name in names:
        if (row := db.execute("SELECT no, data FROM nodes WHERE name = ?", (name,)).fetchone()) is not None:
            nodes[name] = row
    mentions = _node_mentions(db, [no for no, _ in nodes.values()], view)
    made = {name: _mentioned(name, mentions[no], _written(data, view, name)) for name, (no, data) in nodes.items()}
    return {name: attributes for name, attributes in made.items() if attributes is not None}


def entity(
    db: sqlite3.Connection, no: int, name: str, data: str | None, view: GraphView = EVERYTHING
) -> Attributes | None:
    """Return one entity, ``None`` if nothing in the view mentions it."""
    return _mentioned(name, _node_mentions(db, [no], view)[no], _written(data, view, name))


def _mentioned(name: str, rows: list[_Mention], written: Attributes | None) -> Attributes | None:
    if not rows:
        return written
    kind = Counter(row[0] for row in rows).most_common(1)[0][0]
    return _joined(written, {"entity_id": name, "entity_type": kind} | _composed(rows, ENTITY_TEXTS))


def relations(
    db: sqlite3.Connection, pairs: Iterable[tuple[str, str]], view: GraphView = EVERYTHING
) -> dict[tuple[str, str], Attributes]:
    """Return the attributes of the relations that exist in the view, by the pair as it was asked.

    A query asks for hundreds: three statements in all, as each costs more than what it finds.
    """
    asked = list(pairs)
    names = orjson.dumps(list({name for pair in asked for name in pair})).decode()
    numbers = dict(
        db.execute("SELECT name, no FROM nodes WHERE name IN (SELECT value FROM json_each(?))", (names,)).fetchall()
    )
    ends = {pair: sorted((numbers[pair[0]], numbers[pair[1]])) for pair in asked if numbers.keys() >= set(pair)}
    rows = db.execute(
        "SELECT e.a, e.b, e.no, e.data FROM json_each(?) p "
        "JOIN edges e ON e.a = p.value >> 32 AND e.b = p.value & 4294967295",
        (orjson.dumps([a << 32 | b for a, b in ends.values()]).decode(),),
    )
    known = {(a, b): (no, data) for a, b, no, data in rows}
    mentions = _edge_mentions(db, [no for no, _ in known.values()], view)
    found: dict[tuple[str, str], Attributes] = {}
    for pair, (a, b) in ends.items():
        no, data = known.get((a, b), (None, None))
        if no is not None and (attributes := _related(mentions.get(no, []), _written(data, view, ""))) is not None:
            found[pair] = attributes
    return found


def find_edge(db: sqlite3.Connection, source: str, target: str) -> tuple[int, str | None] | None:
    """Return number and written attributes of the edge between two entities, in either direction."""
    ends = dict(db.execute("SELECT name, no FROM nodes WHERE name IN (?, ?)", (source, target)).fetchall())
    if source not in ends or target not in ends:
        return None
    a, b = sorted((ends[source], ends[target]))
    row: tuple[int, str | None] | None = db.execute(
        "SELECT no, data FROM edges WHERE a = ? AND b = ?", (a, b)
    ).fetchone()
    return row


def compose_relations_by_number(
    db: sqlite3.Connection, links: Iterable[tuple[int, str | None]], view: GraphView = EVERYTHING
) -> dict[int, Attributes]:
    """Return the relations that exist in the view, by number, from their numbers and written attributes."""
    asked = list(links)
    mentions = _edge_mentions(db, [no for no, _ in asked], view)
    made = {no: _related(mentions.get(no, []), _written(data, view, "")) for no, data in asked}
    return {no: attributes for no, attributes in made.items() if attributes is not None}


def _related(rows: list[_Mention], written: Attributes | None) -> Attributes | None:
    if not rows:
        return written
    keywords = dict.fromkeys(word for row in rows for word in row[0].split(",") if word)
    own = {"weight": float(len(rows)), "keywords": ",".join(keywords)}
    return _joined(written, own | _composed(rows, RELATION_TEXTS))


def _edge_mentions(db: sqlite3.Connection, numbers: list[int], view: GraphView) -> dict[int, list[_Mention]]:
    """Return the newest mentions of each edge, newest first."""
    within = "" if view.chunks is None else "AND chunk IN (SELECT value FROM json_each(?2))"
    chosen = orjson.dumps(numbers).decode()
    rows = db.execute(
        "SELECT m.edge, m.keywords, t.text, c.id, s.file_path, c.at FROM (SELECT edge, chunk, i, keywords, "  # noqa: S608 - a number and one of two texts
        "row_number() OVER (PARTITION BY edge ORDER BY chunk DESC) AS place FROM edge_mentions "
        f"WHERE edge IN (SELECT value FROM json_each(?1)) {within}) m JOIN chunks c ON c.no = m.chunk "
        "LEFT JOIN texts t ON t.chunk = m.chunk AND t.i = m.i LEFT JOIN status s ON s.no = c.doc "
        f"WHERE m.place <= {RELATION_SOURCES} ORDER BY m.edge, m.chunk DESC",
        (chosen,) if view.chunks is None else (chosen, view.chunks),
    )
    found: dict[int, list[_Mention]] = {}
    for edge, *mention in rows:
        found.setdefault(edge, []).append((mention[0], mention[1], mention[2], mention[3], mention[4]))
    return found


def _node_mentions(db: sqlite3.Connection, numbers: list[int], view: GraphView) -> dict[int, list[_Mention]]:
    """Return the newest mentions of each node, newest first; a node may have very many, so they are not all read."""
    chosen = read_newest(db, "mentions", numbers, ENTITY_SOURCES, view.chunks)
    places = [chunk << _PLACE_BITS | i for mentions in chosen.values() for chunk, i, _ in mentions]
    rows = db.execute(
        "SELECT p.value, t.text, c.id, s.file_path, c.at FROM json_each(?) p "  # noqa: S608 - numbers
        f"JOIN chunks c ON c.no = p.value >> {_PLACE_BITS} "
        f"LEFT JOIN texts t ON t.chunk = c.no AND t.i = p.value & {(1 << _PLACE_BITS) - 1} "
        "LEFT JOIN status s ON s.no = c.doc",
        (orjson.dumps(sorted(set(places))).decode(),),
    )
    told = {place: found for place, *found in rows}
    return {
        no: [(kind, *told[place]) for chunk, i, kind in chosen[no] if (place := chunk << _PLACE_BITS | i) in told]
        for no in numbers
    }


_PLACE_BITS = 20
"""A sentence's number within its chunk takes so many bits of a place: no chunk has a million."""


_COLUMNS = {"mentions": "node, chunk, i, kind", "edge_mentions": "edge, chunk, i, keywords, weight"}
"""The first two are the settled table's key."""


def read_newest(
    db: sqlite3.Connection, table: str, owners: Sequence[int], most: int, chunks: str | None = None
) -> dict[int, list[Place]]:
    """Return up to ``most`` mentions of each entity or relation, newest first; none for one that has none.

    ``chunks`` (a JSON array of numbers) restricts them to these chunks.
    """
    columns = _COLUMNS[table].split(", ")
    what = f"SELECT {', '.join(columns[:4])} FROM {table}"  # noqa: S608 - columns and table are those named above
    within = "" if chunks is None else "AND chunk IN (SELECT value FROM json_each(?3))"
    newest_first = f"{within} ORDER BY chunk DESC LIMIT ?2"
    found: dict[int, list[Place]] = {owner: [] for owner in owners}
    chosen = orjson.dumps(list(owners)).decode()
    more = () if chunks is None else (chunks,)
    ask = f"{what}_recent WHERE {columns[0]} IN (SELECT value FROM json_each(?1)) {newest_first}"  # noqa: S608 - as above
    for owner, *mention in db.execute(ask, (chosen, ALL, *more)):
        found[owner].append((mention[0], mention[1], mention[2]))
    ask = f"{what}_settled WHERE {columns[0]} = ?1 {newest_first}"
    for owner, recent in found.items():
        if len(recent) < most:
            recent += [row[1:] for row in db.execute(ask, (owner, most - len(recent), *more))]
        del recent[most:]
    return found


def _composed(rows: list[_Mention], texts: int) -> Attributes:
    """Return what entities and relations have in common, from their newest mentions."""
    return {
        "description": SEPARATOR.join(dict.fromkeys(row[1] for row in reversed(rows[:texts]) if row[1])),
        "source_id": SEPARATOR.join(row[2] for row in rows),
        "file_path": SEPARATOR.join(dict.fromkeys(row[3] or "unknown_source" for row in rows)),
        "created_at": rows[-1][4],
    }


def _written(data: str | None, view: GraphView, name: str) -> Attributes | None:
    """Return attributes written through LightRAG's interface, as far as they may be seen."""
    if data is None:
        return None
    attributes: Attributes = orjson.loads(data)
    return attributes if view.chunks is None else limit_attributes(attributes, view.ids, name)


def limit_attributes(attributes: Attributes, chunks: frozenset[str], name: str) -> Attributes | None:
    """Return attributes as who sees these chunks may see them: without the text if another one has a part in it."""
    sources = [source for source in str(attributes.get("source_id", "")).split(SEPARATOR) if source]
    inside = [source for source in sources if source in chunks]
    if not inside:
        return None
    if len(inside) == len(sources):
        return attributes
    hidden = {"description": name, "source_id": SEPARATOR.join(inside), "file_path": "unknown_source"}
    return attributes | hidden | ({"keywords": ""} if "keywords" in attributes else {})


def _joined(written: Attributes | None, composed: Attributes) -> Attributes:
    if written is None:
        return composed
    both = {
        key: SEPARATOR.join(
            dict.fromkeys(
                p for p in (*str(written.get(key, "")).split(SEPARATOR), *composed[key].split(SEPARATOR)) if p
            )
        )
        for key in ("description", "source_id", "file_path")
    }
    return composed | written | both
