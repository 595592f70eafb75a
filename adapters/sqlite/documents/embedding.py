"""Embeds chunks of documents off the commit path: a new one is found by its words at once, by its meaning soon."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.items.search import quantise
from adapters.sqlite.rows.documents import load_headings, note_change
from bot.ports.embedder import Embedder

_WAITING: Final = (
    "SELECT document_chunks.id, headings, text FROM document_backlog CROSS JOIN document_chunks "
    "ON document_chunks.id = document_backlog.id ORDER BY document_chunks.id LIMIT ?"
)


class ChunkEmbedder:
    """Works off the backlog; after a change of model everything is embedded again."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder
        self._checked = ""

    async def embed_missing(self, limit: int) -> int:
        """Embed at most ``limit`` chunks and return how many; 0 means that none is left.

        Raises :class:`~bot.errors.EmbeddingUnavailable`; the backlog waits.
        """
        model = self._embedder.model
        if self._checked != model:
            await self._database.write(partial(_requeue_other_models, model=model))
            self._checked = model
        rows = await self._database.read(lambda connection: connection.execute(_WAITING, (limit,)).fetchall())
        if not rows:
            return 0
        vectors = await self._embedder.embed([_join_text(headings, text) for _, headings, text in rows])
        made = [(row[0], row[2], *quantise(vector)) for row, vector in zip(rows, vectors, strict=True)]
        await self._database.write(partial(_store, model=model, rows=made))
        return len(rows)


def _join_text(headings: str, text: str) -> str:
    path = load_headings(headings)
    return f"{': '.join(path[-2:])}: {text}" if path else text


def _requeue_other_models(connection: sqlite3.Connection, model: str) -> None:
    connection.execute(
        "INSERT INTO document_backlog SELECT id FROM document_vectors WHERE model <> ? ON CONFLICT DO NOTHING", (model,)
    )


def _store(connection: sqlite3.Connection, model: str, rows: Sequence[tuple[int, str, float, bytes]]) -> None:
    """Store vectors of chunks that are still there and take them off the backlog."""
    for chunk, text, scale, vector in rows:
        there = connection.execute("SELECT 1 FROM document_chunks WHERE id = ? AND text = ?", (chunk, text)).fetchone()
        if there is not None:
            connection.execute(
                "INSERT INTO document_vectors VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "model = excluded.model, scale = excluded.scale, vector = excluded.vector",
                (chunk, model, scale, vector),
            )
        connection.execute("DELETE FROM document_backlog WHERE id = ?", (chunk,))
    for scope_no in {row[0] >> 32 for row in rows}:
        note_change(connection, scope_no)
