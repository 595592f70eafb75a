"""Finds the items of one scope that a question may mean: by their words and by their vectors.

Both look only into the scope's range of ids.  The vectors are compared exactly, as int8 with one scale each: an
approximate index under a scope filter loses most of what it should find.
In two steps, so that the first is done while the question is embedded.
Vectors are made off the commit path: a new item is found by its words at once and by its vector soon.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import dump_list
from adapters.sqlite.rows.items import load_items, select_items
from adapters.sqlite.rows.scopes import get_id_range
from bot.memory.items import ItemType, Match, MemoryItem, scale_cosine, weigh_words
from bot.ports.embedder import Embedder

Vector = npt.NDArray[np.float32]
_CANDIDATES: Final = 60
"""By words, and as many by vectors: more than a turn asks for.  Making an item of a row is the dearest step."""
_WEIGHED: Final = 500
"""Newest items with a word that are looked at: a word that more of them have says little about any."""
_STANDING: Final = 20
_NEAR: Final = 0.2
"""Cosine below which a vector says nothing."""
_LIVE: Final = select_items("WHERE id IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL")
_OLDEST_WITH_WORD: Final = (
    "SELECT rowid FROM items_fts WHERE items_fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?"
)
_NEWEST_WITH_WORD: Final = (
    "SELECT rowid FROM items_fts WHERE items_fts MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The items of a scope that a question may mean, before its meaning is known.

    ``said`` are the ids of items with one of its words, ascending, and ``shares`` the share of the question's weight
    that each carries; ``always`` are the items that every prompt may hold; ``vectors`` those of all items, int8 of
    shape (items, dimension), ``embedded`` their ids and ``scales`` what makes them unit vectors.
    """

    said: npt.NDArray[np.int64]
    shares: npt.NDArray[np.float64]
    always: list[int]
    embedded: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.int8]
    scales: Vector


def collect_candidates(connection: sqlite3.Connection, scope_no: int, asked: Sequence[str], model: str) -> Candidates:
    """Return what the question's stemmed words ``asked`` find, and what its embedding by ``model`` may be near to."""
    found = {word: _find_word(connection, scope_no, word) for word in asked}
    (total,) = connection.execute(
        "SELECT count(*) FROM items WHERE scope_no = ? AND superseded_by IS NULL", (scope_no,)
    ).fetchone()
    ids = np.array([row[0] for rows in found.values() for row in rows], dtype=np.int64)
    said, places = np.unique(ids, return_inverse=True)
    weights = weigh_words(asked, {word: len(rows) for word, rows in found.items()}, max(total, len(said)))
    carried = np.repeat([weights[word] for word in found], [len(rows) for rows in found.values()])
    shares = np.bincount(places, carried, len(said)) / (sum(weights.values()) or 1.0)
    return Candidates(said, shares, _list_standing(connection, scope_no), *_read_vectors(connection, scope_no, model))


def match_candidates(looked: Candidates, vector: Vector | None) -> dict[int, Match]:
    """Return how each item matches that does, is pinned or is a standing instruction.

    ``vector`` is the question's embedding, ``None`` for words alone.
    """
    near = {} if vector is None else _find_nearest(looked, vector)
    best = np.lexsort((looked.said, looked.shares))[-_CANDIDATES:]
    best = np.union1d(best, np.flatnonzero(np.isin(looked.said, list(near)))) if near else best
    shares = dict(zip(looked.said[best].tolist(), looked.shares[best].tolist(), strict=True))
    matches = {
        item_id: Match(shares.get(item_id, 0.0), scale_cosine(near.get(item_id, 0.0))) for item_id in shares | near
    }
    return dict.fromkeys(looked.always, Match()) | matches


def read_live_items(connection: sqlite3.Connection, matches: dict[int, Match]) -> list[tuple[MemoryItem, Match]]:
    """Return those of the items that are still there, each with how it matched."""
    rows = connection.execute(_LIVE, (dump_list(matches),)).fetchall()
    return [(item, matches[item.id]) for item in load_items(rows)]


def build_match(words: Sequence[str], joined: str = "OR") -> str:
    """Return the FTS5 query for stemmed words; they hold letters and digits only, so that quoting is enough."""
    return f" {joined} ".join(f'"{word}"' for word in words)


def quantise(vector: Vector) -> tuple[float, bytes]:
    """Return scale and int8 bytes of a vector: ``vector ≈ scale * int8``."""
    scale = float(np.abs(vector).max()) / 127 or 1.0
    return scale, np.round(vector / scale).astype(np.int8).tobytes()


def _find_word(connection: sqlite3.Connection, scope_no: int, word: str) -> list[tuple[int]]:
    """Return the newest items that have a word.

    Not ordered by ``bm25``: it looks at every row of every scope that has the word, so that its cost grows with the
    file.  Their texts stay unread: word by word the index alone answers.  It reads five times faster forwards, so
    that it goes backwards only for a word that too many have.
    """
    for query, limit in ((_OLDEST_WITH_WORD, _WEIGHED + 1), (_NEWEST_WITH_WORD, _WEIGHED)):
        rows = connection.execute(query, (build_match((word,)), *get_id_range(scope_no), limit)).fetchall()
        if len(rows) <= _WEIGHED:
            break
    return rows


def _read_vectors(
    connection: sqlite3.Connection, scope_no: int, model: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], Vector]:
    """Return ids, vectors and scales of a scope's items; of vectors of several lengths only those of the newest."""
    rows = connection.execute(
        "SELECT id, scale, vector FROM item_vectors WHERE id BETWEEN ? AND ? AND model = ?",
        (*get_id_range(scope_no), model),
    ).fetchall()
    rows = [row for row in rows if len(row[2]) == len(rows[-1][2])]
    ids, scales, codes = zip(*rows, strict=True) if rows else ((), (), ())
    vectors = np.frombuffer(b"".join(codes), dtype=np.int8).reshape(len(rows), -1 if rows else 0)
    return np.array(ids, dtype=np.int64), vectors, np.array(scales, dtype=np.float32)


def _find_nearest(looked: Candidates, vector: Vector) -> dict[int, float]:
    """Return the cosine of the items that are nearest."""
    if looked.vectors.shape[1] != len(vector):
        return {}
    cosines = (looked.vectors.astype(np.float32) @ vector.astype(np.float32)) * looked.scales
    order = np.argsort(-cosines)[:_CANDIDATES]
    order = order[cosines[order] > _NEAR]
    return dict(zip(looked.embedded[order].tolist(), cosines[order].tolist(), strict=True))


def _list_standing(connection: sqlite3.Connection, scope_no: int) -> list[int]:
    """Return pinned items and the newest standing instructions."""
    rows = connection.execute(
        "SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL AND pinned = 1 UNION "
        "SELECT * FROM (SELECT id FROM items WHERE id BETWEEN ?1 AND ?2 AND superseded_by IS NULL "
        "AND type IN (?3, ?4) ORDER BY updated_at DESC LIMIT ?5)",
        (*get_id_range(scope_no), ItemType.PREFERENCE, ItemType.CONSTRAINT, _STANDING),
    ).fetchall()
    return [row[0] for row in rows]


class ItemEmbedder:
    """Embeds the backlog; after a change of model, everything again.  Vectors of two models are never compared."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder
        self._model_checked = False

    async def embed_missing(self, limit: int) -> int:
        """Embed at most ``limit`` items and return how many are still waiting.

        Raises :class:`~bot.errors.EmbeddingUnavailable`; the backlog waits.
        """
        model = self._embedder.model
        if not self._model_checked:
            await self._database.write(lambda connection: _requeue_other_models(connection, model))
            self._model_checked = True
        # CROSS keeps SQLite from walking through all items to find the few that wait.
        rows = await self._database.read(
            lambda connection: connection.execute(
                "SELECT items.id, title, content FROM item_backlog CROSS JOIN items ON items.id = item_backlog.id "
                "LIMIT ?",
                (limit,),
            ).fetchall()
        )
        if rows:
            vectors = await self._embedder.embed([_join_text(title, content) for _, title, content in rows])
            stored = [
                (item_id, content, *quantise(vector))
                for (item_id, _, content), vector in zip(rows, vectors, strict=True)
            ]
            await self._database.write(lambda connection: _store_vectors(connection, model, stored))
        (waiting,) = await self._database.read(
            lambda connection: connection.execute("SELECT count(*) FROM item_backlog").fetchone()
        )
        return int(waiting)


def _join_text(title: str, content: str) -> str:
    return content if title in content else f"{title}: {content}"


def _requeue_other_models(connection: sqlite3.Connection, model: str) -> None:
    connection.execute(
        "INSERT INTO item_backlog SELECT id FROM item_vectors WHERE model <> ? ON CONFLICT DO NOTHING",
        (model,),
    )


def _store_vectors(connection: sqlite3.Connection, model: str, rows: Sequence[tuple[int, str, float, bytes]]) -> None:
    """Store vectors of items that still say what was embedded."""
    for item_id, content, scale, vector in rows:
        if connection.execute("SELECT 1 FROM items WHERE id = ? AND content = ?", (item_id, content)).fetchone():
            connection.execute(
                "INSERT INTO item_vectors VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "model = excluded.model, scale = excluded.scale, vector = excluded.vector",
                (item_id, model, scale, vector),
            )
            connection.execute("DELETE FROM item_backlog WHERE id = ?", (item_id,))
