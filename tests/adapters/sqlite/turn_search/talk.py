"""A small chat memory to talk to, and an embedder that knows what words mean."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.errors import EmbeddingUnavailable
from bot.memory.items import Recalled, Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.embedder import Vectors, WordVectors
from bot.ports.memory_store import MemoryQuery
from harness.samples import HeldClock, exchange, turn

START: Final = datetime(2024, 3, 4, 9, tzinfo=UTC)
ANNA, BORIS = Author(1, "Anna", Trust.USER), Author(2, "Boris", Trust.USER)
HOME, WORK = Scope("tcn1"), Scope("tcn2")

_MEANINGS: Final = {"puppy": "dog", "hound": "dog", "physician": "doctor", "automobile": "car"}

_SHARED = 0.3
"""Part of a word's state that all words of its text have in common, as with a real model."""


class Meaning:
    """Words with the same meaning get the same random vector.

    ``down`` makes it fail, ``slow`` hang; ``asked`` counts texts.  ``strange`` are words it knows in pieces only.
    """

    def __init__(self, dimension: int = 384, model: str = "meaning-1") -> None:
        self.dimension = dimension
        self.model = model
        self.down = self.slow = False
        self.asked = 0
        self.strange: set[str] = set()

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one normalised row per text."""
        found = await self.embed_words(texts)
        return np.stack([each.vector for each in found]) if found else np.zeros((0, self.dimension), dtype=np.float32)

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        """Return the mean of a text's words, and each word as it stands among the others."""
        if self.down:
            raise EmbeddingUnavailable("switched off by the test")
        if self.slow:
            await asyncio.sleep(60)
        self.asked += len(texts)
        return tuple(self._of(text) for text in texts)

    def _of(self, text: str) -> WordVectors:
        matches = list(re.finditer(r"\w+", text)) or list(re.finditer(r"^", text))
        parts = [part for match in matches for part in self._parts(match)]
        rows = np.stack([self._word(text[start:end].casefold()) for start, end in parts])
        mean = rows.mean(axis=0)
        rows = rows + _SHARED * mean
        spans = np.array(parts, dtype=np.int64)
        return WordVectors((mean / np.linalg.norm(mean)).astype(np.float32), rows, spans)

    def _parts(self, word: re.Match[str]) -> list[tuple[int, int]]:
        start, end = word.span()
        if word.group().casefold() not in self.strange:
            return [(start, end)]
        middle = (start + end) // 2
        return [(start, middle), (middle, end)]

    def _word(self, word: str) -> Vectors:
        seed = zlib.crc32(_MEANINGS.get(word, word).encode())
        return np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)


@dataclass
class Chat:
    """A store with its local channel; every :meth:`say` is a committed exchange one minute after the last."""

    database: Database
    turns: SqliteTurns
    recall: SqliteRecall
    eraser: SqliteEraser
    embedder: Meaning
    said: int = 0

    async def say(
        self, text: str, answer: str = "", *, author: Author = ANNA, scope: Scope = HOME, at: datetime | None = None
    ) -> str:
        """Commit an exchange and return its uid."""
        self.said += 1
        uid = f"x{self.said}"
        address = Address("telegram", 7, -1 if scope == HOME else -2)
        session = await self.turns.session(address)
        when = at or START + timedelta(minutes=self.said)
        said = exchange(uid, text, answer, session=session, scope=scope, author=author, said_at=when)
        await self.turns.commit(turn(said, scope=scope, address=address))
        return uid

    async def ask(
        self, question: str, *, author: Author = ANNA, scope: Scope = HOME, limit: int = 10
    ) -> tuple[Recalled, ...]:
        """Return what is recalled a day later."""
        now = START + timedelta(days=1)
        return await self.recall.recall(scope, MemoryQuery(question, author.id, author.name, now, limit))

    async def settle(self) -> None:
        """Embed everything that waits."""
        while await self.recall.embed_missing():
            pass


@asynccontextmanager
async def chat(
    folder: Path,
    embedder: Meaning | None = None,
    *,
    scopes: int = 8,
    patience_s: float = 0.6,
    database: Database | None = None,
) -> AsyncIterator[Chat]:
    """Open a chat memory in ``folder``, or in a ``database`` that is not open yet."""
    embedder = embedder or Meaning()
    database = database or Database(folder / "mneme.db", ROOMS)
    await database.open()
    eraser = SqliteEraser(database, HeldClock(), folder / "exports")
    recall = SqliteRecall(database, embedder, scopes_in_memory=scopes, patience_s=patience_s)
    try:
        yield Chat(database, SqliteTurns(database), recall, eraser, embedder)
    finally:
        await database.close()
