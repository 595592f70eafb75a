"""The product's own store, filled one commit per exchange as a finished turn does it, and asked as system 20 asks.

With the defaults of the settings; its real memory server beside it, BM25 and E5 over single turns in the same run.
"""

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
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
from bot.compose.building import build_retrieval_options
from bot.config.schema import Settings
from bot.errors import MemoryUnavailable
from bot.memory.items import Channel, Recalled, Trust
from bot.memory.learning.kinds import KindReader
from bot.memory.prompt.rendering import Attribution
from bot.memory.ranking.passages import remove_names
from bot.memory.ranking.postings import Postings
from bot.memory.ranking.transcript import Transcript
from bot.memory.sanitise import escape_line
from bot.memory.scope import Installation, Scope
from bot.memory.speakers import Reader
from bot.messages import Address, Author
from bot.ports.embedder import Embedder
from bot.ports.memory_store import MemoryQuery
from bot.ports.rag import IndexOutcome, QueryMode, RagPort
from bot.turn import Exchange, IndexDocument
from harness.recall.dataset import Conversation, Labelled, Said
from harness.recall.metrics import Judged
from harness.samples import turn
from language.analyser import Analyser
from language.sentences import split_sentences
from language.tokens import count_tokens
from systems.s20_context_building import Retrieval, RetrievalOptions

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


async def name_turns(memory: Memory, done: Ingested, transcript: Transcript) -> tuple[str, ...]:
    """Return the turn of each passage."""
    uids = dict(await memory.database.fetch("SELECT id, uid FROM exchanges"))
    sides = zip(transcript.passages.rows["exchange"], transcript.passages.rows["assistant"], strict=True)
    return tuple(done.turns[f"turn:{uids[int(e)]}:{'assistant' if a else 'user'}"] for e, a in sides)


def turn_key(memory: Recalled) -> str:
    """Return the key of the turn behind a memory of either channel, "" for one that stands for no single turn."""
    if memory.channel is Channel.TURN:
        return memory.key
    return f"turn:{memory.exchange}:{memory.role or 'user'}" if memory.exchange else ""


_DEADLINE_S: Final = 60.0
"""Long, because quality is measured; the product's own is 0.8 s."""
_SHOWN: Final = 60

PRODUCT: Final = replace(build_retrieval_options(Settings()), deadline_s=_DEADLINE_S, rag_deadline_s=_DEADLINE_S)
"""What the bot does without settings, but for its patience."""
_UNLIMITED: Final = replace(PRODUCT, top_k=0)
"""LightRAG alone is not limited by type: it is ranked to the end."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question's ranking, whoever made it: turn ids, best first, with the prompt tokens of each."""

    question: Labelled
    ranked: tuple[str, ...]
    cost: tuple[int, ...]
    ms: float


Ask = Callable[[Labelled], Awaitable[Answered]]


def judged(answers: Iterable[Answered]) -> list[Judged]:
    """Return what is measured of each."""
    return [Judged(one.question.category, frozenset(one.question.evidence), one.ranked, one.cost) for one in answers]


def prompt_cost(memory: Recalled, now: datetime) -> int:
    """Return the tokens of a memory's line in the prompt, see :mod:`bot.memory.prompt.rendering`."""
    heads = Attribution(now)
    head = heads.render_head(memory.said_at, heads.reader.identify(memory), memory.channel)
    return count_tokens(f"{head}{escape_line(memory.text)}\n")


def turn_cost(turn: Said, now: datetime) -> int:
    """Return the same for a turn: what a peer finds is charged as ours is."""
    head = Attribution(now).render_head(turn.at, Reader().identify_author(0, turn.speaker, "user"), Channel.TURN)
    return count_tokens(f"{head}{escape_line(turn.text)}\n")


@dataclass(frozen=True, slots=True)
class Source:
    """Which channels answer, and how: the store, long-term memory in a mode, or both."""

    local: bool = True
    mode: QueryMode | None = None
    options: RetrievalOptions = PRODUCT


MODE: Final = QueryMode(Settings().rag.query_mode)
"""How the product asks LightRAG without settings."""

SOURCES: Final[Mapping[str, Source]] = {
    "local": Source(),
    "lightrag": Source(local=False, mode=MODE, options=_UNLIMITED),
    "fused": Source(mode=MODE, options=replace(PRODUCT, exchanges=True)),
    "lightrag-naive": Source(local=False, mode=QueryMode.NAIVE, options=_UNLIMITED),
    "lightrag-mix": Source(local=False, mode=QueryMode.MIX, options=_UNLIMITED),
}


async def ask(memory: Memory, rag: RagPort | None, source: Source, done: Ingested, question: Labelled) -> Answered:
    """Ask one question as context building does; the first memory that stands for a turn is its place."""
    asked = replace(await read_question(memory, done, question), budget=source.options.budget)
    retrieval = Retrieval(
        recall=memory.recall if source.local else None,
        items=None,
        rag=rag if source.mode is not None else None,
        mode=source.mode or MODE,
        options=source.options,
        reader=memory.embedder,
    )
    start = time.perf_counter()
    found = (await retrieval(done.scope, asked)).relevant
    ms = 1000 * (time.perf_counter() - start)
    first: dict[str, Recalled] = {}
    for one in found:
        if (turn := done.turns.get(turn_key(one))) is not None:
            first.setdefault(turn, one)
    return Answered(question, tuple(first), tuple(prompt_cost(one, done.now) for one in first.values()), ms)


def index_words(conversation: Conversation) -> Ask:
    """Return what asks Okapi BM25 (k1 1.2) with stems and stop-words over the turns of a conversation."""
    words, postings = Analyser(), Postings()
    for said in conversation.said:
        postings.add(words.keys(said.text))

    async def ask(question: Labelled) -> Answered:
        start = time.perf_counter()
        keys = tuple(dict.fromkeys(words.keys(question.text)))
        score = np.array([postings.idf(key) for key in keys], dtype=np.float32) @ postings.matches(keys)
        return _rank(conversation, question, score, start)

    return ask


async def index_vectors(conversation: Conversation, embedder: Embedder) -> Ask:
    """Return what asks by multilingual-e5-small vectors of whole turns, the speakers' names taken out of both sides."""
    names = {said.speaker for said in conversation.said}
    vectors = await embedder.embed([remove_names(said.text, names) or said.text for said in conversation.said])

    async def ask(question: Labelled) -> Answered:
        start = time.perf_counter()
        (vector,) = await embedder.embed([remove_names(question.text, names)], question=True)
        return _rank(conversation, question, vectors @ vector, start)

    return ask


def _rank(conversation: Conversation, question: Labelled, score: np.ndarray, start: float) -> Answered:
    """Return the ranking by ``score``, one value per turn; ``start`` is when the question was asked."""
    order = np.argsort(-score, kind="stable")[:_SHOWN]
    ms = 1000 * (time.perf_counter() - start)
    said, now = [conversation.said[place] for place in order], conversation.said[-1].at
    cost = tuple(turn_cost(turn, now) for turn in said)
    return Answered(question, tuple(turn.id for turn in said), cost, ms)


@dataclass(slots=True)
class Run:
    """Everything that a run has found and cost."""

    answered: list[Answered] = field(default_factory=list)
    turns: int = 0
    write_ms: float = 0.0
    embed_ms: float = 0.0
    longterm_ms: float = 0.0
    disk_bytes: int = 0


async def ask_all(conversations: Sequence[Conversation], folder: Path, sources: Sequence[str]) -> dict[str, Run]:
    """Ingest conversations once and ask every question of each source; return one run per name.

    A source is bm25, e5 or one of :data:`SOURCES`.
    """
    rag: LightRagClient | None = None
    server_folder, longterm_ms = folder.parent / "server", 0.0
    runs = {name: Run() for name in sources}
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(open_memory(folder))
        chats = []
        for number, conversation in enumerate(conversations):
            chats.append((conversation, await ingest(memory, conversation, number)))
            say(f"ingested {conversation.name}: {len(conversation.said)} turns")
        if any(name in SOURCES and SOURCES[name].mode for name in runs):
            rag = await stack.enter_async_context(serve(server_folder, folder.parent / "model"))
            for _, done in chats:
                start = time.perf_counter()
                await index_all(rag, done.exchanges)
                longterm_ms += 1000 * (time.perf_counter() - start)
                say(f"long-term memory holds {done.scope}: {len(done.exchanges)} documents")
        for name, result in runs.items():
            for conversation, done in chats:
                if name == "bm25":
                    answer = index_words(conversation)
                elif name == "e5":
                    answer = await index_vectors(conversation, memory.embedder)
                else:
                    answer = partial(ask, memory, rag, SOURCES[name], done)
                result.answered += [await answer(question) for question in conversation.questions]
                result.turns += len(conversation.said)
                result.write_ms += done.write_ms
                result.embed_ms += done.embed_ms
                say(f"{name}: asked {len(conversation.questions)} questions about {conversation.name}")
            result.longterm_ms = longterm_ms
        await memory.database.checkpoint()
    for result in runs.values():
        result.disk_bytes = size_of(folder) + size_of(server_folder)
    return runs


def size_of(folder: Path) -> int:
    """Return the bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)
