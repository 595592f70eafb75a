"""The port DocumentSearch over SQLite: chunks by their words and by their meaning, rated like turns.

Vectors are held in memory as long as nothing changes.  What both find is rated by what rates turns, so that a chunk and
a turn have scores that compare.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from adapters.sqlite.database import Database, Store
from adapters.sqlite.rows.codec import dump_list, find_range, find_scope, get_id_range, join_time
from adapters.sqlite.rows.documents import load_headings, note_change
from adapters.sqlite.search import Hits, Pool, Vector, Vectors, choose_texts, embed_question, find_words, read_vectors
from bot.memory.items import Channel, DocumentPlace, Recalled, Trust
from bot.memory.scope import Scope
from bot.ports.embedder import Embedder
from bot.ports.memory_store import MemoryQuery, TextRater
from language.analyser import Analyser

_RATED: Final = 16
"""Chunks that are rated: each is some three passages, of which the likeliest are embedded for the question."""
_OPENING: Final = 8
"""Chunks at the beginning of a document that is asked by itself."""
_MEANT: Final = 0.6
"""Weight of a cosine of 1 beside all words of the question, when candidates are chosen."""
_HELD_BYTES: Final = 128 << 20
_BY_IDS: Final = (
    "SELECT document_chunks.id, uid, name, headings, page, text, added_at, added_offset FROM document_chunks "
    "JOIN documents ON documents.id = document WHERE document_chunks.id IN (SELECT value FROM json_each(?))"
)


def _join_text(headings: str, text: str) -> str:
    path = load_headings(headings)
    return f"{': '.join(path[-2:])}: {text}" if path else text


CHUNKS: Final = Pool(
    words="document_fts",
    vectors="document_vectors",
    queue="document_backlog",
    texts="SELECT id, headings, text FROM document_chunks",
    unchanged="SELECT 1 FROM document_chunks WHERE id = ? AND text = ?",
    join=_join_text,
    weighed=4_000,
    embedded=note_change,
)
_Held = tuple[int, Vectors]
"""The vectors of a scope as they were after so many changes."""


class SqliteDocumentSearch(Store):
    """Finds what documents say; ``rater`` puts chunks on the scale of turns."""

    def __init__(self, database: Database, embedder: Embedder, rater: TextRater) -> None:
        super().__init__(database)
        self._embedder = embedder
        self._rater = rater
        self._words = Analyser()
        self._held: LRUCache[Scope, _Held] = LRUCache(_HELD_BYTES, getsizeof=lambda held: max(held[1].rows.nbytes, 1))

    async def search(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        only = query.documents
        spans = await self.database.read(partial(_read_spans, scope=scope, uids=only))
        if spans is None or (only and not spans):
            return ()
        limits = list(spans.values())
        embedding = asyncio.create_task(embed_question(self._embedder, query.text), name="embed a question")
        try:
            asked = tuple(dict.fromkeys(self._words.keys(query.text)))
            words = await self.database.read(partial(_find_hits, scope=scope, words=asked, within=limits))
            vector = await embedding
        finally:
            embedding.cancel()
        chosen = await self._choose(scope, words, vector, limits)
        found = await self._rate(scope, query, await self.database.read(partial(_read_chunks, ids=tuple(chosen))))
        opening = [chunk for low, high in limits for chunk in range(low, min(high + 1, low + _OPENING))]
        rest = [chunk for chunk in opening if chunk not in chosen]
        begun = await self.database.read(partial(_read_chunks, ids=rest[:_OPENING])) if rest else []
        return (*found, *begun)

    def forget(self, scope: Scope) -> None:
        """Drop the vectors that are held of a scope."""
        self._held.pop(scope, None)

    async def _choose(
        self, scope: Scope, hits: Hits, vector: Vector | None, limits: Sequence[tuple[int, int]]
    ) -> dict[int, None]:
        near: dict[int, float] = {}
        if vector is not None and len((held := await self._hold(scope)).ids):
            near = await asyncio.to_thread(held.find_nearest, vector, _RATED * 2, _find_among(held.ids, limits))
        chosen = choose_texts(hits, near, _RATED * 2)
        worth = {chunk: share + _MEANT * cosine for chunk, (share, cosine) in chosen.items()}
        return dict.fromkeys(sorted(worth, key=lambda chunk: (-worth[chunk], chunk))[:_RATED])

    async def _hold(self, scope: Scope) -> Vectors:
        held = self._held.get(scope)
        fresh = await self.database.read(partial(_read_vectors, scope=scope, model=self._embedder.model, held=held))
        if fresh is not held and fresh[1].rows.nbytes <= _HELD_BYTES:
            self._held[scope] = fresh
        return fresh[1]

    async def _rate(self, scope: Scope, query: MemoryQuery, found: Sequence[Recalled]) -> tuple[Recalled, ...]:
        """Return the chunks with scores and signals as turns have them, best first."""
        if not found:
            return ()
        texts = [_with_section(memory) for memory in found]
        rated = await self._rater.rate(scope, query, texts)
        best = [replace(found[one.number], score=one.score, signals=one.signals) for one in rated]
        return tuple(sorted(best, key=lambda memory: -memory.score)[: query.limit])


def _with_section(memory: Recalled) -> str:
    """Return a chunk's text as it is rated: under what it stands in."""
    place = memory.place or DocumentPlace("", "")
    path = " > ".join((place.name, *place.headings)).replace("]", ")").replace("\n", " ")
    return f"[Section: {path[-_LONGEST_PATH:]}]\n\n{memory.text}"


_LONGEST_PATH: Final = 300


def _find_among(ids: npt.NDArray[np.int64], limits: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_] | None:
    if not limits:
        return None
    among = np.zeros(len(ids), dtype=np.bool_)
    for low, high in limits:
        among |= (ids >= low) & (ids <= high)
    return among


def _read_spans(connection: sqlite3.Connection, scope: Scope, uids: Sequence[str]) -> dict[str, tuple[int, int]] | None:
    """Return the first and last chunk of documents by uid; ``None`` for a scope without any document."""
    low, high = find_range(connection, scope)
    if connection.execute("SELECT 1 FROM documents WHERE id BETWEEN ? AND ?", (low, high)).fetchone() is None:
        return None
    rows = connection.execute(
        "SELECT uid, min(document_chunks.id), max(document_chunks.id) FROM documents JOIN document_chunks "
        "ON document = documents.id WHERE uid IN (SELECT value FROM json_each(?)) AND documents.id BETWEEN ? AND ? "
        "GROUP BY uid",
        (dump_list(list(uids)), low, high),
    )
    return {uid: (first, last) for uid, first, last in rows}


def _find_hits(
    connection: sqlite3.Connection, scope: Scope, words: Sequence[str], within: Sequence[tuple[int, int]]
) -> Hits:
    scope_no = find_scope(connection, scope)
    (total,) = connection.execute(
        "SELECT coalesce(max(chunk_seq), 0) + 1 FROM document_numbers WHERE scope_no = ?", (scope_no,)
    ).fetchone()
    return find_words(connection, CHUNKS, words, within or [get_id_range(scope_no)], total)


def _read_vectors(connection: sqlite3.Connection, scope: Scope, model: str, held: _Held | None) -> _Held:
    """Return the vectors of a scope: ``held`` if nothing has changed since."""
    scope_no = find_scope(connection, scope)
    row = connection.execute("SELECT changes FROM document_numbers WHERE scope_no = ?", (scope_no,)).fetchone()
    changes = row[0] if row is not None else 0
    if held is not None and changes == held[0]:
        return held
    return changes, read_vectors(connection, CHUNKS, scope_no, model)


def _read_chunks(connection: sqlite3.Connection, ids: Sequence[int]) -> list[Recalled]:
    """Return chunks as memories, in this order; what was erased meanwhile is left out."""
    rows = {row[0]: row for row in connection.execute(_BY_IDS, (dump_list(list(ids)),))}
    return [
        Recalled(
            key=f"document:{uid}:{chunk & 0xFFFFFFFF}",
            text=text,
            channel=Channel.DOCUMENT,
            score=0.0,
            said_at=join_time(added_at, offset),
            trust=Trust.FILE,
            place=DocumentPlace(uid, name, load_headings(headings), page),
        )
        for chunk, uid, name, headings, page, text, added_at, offset in (rows[one] for one in ids if one in rows)
    ]
