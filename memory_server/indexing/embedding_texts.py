"""The texts that entities and relations are embedded by, and keeping them in step with the mentions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from memory_server.extraction.extract import Extraction
from memory_server.storage import compaction, composition, edges, kv
from memory_server.storage.statements import for_each_table
from memory_server.storage.workspace import Transaction

Label = tuple[str, ...]
"""An entity's key, or both keys of a relation in order."""

LONGEST = 280
"""Characters of a text to embed, the newest sentences first: twice as many take twice the time, and embedding is most
of what an insert costs."""

KNOWN_SENTENCES = 6
"""Earlier sentences that are looked at: more would not fit."""

DROP_CHUNK = for_each_table("DELETE FROM TABLE WHERE chunk = ?", ("mentions", "edge_mentions", "texts"))


@dataclass(slots=True)
class Plan:
    """What to embed: a label and a text each."""

    texts: list[tuple[Label, str]] = field(default_factory=list)


def label_relation(source: str, target: str) -> Label:
    """Return the label of a relation."""
    return tuple(sorted((source, target)))


def plan(db: sqlite3.Connection, found: Iterable[Extraction]) -> Plan:
    """Return the texts of everything that some chunks mention, as they will be once the chunks are stored."""
    new: dict[Label, list[str]] = {}
    names: dict[str, str] = {}
    keywords: dict[Label, dict[str, None]] = {}
    for extraction in found:
        for entity in extraction.entities:
            names.setdefault(entity.key, entity.name)
            new.setdefault((entity.key,), []).append(extraction.texts[entity.i])
        for relation in extraction.relations:
            label = label_relation(relation.source, relation.target)
            new.setdefault(label, []).append(extraction.texts[relation.i])
            keywords.setdefault(label, {}).update(dict.fromkeys(relation.keywords.split(",")))
    nodes = {key: find_node(db, key, name) for key, name in names.items()}
    made = Plan()
    said = _known_sentences(db, new, nodes)
    for label, sentences in new.items():
        old = said.get(label, [])
        if len(label) == 1:
            head = names[label[0]]
        else:
            head = f"{', '.join(keywords[label])}\t{names[label[0]]}\t{names[label[1]]}"
        made.texts.append((label, compose_text(head, [*reversed(sentences), *old])))
    return made


def compose_text(head: str, sentences: Iterable[str]) -> str:
    """Return the text to embed: a head line, and distinct sentences (newest first) up to the limit."""
    text = head
    for sentence in dict.fromkeys(sentences):
        if len(text) + len(sentence) > LONGEST:
            break
        text += "\n" + sentence
    return text


def find_node(db: sqlite3.Connection, key: str, name: str) -> int | None:
    """Return the node of a name, found under any of its forms."""
    row = db.execute("SELECT node FROM aliases WHERE key = ?", (key,)).fetchone()
    return row[0] if row else edges.find_node_number(db, name)


@dataclass(slots=True)
class Forgotten:
    """What went with some documents' chunks, and the entities and relations that others still mention."""

    chunks: list[int] = field(default_factory=list)
    mentions: int = 0
    entities: int = 0
    relations: int = 0
    kept_nodes: set[int] = field(default_factory=set)
    kept_edges: set[int] = field(default_factory=set)


def forget_chunks(tx: Transaction, doc: int, forgotten: Forgotten) -> None:
    """Remove a document's chunks with all they contributed, and what nobody else mentions and nobody wrote."""
    nodes: set[int] = set()
    links: set[int] = set()
    for no, chunk_id in tx.db.execute("SELECT no, id FROM chunks WHERE doc = ?", (doc,)).fetchall():
        here = [node for (node,) in tx.db.execute("SELECT node FROM mentions WHERE chunk = ?", (no,))]
        nodes |= set(here)
        links |= {edge for (edge,) in tx.db.execute("SELECT edge FROM edge_mentions WHERE chunk = ?", (no,))}
        for statement in DROP_CHUNK.values():
            tx.db.execute(statement, (no,))
        tx.db.execute("DELETE FROM chunks WHERE no = ?", (no,))
        tx.drop_vector("chunks", no)
        kv.remove(tx, "text_chunks", [chunk_id])
        forgotten.chunks.append(no)
        forgotten.mentions += len(here)
    kept_edges = {edge for edge in links if not drop_edge_if_unmentioned(tx, edge)}
    kept_nodes = {node for node in nodes if not drop_if_unmentioned(tx, node)}
    forgotten.entities += len(nodes) - len(kept_nodes)
    forgotten.relations += len(links) - len(kept_edges)
    forgotten.kept_nodes |= kept_nodes
    forgotten.kept_edges |= kept_edges


def compose_current_texts(
    db: sqlite3.Connection, nodes: Iterable[int], links: Iterable[int]
) -> list[tuple[str, int, str]]:
    """Return (vector table, number, text to embed) of entities and relations as they are now."""
    found: list[tuple[str, int, str]] = []
    for no in nodes:
        row = db.execute("SELECT name, data FROM nodes WHERE no = ?", (no,)).fetchone()
        if row and (attributes := composition.entity(db, no, *row)):
            found.append(("entities", no, compose_text(row[0], _newest(attributes))))
    for no in links:
        row = db.execute(
            "SELECT e.data, s.name, t.name FROM edges e JOIN nodes s ON s.no = e.a "
            "JOIN nodes t ON t.no = e.b WHERE e.no = ?",
            (no,),
        ).fetchone()
        if row and (attributes := composition.compose_relations_by_number(db, [(no, row[0])]).get(no)):
            head = f"{attributes.get('keywords', '').replace(',', ', ')}\t{row[1]}\t{row[2]}"
            found.append(("relationships", no, compose_text(head, _newest(attributes))))
    return found


def _newest(attributes: composition.Attributes) -> list[str]:
    return str(attributes.get("description", "")).split(composition.SEPARATOR)[::-1]


def _known_sentences(
    db: sqlite3.Connection, labels: Iterable[Label], nodes: dict[str, int | None]
) -> dict[Label, list[str]]:
    """Return what earlier chunks said about entities and relations, newest first."""
    entities: dict[int, Label] = {}
    relations: dict[int, Label] = {}
    for label in labels:
        ends = sorted(number for key in label if (number := nodes[key]) is not None)
        if len(ends) < len(label):
            continue
        if len(label) == 1:
            entities[ends[0]] = label
        elif (row := db.execute("SELECT no FROM edges WHERE a = ? AND b = ?", ends).fetchone()) is not None:
            relations[row[0]] = label
    found: dict[Label, list[str]] = {}
    ask = "SELECT text FROM texts WHERE chunk = ? AND i = ?"
    for table, owners in (("mentions", entities), ("edge_mentions", relations)):
        for owner, mentions in compaction.read_newest(db, table, list(owners), KNOWN_SENTENCES).items():
            rows = [db.execute(ask, (chunk, i)).fetchone() for chunk, i, _ in mentions]
            found[owners[owner]] = [row[0] for row in rows if row is not None]
    return found


def drop_edge_if_unmentioned(tx: Transaction, no: int) -> bool:
    """Remove an edge that nothing mentions and nobody wrote; ``True`` if it is gone."""
    held = "SELECT data IS NOT NULL OR EXISTS (SELECT 1 FROM edge_mentions WHERE edge = no) FROM edges WHERE no = ?"
    row = tx.db.execute(held, (no,)).fetchone()
    if row is not None and not row[0]:
        edges.drop_edge(tx, no)
    return row is None or not row[0]


def drop_if_unmentioned(tx: Transaction, no: int) -> bool:
    """Remove an entity that nothing mentions and nobody wrote; ``True`` if it is gone."""
    held = "SELECT name, data IS NOT NULL OR EXISTS (SELECT 1 FROM mentions WHERE node = no) FROM nodes WHERE no = ?"
    row = tx.db.execute(held, (no,)).fetchone()
    if row is not None and not row[1]:
        edges.drop_node(tx, row[0])
    return row is None or not row[1]
