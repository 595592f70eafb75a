"""What entities and relations are embedded by, kept in step with their mentions; erasing documents, with proof.

A document's chunks, mentions, sentences and vectors are rows of its own, so they go with it.  What it leaves behind is
in vectors of entities that others mention too: these are embedded anew from what is left.  Freed pages are overwritten
(``secure_delete``) and the log is emptied, so that the bytes are gone as well.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from memory_server.extraction import Extraction, by_line
from memory_server.options import Embedder
from memory_server.storage import composition, graph, kv
from memory_server.storage.workspace import Transaction, Workspace, for_each_table

Label = tuple[str, ...]
"""An entity's key, or both keys of a relation in order."""

LONGEST = 280
"""Characters of a text to embed, the newest sentences first: twice as many take twice the time, and embedding is most
of what an insert costs."""

KNOWN_SENTENCES = 6
"""Earlier sentences that are looked at: more would not fit."""

DROP_CHUNK = for_each_table("DELETE FROM TABLE WHERE chunk = ?", ("mentions", "edge_mentions", "texts"))


def label_relation(source: str, target: str) -> Label:
    """Return the label of a relation."""
    return tuple(sorted((source, target)))


def plan(db: sqlite3.Connection, found: Iterable[Extraction]) -> list[tuple[Label, str]]:
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
    made: list[tuple[Label, str]] = []
    said = _known_sentences(db, new, nodes)
    for label, sentences in new.items():
        old = said.get(label, [])
        if len(label) == 1:
            head = names[label[0]]
        else:
            head = f"{', '.join(keywords[label])}\t{names[label[0]]}\t{names[label[1]]}"
        made.append((label, compose_text(head, [*reversed(sentences), *old])))
    return made


def compose_text(head: str, sentences: Iterable[str]) -> str:
    """Return the text to embed: a head line, and distinct sentences (newest first) up to the limit."""
    text = head
    for sentence in dict.fromkeys(sentences):
        if len(text) + len(sentence) > LONGEST:
            break
        text += "\n" + sentence
    return by_line(text)


def find_node(db: sqlite3.Connection, key: str, name: str) -> int | None:
    """Return the node of a name, found under any of its forms."""
    row = db.execute("SELECT node FROM aliases WHERE key = ?", (key,)).fetchone()
    return row[0] if row else graph.find_node_number(db, name)


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
    kept_edges = {edge for edge in links if not drop_if_unmentioned(tx, "edges", edge)}
    kept_nodes = {node for node in nodes if not drop_if_unmentioned(tx, "nodes", node)}
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


ENTITIES_WITHOUT_VECTOR = (
    "SELECT no FROM nodes WHERE no NOT IN (SELECT no FROM vectors_entities) AND no NOT IN "
    "(SELECT n.no FROM nodes n JOIN vectors_entities v ON v.no < 0 AND json_extract(v.meta, '$.entity_name') = n.name)"
)
RELATIONS_WITHOUT_VECTOR = "SELECT no FROM edges WHERE no NOT IN (SELECT no FROM vectors_relationships)"
UNFINISHED = "reindexing"
"""Kept in the file from the beginning of a reindex until everything has a vector again."""
_BATCH = 64
Numbers = tuple[list[int], list[int]]
"""Of entities, and of relations."""


async def embed_missing(workspace: Workspace, embedder: Embedder) -> int:
    """Embed entities and relations that have no vector, in batches, each committed; return how many."""
    done = 0
    while count := await _embed(workspace, embedder, _without_vector):
        done += count
    return done


async def _embed(workspace: Workspace, embedder: Embedder, pick: Callable[[sqlite3.Connection], Numbers]) -> int:
    """Embed the entities and relations that are picked, as they read now; return how many."""
    texts = await workspace.read(lambda db: compose_current_texts(db, *pick(db)))
    if texts:
        vectors = await embedder.embed([text for _, _, text in texts])

        def place(tx: Transaction) -> None:
            for (table, no, _), vector in zip(texts, vectors, strict=True):
                tx.put_vector(table, no, vector)

        await workspace.write(place)
    return len(texts)


async def finish_reindex(workspace: Workspace, embedder: Embedder) -> None:
    """Embed what a reindex has left once its documents are done: what no document brings."""
    if await workspace.read(lambda db: db.execute("SELECT 1 FROM meta WHERE key = ?", (UNFINISHED,)).fetchone()):
        async with workspace.mutating:
            await embed_missing(workspace, embedder)
            await workspace.write(lambda tx: tx.db.execute("DELETE FROM meta WHERE key = ?", (UNFINISHED,)))


def _without_vector(db: sqlite3.Connection) -> Numbers:
    asks = (ENTITIES_WITHOUT_VECTOR, RELATIONS_WITHOUT_VECTOR)
    nodes, links = ([row[0] for row in db.execute(f"{ask} LIMIT {_BATCH}")] for ask in asks)
    return nodes, links


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
        for owner, mentions in composition.read_newest(db, table, list(owners), KNOWN_SENTENCES).items():
            rows = [db.execute(ask, (chunk, i)).fetchone() for chunk, i, _ in mentions]
            found[owners[owner]] = [row[0] for row in rows if row is not None]
    return found


_HELD = {
    "nodes": "SELECT data IS NOT NULL OR EXISTS (SELECT 1 FROM mentions WHERE node = no) FROM nodes WHERE no = ?",
    "edges": "SELECT data IS NOT NULL OR EXISTS (SELECT 1 FROM edge_mentions WHERE edge = no) FROM edges WHERE no = ?",
}


def drop_if_unmentioned(tx: Transaction, table: str, no: int) -> bool:
    """Remove an entity or a relation that nothing mentions and nobody wrote; ``True`` if it is gone."""
    row = tx.db.execute(_HELD[table], (no,)).fetchone()
    held = row is not None and bool(row[0])
    if row is not None and not held:
        (graph.drop_node if table == "nodes" else graph.drop_edge)(tx, no)
    return not held


PENDING = "re-embed"

_NAMESPACES = (
    "WITH RECURSIVE found (ns) AS (SELECT min(ns) FROM kv UNION ALL "
    "SELECT (SELECT min(ns) FROM kv WHERE ns > found.ns) FROM found WHERE found.ns IS NOT NULL) "
    "SELECT ns FROM found WHERE ns IS NOT NULL"
)
"""SELECT DISTINCT would read every text of the workspace."""

_WRITTEN = for_each_table("SELECT no, data FROM TABLE WHERE data IS NOT NULL AND data LIKE ?", ("nodes", "edges"))
_REWRITE = for_each_table("UPDATE TABLE SET data = ? WHERE no = ?", ("nodes", "edges"))
_RESIDUE_OF_CHUNKS = {
    **for_each_table(
        "SELECT 1 FROM TABLE WHERE chunk IN (SELECT value FROM json_each(?)) LIMIT 1",
        ("mentions", "edge_mentions", "texts"),
    ),
    "vectors_chunks": "SELECT 1 FROM vectors_chunks WHERE no IN (SELECT value FROM json_each(?)) LIMIT 1",
}


@dataclass(frozen=True, slots=True)
class EraseReceipt:
    """What an erase removed and changed, and what a search for it finds afterwards (nothing)."""

    documents: int = 0
    chunks: int = 0
    mentions: int = 0
    entities_removed: int = 0
    relations_removed: int = 0
    entities_changed: int = 0
    relations_changed: int = 0
    residue: tuple[str, ...] = ()


async def erase(workspace: Workspace, doc_ids: Sequence[str], embedder: Embedder) -> EraseReceipt:
    """Remove documents with all they contributed; unknown ids are ignored.

    The rows are gone with the first commit; a crash before the vectors are made anew is repaired by
    :func:`finish_erase`, by who looks after the workspace next.  Raises what the embedder raises.
    """
    async with workspace.mutating:
        found, gone = await workspace.write(lambda tx: _remove(tx, doc_ids))
        if await workspace.read(_pending) is not None:  # also what one before has left, whose answer was lost
            await _embed_again(workspace, embedder)
        residue = await workspace.read(lambda db: _residue(db, doc_ids, gone.chunks))
    return EraseReceipt(
        documents=found,
        chunks=len(gone.chunks),
        mentions=gone.mentions,
        entities_removed=gone.entities,
        relations_removed=gone.relations,
        entities_changed=len(gone.kept_nodes),
        relations_changed=len(gone.kept_edges),
        residue=residue,
    )


async def finish_erase(workspace: Workspace, embedder: Embedder) -> None:
    """Do what an interrupted erase left to be done."""
    if await workspace.read(_pending) is not None:
        async with workspace.mutating:
            await _embed_again(workspace, embedder)


async def _embed_again(workspace: Workspace, embedder: Embedder) -> None:
    """Embed what the erased had a part in and empty the log; only then nothing is left to be done."""
    await _embed(workspace, embedder, lambda db: _pending(db) or ([], []))
    await workspace.checkpoint()
    await workspace.write(lambda tx: tx.db.execute("DELETE FROM meta WHERE key = ?", (PENDING,)))


def _pending(db: sqlite3.Connection) -> Numbers | None:
    """Return the entities and relations that erases have left to be embedded, ``None`` after a finished one."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (PENDING,)).fetchone()
    if row is None:
        return None
    nodes, links = orjson.loads(row[0])
    return nodes, links


def _remove(tx: Transaction, doc_ids: Sequence[str]) -> tuple[int, Forgotten]:
    gone, found = Forgotten(), 0
    for doc_id in doc_ids:
        row = tx.db.execute("SELECT no FROM status WHERE id = ?", (doc_id,)).fetchone()
        if row is None:
            continue
        found += 1
        forget_chunks(tx, row[0], gone)
        _forget_written(tx, doc_id, gone)
        kv.remove(tx, "full_docs", [doc_id])
        tx.db.execute("DELETE FROM status WHERE no = ?", (row[0],))
    if not found:
        return 0, gone
    exists = "SELECT 1 FROM {} WHERE no = ?"
    gone.kept_nodes = {no for no in gone.kept_nodes if tx.db.execute(exists.format("nodes"), (no,)).fetchone()}
    gone.kept_edges = {no for no in gone.kept_edges if tx.db.execute(exists.format("edges"), (no,)).fetchone()}
    nodes, links = _pending(tx.db) or ([], [])
    waiting = orjson.dumps([sorted({*gone.kept_nodes, *nodes}), sorted({*gone.kept_edges, *links})]).decode()
    tx.note(PENDING, waiting)
    return found, gone


def _forget_written(tx: Transaction, doc_id: str, gone: Forgotten) -> None:
    """Take a document out of what LightRAG's interface wrote (imports): its rows, and texts with it in them."""
    for (namespace,) in tx.db.execute(_NAMESPACES).fetchall():
        inside = (namespace, f"{doc_id}-chunk-", f"{doc_id}-chunk.")
        tx.db.execute("DELETE FROM kv WHERE ns = ? AND key > ? AND key < ?", inside)
        tx.db.execute("DELETE FROM kv WHERE ns = ? AND key = ?", (namespace, doc_id))
    ask = (
        "SELECT no FROM vectors_chunks WHERE meta IS NOT NULL "
        "AND (id LIKE ? OR json_extract(meta, '$.full_doc_id') = ?)"
    )
    for (no,) in tx.db.execute(ask, (f"{doc_id}-chunk-%", doc_id)).fetchall():
        tx.drop_vector("chunks", no)
    for table, vectors in (("nodes", "entities"), ("edges", "relationships")):
        for no, data in tx.db.execute(_WRITTEN[table], (f"%{doc_id}-chunk-%",)).fetchall():
            if _forget_in(tx, table, vectors, no, orjson.loads(data), doc_id):
                (gone.kept_nodes if table == "nodes" else gone.kept_edges).add(no)


def _forget_in(
    tx: Transaction, table: str, vectors: str, no: int, data: dict[str, Any], doc_id: str
) -> bool:  # Any: JSON
    """Take a document out of attributes that were written; ``True`` if the thing is still there, without a vector."""
    sources = [part for part in str(data.get("source_id", "")).split("<SEP>") if part]
    left = [part for part in sources if not part.startswith(f"{doc_id}-chunk-")]
    tx.drop_vector(vectors, no)
    if left:
        # The description was merged from several documents and cannot be taken apart: it goes as a whole.
        data |= {"source_id": "<SEP>".join(left), "description": "", "file_path": "unknown_source"}
        tx.db.execute(_REWRITE[table], (orjson.dumps(data).decode(), no))
        return True
    tx.db.execute(_REWRITE[table], (None, no))
    return not drop_if_unmentioned(tx, table, no)


def _residue(db: sqlite3.Connection, doc_ids: Sequence[str], chunks: Sequence[int]) -> tuple[str, ...]:
    """Return where any of the documents can still be found."""
    asks = {
        "status": "SELECT 1 FROM status WHERE id = ?1",
        "texts": "SELECT 1 FROM kv WHERE ns IN ('full_docs', 'text_chunks') AND key >= ?1 AND key < ?1 || '.'",
        "chunks": "SELECT 1 FROM chunks WHERE id > ?1 || '-' AND id < ?1 || '.'",
        "vectors": "SELECT 1 FROM vectors_chunks WHERE meta IS NOT NULL AND id LIKE ?1 || '%'",
        "entities": "SELECT 1 FROM nodes WHERE data IS NOT NULL AND data LIKE '%' || ?1 || '%'",
        "relations": "SELECT 1 FROM edges WHERE data IS NOT NULL AND data LIKE '%' || ?1 || '%'",
    }
    found = [
        f"{doc_id}: {place}"
        for doc_id in doc_ids
        for place, ask in asks.items()
        if db.execute(f"{ask} LIMIT 1", (doc_id,)).fetchone()
    ]
    numbers = orjson.dumps(list(chunks)).decode()
    for table, ask in _RESIDUE_OF_CHUNKS.items():
        found += [table] if db.execute(ask, (numbers,)).fetchone() else []
    ask = "SELECT 1 FROM json_each(?) c JOIN vectors_windows w ON w.no > c.value << 16 AND w.no < (c.value + 1) << 16"
    found += ["vectors_windows"] if db.execute(f"{ask} LIMIT 1", (numbers,)).fetchone() else []
    return tuple(found)
