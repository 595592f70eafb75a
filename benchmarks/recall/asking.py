"""Asks as system 20 asks, with the defaults of the settings; BM25 and E5 over single turns in the same run."""

import sys
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from adapters.rag.client import LightRagClient
from benchmarks.recall.memory import Ingested, Memory, index_all, ingest, open_memory, read_question, serve, turn_key
from bot.compose.building import build_retrieval_options
from bot.config.schema import Settings
from bot.memory.items import Channel, Recalled
from bot.memory.prompt.rendering import Attribution
from bot.memory.ranking.passages import remove_names
from bot.memory.ranking.postings import Postings
from bot.memory.sanitise import escape_line
from bot.memory.speakers import Reader
from bot.ports.embedder import Embedder
from bot.ports.rag import QueryMode, RagPort
from harness.recall.dataset import Conversation, Labelled, Said
from harness.recall.metrics import Judged
from language.analyser import Analyser
from language.tokens import count_tokens
from systems.s20_context_building import Retrieval, RetrievalOptions

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


async def run(conversations: Sequence[Conversation], folder: Path, sources: Sequence[str]) -> dict[str, Run]:
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
