"""Puts conversations into the product's own store: one commit per exchange, as a finished turn does it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from adapters.embedding.minilm import MiniLmWordEmbedder
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.turn_search.index import RecallIndex
from adapters.sqlite.turn_search.search import SqliteRecall
from bot.memory.helpfulness import Weights
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.recall import MemoryQuery
from bot.ports.turn_store import TurnRecord
from bot.turn import Exchange, Reply, Session, Trace
from harness.recall.dataset import Conversation, Labelled, Said

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
    embedder: MiniLmWordEmbedder


@dataclass(slots=True)
class Ingested:
    """A conversation in the store: the scope, the turn behind each recalled key, and what it cost."""

    scope: Scope
    turns: dict[str, str] = field(default_factory=dict)
    authors: dict[str, int] = field(default_factory=dict)
    texts: dict[str, Said] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    write_ms: float = 0.0
    embed_ms: float = 0.0


@asynccontextmanager
async def open_memory(folder: Path, weights: Weights | None = None) -> AsyncIterator[Memory]:
    """Open a product in ``folder``; the embedding model is shared between runs."""
    embedder = MiniLmWordEmbedder(folder.parent / "model", niceness=0)
    await embedder.prepare(lambda _: None)
    database = Database(folder / "mneme.db")
    await database.open()
    turns = SqliteTurns(database, indexes=(RecallIndex(),))
    recall = SqliteRecall(database, embedder, weights=weights, patience_s=_PATIENCE_S)
    try:
        yield Memory(folder, database, turns, recall, embedder)
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
    done = done or Ingested(Scope(f"tcn{number + 1}"))
    address = Address("telegram", 1, -(number + 1))
    session, current = await memory.turns.session(address), -1
    for exchange, said in _exchanges(conversation, done):
        if current not in (-1, said.session):
            session = await memory.turns.close(address)
        current = said.session
        done.exchanges.append(exchange)
        await memory.turns.commit(_record(done.scope, address, session, exchange))
    return done


def query(done: Ingested, conversation: Conversation, question: Labelled, limit: int = 60) -> MemoryQuery:
    """Return the question as the chat's product would ask it: after the last turn."""
    asker = done.authors.get(question.asker, NOBODY)
    return MemoryQuery(question.text, asker, question.asker, conversation.said[-1].at, limit)


def _exchanges(conversation: Conversation, done: Ingested) -> Iterator[tuple[Exchange, Said]]:
    """Yield an exchange per turn of a person, with the assistant's turn that follows it, if any."""
    said = list(conversation.said)
    answers = {first.id: second for first, second in pairwise(said) if second.by_assistant and not first.by_assistant}
    answered = {second.id for second in answers.values()}
    for turn in said:
        if turn.id in answered:
            continue
        answer = turn if turn.by_assistant else answers.get(turn.id)
        uid = f"x{len(done.turns)}y{hashlib.sha256(turn.id.encode()).hexdigest()[:6]}"
        human = "" if turn.by_assistant else turn.speaker
        author = done.authors.setdefault(human, len(done.authors) + 1) if human else 1
        for role, text in (("user", None if turn.by_assistant else turn), ("assistant", answer)):
            if text is not None:
                done.turns[f"turn:{uid}:{role}"] = text.id
                done.texts[text.id] = text
        yield (
            Exchange(
                scope=done.scope,
                uid=uid,
                session_id=0,
                author=Author(author, human, Trust.USER),
                user_text="" if turn.by_assistant else turn.text,
                assistant_text=answer.text if answer is not None else "",
                said_at=turn.at,
            ),
            turn,
        )


def _record(scope: Scope, address: Address, session: Session, exchange: Exchange) -> TurnRecord:
    said = Exchange(
        scope=scope,
        uid=exchange.uid,
        session_id=session.id,
        author=exchange.author,
        user_text=exchange.user_text,
        assistant_text=exchange.assistant_text,
        said_at=exchange.said_at,
    )
    return TurnRecord(
        closes=(),
        scope=scope,
        address=address,
        session=session,
        reply=Reply(exchange.assistant_text),
        parts=(),
        exchange=said,
        items=(),
        document=None,
        trace=Trace(),
        draft_id=None,
    )
