"""The product's own store, one commit per exchange as a finished turn does it, and its real memory server beside it."""

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import structlog

from adapters.embedding.e5 import E5Embedder
from adapters.rag.client import LightRagClient
from adapters.rag.process import MemoryServerProcess
from adapters.rag.query import QuerySize
from adapters.rag.transport import ServerNames
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.errors import MemoryUnavailable
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.learning.kinds import KindReader
from bot.memory.scope import Installation, Scope
from bot.messages import Address, Author
from bot.ports.memory_store import MemoryQuery
from bot.ports.rag import IndexOutcome
from bot.turn import Exchange, IndexDocument
from harness.recall.dataset import Conversation, Labelled, Said
from harness.samples import turn
from language.sentences import split_sentences

NOBODY: Final = -1
"""Author id of a question asked by somebody who is not in the chat."""


_PATIENCE_S: Final = 60.0
"""For a question's embedding: quality is measured, also on a busy machine."""


@dataclass(frozen=True, slots=True)
class Memory:
    """An opened product: its store, its local channel and its embedder."""

    folder: Path
    database: Database
    turns: SqliteTurns
    recall: SqliteRecall
    embedder: E5Embedder
    kinds: KindReader


@dataclass(slots=True)
class Ingested:
    """A conversation in the store: the scope, the turn behind each recalled key, and what it cost.

    ``now`` is when its last turn was said: questions are asked then.
    """

    scope: Scope
    now: datetime
    turns: dict[str, str] = field(default_factory=dict)
    authors: dict[str, int] = field(default_factory=dict)
    texts: dict[str, Said] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    write_ms: float = 0.0
    embed_ms: float = 0.0


@asynccontextmanager
async def open_memory(folder: Path) -> AsyncIterator[Memory]:
    """Open a product in ``folder``; the embedding model is shared between runs."""
    embedder = E5Embedder(folder.parent / "model", niceness=0)
    embedder.load()
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    turns = SqliteTurns(database)
    recall = SqliteRecall(database, embedder, patience_s=_PATIENCE_S)
    try:
        kinds = KindReader(embedder.read_sentences, embedder.model)
        yield Memory(folder, database, turns, recall, embedder, kinds)
    finally:
        await database.close()
        embedder.close()


async def ingest(memory: Memory, conversation: Conversation, number: int) -> Ingested:
    """Commit every exchange of a conversation, then embed what waits."""
    start = time.perf_counter()
    done = await committed(memory, conversation, number)
    written = time.perf_counter()
    while await memory.recall.embed_missing(64):
        pass
    done.write_ms = 1000 * (written - start)
    done.embed_ms = 1000 * (time.perf_counter() - written)
    return done


async def committed(memory: Memory, conversation: Conversation, number: int, done: Ingested | None = None) -> Ingested:
    """Commit every exchange of a conversation, after those of ``done``."""
    done = done or Ingested(Scope(f"tcn{number + 1}"), conversation.said[-1].at)
    done.now = conversation.said[-1].at
    address = Address("telegram", 1, -(number + 1))
    session, current = await memory.turns.session(address), -1
    for exchange, said in _exchanges(conversation, done):
        if current not in (-1, said.session):
            session = await memory.turns.close(address)
        current = said.session
        done.exchanges.append(exchange)
        said_then = replace(exchange, session_id=session.id)
        await memory.turns.commit(turn(said_then, scope=done.scope, address=address))
    return done


async def read_question(memory: Memory, done: Ingested, question: Labelled, limit: int = 60) -> MemoryQuery:
    """Return the question as :func:`query`, its kind read as the product reads it before a turn."""
    await memory.kinds.read(split_sentences(question.text))
    return query(done, question, limit)


def query(done: Ingested, question: Labelled, limit: int = 60) -> MemoryQuery:
    """Return the question as the chat's product would ask it: after the last turn."""
    asker = done.authors.get(question.asker, NOBODY)
    return MemoryQuery(question.text, asker, question.asker, done.now, limit)


def _exchanges(conversation: Conversation, done: Ingested) -> Iterator[tuple[Exchange, Said]]:
    """Yield an exchange per turn of a person, with the assistant's turn that follows it, if any."""
    said = list(conversation.said)
    answers = {first.id: second for first, second in pairwise(said) if second.by_assistant and not first.by_assistant}
    answered = {second.id for second in answers.values()}
    for told in said:
        if told.id in answered:
            continue
        answer = told if told.by_assistant else answers.get(told.id)
        uid = f"x{len(done.turns)}y{hashlib.sha256(told.id.encode()).hexdigest()[:6]}"
        human = "" if told.by_assistant else told.speaker
        author = done.authors.setdefault(human, len(done.authors) + 1) if human else 1
        for role, text in (("user", None if told.by_assistant else told), ("assistant", answer)):
            if text is not None:
                done.turns[f"turn:{uid}:{role}"] = text.id
                done.texts[text.id] = text
        yield (
            Exchange(
                scope=done.scope,
                uid=uid,
                session_id=0,
                author=Author(author, human, Trust.USER),
                user_text="" if told.by_assistant else told.text,
                assistant_text=answer.text if answer is not None else "",
                said_at=told.at,
            ),
            told,
        )


_AT_ONCE: Final = 16
_POLL_S: Final = 0.05
_START_S: Final = 120.0
_CHUNKS: Final = 60
_ENTITIES: Final = 60


@asynccontextmanager
async def serve(folder: Path, models: Path) -> AsyncIterator[LightRagClient]:
    """Start a memory server with its data in ``folder``, yield its client and stop it afterwards."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    command = (sys.executable, "-m", "bot", "memory-server", "--data", str(folder), "--models", str(models))
    child = MemoryServerProcess(
        (*command, "--port", "0", "--child"), folder, log=folder / "server.log", environment=dict(os.environ)
    )
    client = LightRagClient(
        child.url,
        child.api_key,
        names=ServerNames(Installation("recallbenchmark0")),
        size=lambda: QuerySize(top_k=_ENTITIES, chunk_top_k=_CHUNKS),
        index_timeout_s=lambda: 60.0,
        cache_ttl_s=lambda: 0.001,
    )
    await child.start()
    try:
        async with asyncio.timeout(_START_S):
            while not child.url():  # noqa: ASYNC110 - the process has no event to wait for
                await asyncio.sleep(_POLL_S)
        yield client
    finally:
        await client.close()
        await child.stop()


async def index_all(client: LightRagClient, exchanges: Sequence[Exchange]) -> None:
    """Return once every exchange is a processed document."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(exchange: Exchange) -> None:
        async with room:
            while await _step(client, exchange) is not IndexOutcome.PROCESSED:  # noqa: ASYNC110 - a server
                await asyncio.sleep(_POLL_S)

    async with asyncio.TaskGroup() as group:
        for exchange in exchanges:
            group.create_task(one(exchange))


async def _step(client: LightRagClient, exchange: Exchange) -> IndexOutcome:
    """Bring a document nearer; a server too busy to answer is asked again, as the bot's indexer does."""
    try:
        return await client.index(IndexDocument.from_exchange(exchange))
    except MemoryUnavailable as error:
        structlog.get_logger().warning("indexing waits", cause=str(error))
        return IndexOutcome.WAITING


def turn_key(memory: Recalled) -> str:
    """Return the key of the turn behind a memory of either channel, "" for one that stands for no single turn."""
    if memory.channel is Channel.TURN:
        return memory.key
    return f"turn:{memory.exchange}:{memory.role or 'user'}" if memory.exchange else ""
