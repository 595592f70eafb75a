"""Finds what a question may mean in a pool of texts, by their words and by their vectors: items and documents alike.

Both look only into the scope's range of ids.  The vectors are compared exactly, as int8 with one scale each: an
approximate index under a scope filter loses most of what it should find.
Vectors are made off the commit path: a new text is found by its words at once and by its vector soon.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Final

import numpy as np
import numpy.typing as npt
import structlog

from adapters.sqlite.database import Database, Store
from adapters.sqlite.rows.codec import get_id_range
from bot.errors import EmbeddingUnavailable
from bot.memory.items import weigh_words
from bot.memory.ranking.vectors import map_question
from bot.memory.sanitise import clean
from bot.ports.embedder import Embedder

Vector = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
_NEAR: Final = 0.3
"""Cosine below which a vector says nothing."""
_BLOCK: Final = 8_192
_PATIENCE_S: Final = 0.6
"""A question waits so long for its embedding: a model that is loading must not cost the turn all that words find."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Texts of one kind: their full-text table, their vectors, and the queue of those that wait for one.

    ``texts`` selects id, what is embedded (two columns, put together by ``join``) and the text by which
    ``unchanged`` tells whether it still stands.  Of a word, ``weighed`` texts are looked at, the newest.
    ``embedded`` is told of a scope number whose vectors have changed.  ``told`` selects the id of the exchange that the
    text of an id was told in; no row where it was told in none.
    """

    words: str
    vectors: str
    queue: str
    texts: str
    unchanged: str
    join: Callable[[str, str], str]
    weighed: int
    embedded: Callable[[sqlite3.Connection, int], None] = lambda *_: None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """The texts that have words of a question: ids ascending, the share of the question's weight that each carries."""

    ids: Ids
    shares: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of a scope: ids ascending, int8 of shape (texts, dimension), one scale each."""

    ids: Ids
    rows: npt.NDArray[np.int8]
    scales: Vector

    def find_nearest(self, vector: Vector, most: int, among: npt.NDArray[np.bool_] | None = None) -> dict[int, float]:
        """Return the cosines of the nearest texts, by id."""
        if self.rows.shape[1] != len(vector):
            return {}
        starts = range(0, len(self.rows), _BLOCK)
        wide = vector.astype(np.float32)
        cosines = np.concatenate([self.rows[start : start + _BLOCK].astype(np.float32) @ wide for start in starts])
        cosines *= self.scales
        if among is not None:
            cosines[~among] = -1.0
        best = np.argsort(-cosines)[:most] if len(cosines) <= most else np.argpartition(-cosines, most)[:most]
        return {int(self.ids[place]): float(cosines[place]) for place in best if cosines[place] > _NEAR}


def find_words(
    connection: sqlite3.Connection, pool: Pool, words: Sequence[str], spans: Sequence[tuple[int, int]], total: int
) -> Hits:
    """Return the texts within ranges of ids that have any of the stemmed ``words``; ``total`` is how many there are."""
    found = {word: [row[0] for span in spans for row in _find_word(connection, pool, word, span)] for word in words}
    ids, places = np.unique(np.array([one for rows in found.values() for one in rows], np.int64), return_inverse=True)
    weights = weigh_words(words, {word: len(rows) for word, rows in found.items()}, max(total, len(ids)))
    carried = np.array([weights[word] for word, rows in found.items() for _ in rows], dtype=np.float64)
    return Hits(ids, np.bincount(places, carried, len(ids)) / (sum(weights.values()) or 1.0))


def choose_texts(hits: Hits, near: dict[int, float], most: int) -> dict[int, tuple[float, float]]:
    """Return the share of words and the cosine of the ``most`` texts that have most of the words, and of the near."""
    best = np.lexsort((hits.ids, hits.shares))[-most:]
    if near:
        chosen = np.isin(hits.ids, list(near))
        chosen[best] = True
        best = np.flatnonzero(chosen)
    shares = dict(zip(hits.ids[best].tolist(), hits.shares[best].tolist(), strict=True))
    return {one: (shares.get(one, 0.0), near.get(one, 0.0)) for one in shares | near}


def read_vectors(connection: sqlite3.Connection, pool: Pool, scope_no: int, model: str) -> Vectors:
    """Return the vectors of a scope's texts; of vectors of several lengths only those of the newest."""
    rows = connection.execute(
        f"SELECT id, scale, vector FROM {pool.vectors} WHERE id BETWEEN ? AND ? AND model = ? ORDER BY id",  # noqa: S608 - a table of ours
        (*get_id_range(scope_no), model),
    ).fetchall()
    rows = [row for row in rows if len(row[2]) == len(rows[-1][2])]
    ids, scales, codes = zip(*rows, strict=True) if rows else ((), (), ())
    vectors = np.frombuffer(b"".join(codes), dtype=np.int8).reshape(len(rows), -1 if rows else 0)
    return Vectors(np.array(ids, dtype=np.int64), vectors, np.array(scales, dtype=np.float32))


def build_match(words: Sequence[str], joined: str = "OR") -> str:
    """Return the FTS5 query for stemmed words; they hold letters and digits only, so that quoting is enough."""
    return f" {joined} ".join(f'"{word}"' for word in words)


def _find_word(connection: sqlite3.Connection, pool: Pool, word: str, span: tuple[int, int]) -> list[tuple[int]]:
    """Return the newest texts that have a word."""
    # Not by bm25, whose cost grows with the file; forwards reads five times faster, backwards only for common words.
    matching = f"SELECT rowid FROM {pool.words} WHERE {pool.words} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid"  # noqa: S608 - a table of ours
    for order, limit in (("", pool.weighed + 1), ("DESC", pool.weighed)):
        rows = connection.execute(f"{matching} {order} LIMIT ?", (build_match((word,)), *span, limit)).fetchall()
        if len(rows) <= pool.weighed:
            break
    return rows


async def embed_question(embedder: Embedder, text: str) -> Vector | None:
    """Return the embedding of a question, ``None`` where there is none in time: then its words must do."""
    if not text.strip():
        return None
    try:
        async with asyncio.timeout(_PATIENCE_S):
            vectors = await embedder.embed([clean(text)], question=True)
    except (EmbeddingUnavailable, TimeoutError) as error:
        structlog.get_logger().warning("searched by words alone", cause=type(error).__name__)
        return None
    return map_question(vectors[0], embedder.model)


class PoolEmbedder(Store):
    """Embeds what waits in pools; after a change of model, everything again: vectors of two are never compared."""

    def __init__(self, database: Database, embedder: Embedder, pools: Sequence[Pool]) -> None:
        super().__init__(database)
        self._embedder = embedder
        self._pools = tuple(pools)
        self._checked = ""

    async def embed_missing(self, limit: int = 64) -> int:
        """Embed at most ``limit`` texts and return how many; 0 means that none is left, or that all wait for recall.

        What was told in an exchange is embedded with it or after it, as recall takes ``limit`` utterances at a time:
        the model reads most such texts for both, and what it read is kept for a while only.
        Raises :class:`~bot.errors.EmbeddingUnavailable`; the queue waits.
        """
        model = self._embedder.model
        if self._checked != model:
            await self.database.write(partial(_requeue_other_models, pools=self._pools, model=model))
            self._checked = model
        waiting = await self.database.read(partial(_read_waiting, pools=self._pools, limit=limit))
        stores = []
        for pool, rows in waiting:
            vectors = await self._embedder.embed([pool.join(head, text) for _, head, text in rows])
            made = [(row[0], row[2], *_quantise(vector)) for row, vector in zip(rows, vectors, strict=True)]
            stores.append(partial(_store_vectors, pool=pool, model=model, rows=made))
        if stores:
            await self.database.write(lambda connection: [store(connection) for store in stores])
        return sum(len(rows) for _, rows in waiting)


def _read_waiting(
    connection: sqlite3.Connection, pools: Sequence[Pool], limit: int
) -> list[tuple[Pool, list[tuple[int, str, str]]]]:
    found = []
    later = connection.execute("SELECT exchange FROM recall_backlog ORDER BY exchange LIMIT 1 OFFSET ?", (limit,))
    (upto,) = later.fetchone() or (None,)
    for pool in pools:
        # CROSS keeps SQLite from walking through all texts to find the few that wait.
        query = f"SELECT waiting.* FROM {pool.queue} AS queue CROSS JOIN ({pool.texts}) AS waiting USING (id) ORDER BY id LIMIT ?"  # noqa: E501, S608 - tables of ours
        rows = connection.execute(query, (limit,)).fetchall()
        if pool.told and upto is not None:
            rows = _keep_told(connection, pool.told, rows, upto)
        if rows:
            found.append((pool, rows))
            limit -= len(rows)
    return found


def _keep_told(
    connection: sqlite3.Connection, told: str, rows: list[tuple[int, str, str]], upto: int
) -> list[tuple[int, str, str]]:
    """Return the texts before the first that was told in the exchange ``upto`` or later."""

    def find(text_id: int) -> int:
        row = connection.execute(told, (text_id,)).fetchone()
        return int(row[0]) if row else 0

    return list(takewhile(lambda row: find(row[0]) < upto, rows))


def _requeue_other_models(connection: sqlite3.Connection, pools: Sequence[Pool], model: str) -> None:
    for pool in pools:
        other = f"SELECT id FROM {pool.vectors} WHERE model <> ?"  # noqa: S608 - a table of ours
        connection.execute(f"INSERT INTO {pool.queue} {other} ON CONFLICT DO NOTHING", (model,))


def _store_vectors(
    connection: sqlite3.Connection, pool: Pool, model: str, rows: Sequence[tuple[int, str, float, bytes]]
) -> None:
    """Store vectors of texts that still stand as they were embedded."""
    for text_id, text, scale, vector in rows:
        if connection.execute(pool.unchanged, (text_id, text)).fetchone():
            connection.execute(
                f"INSERT INTO {pool.vectors} VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "  # noqa: S608 - a table of ours
                "model = excluded.model, scale = excluded.scale, vector = excluded.vector",
                (text_id, model, scale, vector),
            )
            connection.execute(f"DELETE FROM {pool.queue} WHERE id = ?", (text_id,))  # noqa: S608 - as above
    for scope_no in {row[0] >> 32 for row in rows}:
        pool.embedded(connection, scope_no)


def _quantise(vector: Vector) -> tuple[float, bytes]:
    """Return scale and int8 bytes of a vector: ``vector ≈ scale * int8``."""
    scale = float(np.abs(vector).max()) / 127 or 1.0
    return scale, np.round(vector / scale).astype(np.int8).tobytes()
