"""Gives items their vectors, off the commit path: an item is found by its words at once and by its meaning soon."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from adapters.sqlite.database import Database
from adapters.sqlite.items.search import quantised
from bot.ports.embedder import Embedder


class ItemVectors:
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
            vectors = await self._embedder.embed([_text(title, content) for _, title, content in rows])
            stored = [
                (item_id, content, *quantised(vector))
                for (item_id, _, content), vector in zip(rows, vectors, strict=True)
            ]
            await self._database.write(lambda connection: _store(connection, model, stored))
        (waiting,) = await self._database.read(
            lambda connection: connection.execute("SELECT count(*) FROM item_backlog").fetchone()
        )
        return int(waiting)


def _text(title: str, content: str) -> str:
    return content if title in content else f"{title}: {content}"


def _requeue_other_models(connection: sqlite3.Connection, model: str) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO item_backlog SELECT id FROM item_vectors WHERE model <> ?",
        (model,),
    )


def _store(connection: sqlite3.Connection, model: str, rows: Sequence[tuple[int, str, float, bytes]]) -> None:
    """Store vectors of items that still say what was embedded."""
    for item_id, content, scale, vector in rows:
        if connection.execute("SELECT 1 FROM items WHERE id = ? AND content = ?", (item_id, content)).fetchone():
            connection.execute(
                "INSERT OR REPLACE INTO item_vectors VALUES (?, ?, ?, ?)", (item_id, model, scale, vector)
            )
            connection.execute("DELETE FROM item_backlog WHERE id = ?", (item_id,))
