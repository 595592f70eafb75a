"""Turns and memories for the systems around the tool loop, each doing what the test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.errors import MnemeError
from bot.memory.items import Channel, ItemType, Layer, MemoryItem, Provenance, Recalled, Trust
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage, MessageKind
from bot.ports.memory_store import MemoryQuery
from bot.ports.preferences import PromptSection
from bot.ports.rag import IndexOutcome, QueryMode, RagAnswer
from bot.ports.turn_store import AnsweredTurn, CommitResult, RepliedTo, TurnRecord
from bot.turn import Exchange, IndexDocument, Reply, SaidIn, Session, Skill, StopSignal, Turn
from systems.s20_context_building import ContextBuilding, ContextLimits, Retrieval, RetrievalOptions

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
SCOPE = Scope("tu42")
ANNA = Author(42, "Anna", Trust.USER)
HERE = Address("telegram", 1, 42)


def said(
    text: str,
    *,
    reply: Reply | None = None,
    kind: MessageKind = MessageKind.TEXT,
    forwarded: str | None = None,
    **more: Any,
) -> Turn:  # Any: the turn's other fields
    """A turn of Anna's as the pipeline opens it."""
    message = InboundMessage(HERE, 7, 7, ANNA, text, WHEN, kind=kind, forwarded_from=forwarded)
    return Turn((Accepted(35, message),), SCOPE, Session(1, WHEN), WHEN, text, StopSignal(), reply=reply, **more)


def exchange(number: int, user: str = "hi", assistant: str = "hello", *, skill: str = "") -> Exchange:
    """An exchange of the session so far."""
    at = WHEN - timedelta(hours=1) + timedelta(minutes=number)
    return Exchange(SCOPE, f"e{number}", 1, ANNA, user, assistant, at, skill=skill)


def fact(content: str, number: int = 1) -> MemoryItem:
    """A semantic item of Anna's."""
    origin = Provenance(42, "Anna", "chat", Trust.USER, WHEN, "e1")
    return MemoryItem(
        Layer.SEMANTIC,
        ItemType.FACT,
        content[:40],
        content,
        origin,
        content.casefold(),
        id=number,
        created_at=WHEN,
        updated_at=WHEN,
    )


def recalled(text: str, exchange_uid: str = "e0", channel: Channel = Channel.TURN) -> Recalled:
    """Something that a memory found."""
    return Recalled(
        f"turn:{exchange_uid}:user",
        text,
        channel,
        1.0,
        "Anna",
        author_id=42,
        role="user",
        said_at=WHEN,
        exchange=exchange_uid,
    )


@dataclass
class Memories:
    """Turns, recall, items and long-term memory in one, with a delay and an error for each."""

    past: tuple[Exchange, ...] = ()
    found: tuple[Recalled, ...] = ()
    known: tuple[tuple[MemoryItem, float], ...] = ()
    answer: RagAnswer = field(default_factory=RagAnswer)
    wished: tuple[MemoryItem, ...] = ()
    slow: dict[str, float] = field(default_factory=dict)
    broken: dict[str, MnemeError] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    touched: list[int] = field(default_factory=list)

    async def _do(self, what: str) -> None:
        self.asked.append(what)
        await asyncio.sleep(self.slow.get(what, 0))
        if what in self.broken:
            raise self.broken[what]

    async def history(self, scope: Scope, session_id: int, limit: int, *, step: int = 1) -> tuple[Exchange, ...]:
        await self._do("history")
        return self.past[-limit:]

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        await self._do("recall")
        return self.found

    async def items(self, scope: Scope, query: MemoryQuery) -> tuple[tuple[MemoryItem, float], ...]:
        await self._do("items")
        return self.known

    async def wishes(self, scope: Scope) -> tuple[MemoryItem, ...]:
        await self._do("wishes")
        return self.wished

    async def touch(self, scope: Scope, item_ids: tuple[int, ...], at: datetime) -> None:
        await self._do("touch")
        self.touched += item_ids

    async def query(
        self, scope: Scope, question: str, mode: QueryMode, *, deadline_s: float, documents_only: bool = False
    ) -> RagAnswer:
        await self._do("rag")
        return self.answer

    async def index(self, document: IndexDocument) -> IndexOutcome:
        raise AssertionError("a turn never indexes")

    async def session(self, address: Address, scope: Scope | None = None) -> Session:
        raise AssertionError("the pipeline opens sessions")

    async def commit(self, record: TurnRecord) -> CommitResult:
        raise AssertionError("reading never commits")

    async def last(self, address: Address) -> AnsweredTurn | None:
        raise AssertionError("only /why asks")

    async def find_replied(self, scope: Scope, address: Address, message_id: int) -> RepliedTo | None:
        return None

    async def list_messages(self, scope: Scope, address: Address, message_id: int) -> tuple[SaidIn, ...]:
        return ()

    async def list_authors(self, scope: Scope) -> tuple[tuple[int, str], ...]:
        return ()


@dataclass
class Sections:
    """What the operator wrote."""

    texts: tuple[PromptSection, ...] = ()
    known: tuple[Skill, ...] = ()

    def sections(self) -> tuple[PromptSection, ...]:
        return self.texts

    def skills(self) -> tuple[Skill, ...]:
        return self.known

    def problems(self) -> tuple[str, ...]:
        return ()


def building(
    memories: Memories,
    *,
    limits: ContextLimits | None = None,
    options: RetrievalOptions | None = None,
    preferences: Sections | None = None,
    tools: tuple[str, ...] = (),
    remembering: Callable[[], bool] = lambda: True,
    asking: Callable[[str], tuple[str, ...]] = lambda text: (text,),
    reading: Callable[[], bool] = lambda: True,
    read_path: bool = True,
    chosen: str | None = None,
    **stages: Any,
) -> ContextBuilding:
    """System 20 over these memories; ``stages`` are further parts of the retrieval."""
    return ContextBuilding(
        turns=memories,
        retrieval=Retrieval(
            recall=memories if read_path else None,
            items=memories if read_path else None,
            rag=memories,
            options=options or RetrievalOptions(),
            reading=reading,
            **stages,
        ),
        items=memories if read_path else None,
        preferences=preferences or Sections(),
        tools=tools,
        limits=limits or ContextLimits(),
        chosen_skill=lambda address, session: chosen,
        remembering=remembering,
        asking=asking,
    )
