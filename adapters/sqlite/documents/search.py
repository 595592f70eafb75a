"""The port DocumentSearch over SQLite: chunks by their words and by their meaning, rated like turns.

Words are looked up one by one in the scope's range of ids, as for items; vectors are compared exactly, from memory.
What both find is rated by what rates turns, so that a chunk and a turn have scores that compare.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
import structlog
from cachetools import LRUCache

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list, join_time
from adapters.sqlite.rows.documents import load_headings
from adapters.sqlite.rows.scopes import find_scope, get_id_range
from bot.errors import EmbeddingUnavailable
from bot.memory.items import Channel, DocumentPlace, Recalled, Trust
from bot.memory.scope import Scope
from bot.ports.embedder import Embedder
from bot.ports.recall import MemoryQuery, TextRater
from language.analyser import Analyser

Vector = npt.NDArray[np.float32]
_WITH_WORD: Final = 4_000
"""Chunks with a word that are looked at: a word that more of them have tells little; the oldest of them are taken."""
_COMMON: Final = 0.02
"""Least weight of such a word beside one that a single chunk has."""
_RATED: Final = 16
"""Chunks that are rated: each is some three passages, of which the likeliest are embedded for the question."""
_OPENING: Final = 8
"""Chunks at the beginning of a document that is asked by itself."""
_MEANT: Final = 0.6
"""Weight of a cosine of 1 beside all words of the question, when candidates are chosen."""
_NEAR: Final = 0.2
"""Cosine below which a vector says nothing."""
_BLOCK: Final = 8_192
_HELD_BYTES: Final = 128 << 20
_PATIENCE_S: Final = 0.6
"""Longest wait for the question's embedding; then its words must do."""
_BY_IDS: Final = (
    "SELECT document_chunks.id, uid, name, headings, page, text, added_at, added_offset FROM document_chunks "
    "JOIN documents ON documents.id = document WHERE document_chunks.id IN (SELECT value FROM json_each(?))"
)


@dataclass(frozen=True, slots=True)
class _Vectors:
    """All vectors of a scope as they were after so many changes: ids ascending, int8 rows, one scale each."""

    changes: int
    ids: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int8]
    scales: Vector

    def find_nearest(self, vector: Vector, among: npt.NDArray[np.bool_] | None, most: int) -> dict[int, float]:
        """Return the cosines of the nearest chunks, by id."""
        if self.rows.shape[1] != len(vector):
            return {}
        cosines = np.concatenate(
            [
                self.rows[start : start + _BLOCK].astype(np.float32) @ vector
                for start in range(0, len(self.rows), _BLOCK)
            ]
        )
        cosines *= self.scales
        if among is not None:
            cosines[~among] = -1.0
        best = np.argpartition(-cosines, min(most, len(cosines) - 1))[:most]
        return {int(self.ids[place]): float(cosines[place]) for place in best if cosines[place] > _NEAR}


@dataclass(frozen=True, slots=True)
class _Words:
    """The chunks that have words of the question, each with the share of the question's weight that it carries."""

    ids: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]


class SqliteDocumentSearch:
    """Finds what documents say; ``rater`` puts chunks on the scale of turns."""

    def __init__(self, database: Database, embedder: Embedder, rater: TextRater) -> None:
        self._database = database
        self._embedder = embedder
        self._rater = rater
        self._words = Analyser()
        self._held: LRUCache[Scope, _Vectors] = LRUCache(_HELD_BYTES, getsizeof=lambda held: max(held.rows.nbytes, 1))

    async def search(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return chunks that may hold the answer, see :class:`~bot.ports.document_store.DocumentSearch`."""
        only = query.documents
        spans = await self._database.read(partial(_read_spans, scope=scope, uids=only))
        if spans is None or (only and not spans):
            return ()
        limits = list(spans.values())
        embedding = asyncio.create_task(self._embed(query.text), name="embed a question to documents")
        try:
            asked = tuple(dict.fromkeys(self._words.keys(query.text)))
            words = await self._database.read(partial(_find_words, scope=scope, words=asked, within=limits))
            vector = await embedding
        finally:
            embedding.cancel()
        chosen = await self._choose(scope, words, vector, limits)
        found = await self._rate(scope, query, await self._database.read(partial(_read_chunks, ids=tuple(chosen))))
        opening = [chunk for low, high in limits for chunk in range(low, min(high + 1, low + _OPENING))]
        rest = [chunk for chunk in opening if chunk not in chosen]
        begun = await self._database.read(partial(_read_chunks, ids=rest[:_OPENING])) if rest else []
        return (*found, *begun)

    def forget(self, scope: Scope) -> None:
        """Drop the vectors that are held of a scope."""
        self._held.pop(scope, None)

    async def _embed(self, text: str) -> Vector | None:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                vectors = await self._embedder.embed([text])
        except (EmbeddingUnavailable, TimeoutError) as error:
            structlog.get_logger().warning("documents are searched by words alone", cause=type(error).__name__)
            return None
        first: Vector = vectors[0]
        return first

    async def _choose(
        self, scope: Scope, words: _Words, vector: Vector | None, limits: Sequence[tuple[int, int]]
    ) -> dict[int, None]:
        """Return the ids of the likeliest chunks, best first."""
        near: dict[int, float] = {}
        if vector is not None and len((held := await self._hold(scope)).ids):
            near = await asyncio.to_thread(held.find_nearest, vector, _find_among(held.ids, limits), _RATED * 2)
        best = np.argsort(-words.shares, kind="stable")[: _RATED * 2]
        score = dict(zip(words.ids[best].tolist(), words.shares[best].tolist(), strict=True))
        shares = {chunk: score.get(chunk, 0.0) for chunk in score | near}
        missing = [chunk for chunk in near if chunk not in score]
        known = dict(zip(words.ids.tolist(), words.shares.tolist(), strict=True)) if missing else {}
        shares |= {chunk: known.get(chunk, 0.0) for chunk in missing}
        worth = {chunk: share + _MEANT * near.get(chunk, 0.0) for chunk, share in shares.items()}
        return dict.fromkeys(sorted(worth, key=lambda chunk: (-worth[chunk], chunk))[:_RATED])

    async def _hold(self, scope: Scope) -> _Vectors:
        """Return all vectors of a scope, read again if something has changed."""
        held = self._held.get(scope)
        fresh = await self._database.read(partial(_read_vectors, scope=scope, model=self._embedder.model, held=held))
        if fresh is not held and fresh.rows.nbytes <= _HELD_BYTES:
            self._held[scope] = fresh
        return fresh

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
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return None
    low, high = get_id_range(scope_no)
    if connection.execute("SELECT 1 FROM documents WHERE id BETWEEN ? AND ?", (low, high)).fetchone() is None:
        return None
    rows = connection.execute(
        "SELECT uid, min(document_chunks.id), max(document_chunks.id) FROM documents JOIN document_chunks "
        "ON document = documents.id WHERE uid IN (SELECT value FROM json_each(?)) AND documents.id BETWEEN ? AND ? "
        "GROUP BY uid",
        (dump_list(list(uids)), low, high),
    )
    return {uid: (first, last) for uid, first, last in rows}


def _find_words(
    connection: sqlite3.Connection, scope: Scope, words: Sequence[str], within: Sequence[tuple[int, int]]
) -> _Words:
    """Return the chunks that have any of the stemmed ``words``, of the scope or of some of its ranges."""
    scope_no = find_scope(connection, scope)
    if scope_no is None:
        return _Words(np.zeros(0, dtype=np.int64), np.zeros(0))
    ranges = within or [get_id_range(scope_no)]
    (total,) = connection.execute(
        "SELECT coalesce(chunk_seq, 0) + 1 FROM document_numbers WHERE scope_no = ?", (scope_no,)
    ).fetchone() or (1,)
    parts, weights = [], []
    for word in words:
        rows = [row[0] for span in ranges for row in _find_word(connection, word, span)]
        frequency = total if len(rows) >= _WITH_WORD else len(rows)
        weight = max(float(np.log1p(total / (frequency + 0.5))), _COMMON) if rows else float(np.log1p(total / 0.5))
        weights.append(weight)
        parts.append((np.array(rows, dtype=np.int64), weight))
    if not parts:
        return _Words(np.zeros(0, dtype=np.int64), np.zeros(0))
    ids, places = np.unique(np.concatenate([found for found, _ in parts]), return_inverse=True)
    carried = np.repeat([weight for _, weight in parts], [len(found) for found, _ in parts])
    shares = np.bincount(places, carried, len(ids)) / (sum(weights) or 1.0)
    return _Words(ids, shares)


def _find_word(connection: sqlite3.Connection, word: str, span: tuple[int, int]) -> list[tuple[int]]:
    return connection.execute(
        "SELECT rowid FROM document_fts WHERE document_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?",
        (f'"{word}"', *span, _WITH_WORD),
    ).fetchall()


def _read_vectors(connection: sqlite3.Connection, scope: Scope, model: str, held: _Vectors | None) -> _Vectors:
    """Return the vectors of a scope: ``held`` if nothing has changed since."""
    scope_no = find_scope(connection, scope) or 0
    row = connection.execute("SELECT changes FROM document_numbers WHERE scope_no = ?", (scope_no,)).fetchone()
    changes = row[0] if row is not None else 0
    if held is not None and changes == held.changes:
        return held
    rows = connection.execute(
        "SELECT id, scale, vector FROM document_vectors WHERE id BETWEEN ? AND ? AND model = ? ORDER BY id",
        (*get_id_range(scope_no), model),
    ).fetchall()
    rows = [row for row in rows if len(row[2]) == len(rows[-1][2])]
    ids, scales, codes = zip(*rows, strict=True) if rows else ((), (), ())
    vectors = np.frombuffer(b"".join(codes), dtype=np.int8).reshape(len(rows), -1 if rows else 0)
    return _Vectors(changes, np.array(ids, dtype=np.int64), vectors, np.array(scales, dtype=np.float32))


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
