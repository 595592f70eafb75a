"""Messages, turns and items to store, made-up words, and a clock and an embedder that do what a test wants."""

import json
import random
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage
from bot.ports.embedder import Vectors, WordStates, WordVectors
from bot.ports.memory_store import MemoryQuery
from bot.ports.turn_store import TurnRecord
from bot.turn import Exchange, IndexDocument, Reply, Session, Trace

NOON = datetime(2026, 2, 7, 14, 30, 15, 250_000, tzinfo=timezone(timedelta(hours=1)))
ANNA = Author(42, "Anna", Trust.OWNER)
HERE = Address("telegram", 7, 42)
SCOPE = Scope("tu42")
_DIMENSION = 384


@dataclass
class HeldClock:
    """A clock that stands still until a test moves it."""

    at: datetime = NOON
    seconds: float = 0.0

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.seconds

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass
class WordEmbedder:
    """Places texts by their words: two texts are near when they share some."""

    model: str = "words-1"
    dimension: int = 64
    embedded: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        self.embedded += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for number, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()) or ["nothing"]:
                rows[number, zlib.crc32(word.encode()) % self.dimension] += 1
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        normalised: Vectors = (rows / np.where(norms == 0, 1, norms)).astype(np.float32)
        return normalised


class FreeVectors:
    """Vectors that cost next to nothing, under the name of a real model, so that both can use one store.

    The time to search vectors does not depend on what they say.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self.dimension = _DIMENSION
        self._rows = np.random.default_rng(7).standard_normal((4096, _DIMENSION)).astype(np.float32)
        self._rows /= np.linalg.norm(self._rows, axis=1, keepdims=True)

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return one row per text, the same for the same text."""
        rows: Vectors = self._rows[[_number(text) for text in texts]].reshape(len(texts), _DIMENSION)
        return rows


class FreeWordVectors(FreeVectors):
    """The same, and a state per word."""

    async def embed_words(
        self, texts: Sequence[str], *, question: bool = False, patient: bool = False
    ) -> tuple[WordVectors, ...]:
        return tuple(self._words(text) for text in texts)

    async def read_states(self, text: str) -> WordStates:
        """Return nothing that a name could be told by: a store that is filled waits for no names."""
        return WordStates(np.zeros((0, _DIMENSION), np.float32), np.zeros((0, 2), np.int64))

    def _words(self, text: str) -> WordVectors:
        spans, start = [], 0
        for word in text.split():
            start = text.index(word, start)
            spans.append((start, start + len(word)))
            start += len(word)
        pieces = self._rows[[_number(text[low:high]) for low, high in spans]].reshape(len(spans), _DIMENSION)
        return WordVectors(self._rows[_number(text)], pieces, np.array(spans, dtype=np.int64).reshape(-1, 2))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=2).digest(), "big") % 4096


def message(
    text: str, update_id: int = 1, *, address: Address = HERE, author: Author = ANNA, message_id: int = 0, **others: Any
) -> InboundMessage:
    """A message as a receiver hands it over; ``others`` are further fields (Any), as in all that follow."""
    return InboundMessage(address, update_id, message_id or update_id, author, text, NOON, **others)


def item(
    content: str,
    *,
    fingerprint: str = "",
    exchange: str = "",
    layer: Layer = Layer.SEMANTIC,
    type_: ItemType = ItemType.FACT,
    author: Author = ANNA,
    trust: Trust | None = None,
    source: str = "chat",
    said_at: datetime = NOON,
    **others: Any,
) -> MemoryItem:
    origin = Provenance(author.id, author.name, source, author.trust if trust is None else trust, said_at, exchange)
    return MemoryItem(layer, type_, content[:30], content, origin, fingerprint or content.casefold(), **others)


def exchange(
    uid: str,
    user: str,
    assistant: str = "Noted.",
    *,
    session: Session | None = None,
    scope: Scope = SCOPE,
    author: Author = ANNA,
    said_at: datetime = NOON,
    **others: Any,
) -> Exchange:
    return Exchange(scope, uid, session.id if session else 0, author, user, assistant, said_at, **others)


def turn(
    said: Exchange | None,
    *,
    closes: Sequence[Accepted] = (),
    scope: Scope = SCOPE,
    address: Address = HERE,
    parts: tuple[str, ...] = (),
    items: tuple[MemoryItem, ...] = (),
    reply: Reply | None = None,
    trace: Trace | None = None,
    document: bool = False,
    draft_id: int | None = None,
    **others: Any,
) -> TurnRecord:
    text, indexed = said.assistant_text if said else "done", None
    if said and document:
        source = f"conv_20260207_133015_{scope.tag}_{said.uid}.txt"
        indexed = IndexDocument(scope, source, f"User (Anna): {said.user_text}\nAssistant: {text}")
    closed, reply, trace = tuple(entry.id for entry in closes), reply or Reply(text), trace or Trace()
    return TurnRecord(closed, scope, address, reply, parts, said, items, indexed, trace, draft_id, **others)


def question(text: str, *, now: datetime = NOON) -> MemoryQuery:
    """Anna asks."""
    return MemoryQuery(text, ANNA.id, ANNA.name, now, limit=50)


def utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


def read_words(name: str) -> dict[str, Any]:  # Any: lists of texts, or of pairs of them
    pools: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
    return pools[name]


def draw(chance: random.Random, pool: Sequence[str], steep: float) -> str:
    """Return one of a pool, its first ones more often: people talk about few things often and many things once."""
    return pool[min(int(chance.expovariate(steep / len(pool))), len(pool) - 1)]
