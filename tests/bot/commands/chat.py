"""A chat over a real database: commands are typed, earlier turns are said."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from adapters.sqlite.browsing import SqliteMemoryBrowser
from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.candidates import SqliteKeptTexts
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets
from bot.commands.conversation import Again, Halted, Help, New, Start, Stop
from bot.commands.forget import Forget, Undo
from bot.commands.memory import Keep, Memory, Remember
from bot.commands.replied import RepliedTexts
from bot.commands.router import CommandRouter, complete_awaited
from bot.commands.status import HealthLine, Status, StatusLines
from bot.commands.why import Why
from bot.compose.maintenance import sum_up_backups
from bot.core.rights import Whose
from bot.memory.items import Channel, Provenance, Recalled, Trust
from bot.memory.learning.statements import compute_fingerprint, extract_items
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, ChatKind, InboundMessage
from bot.ports.chat_model import Window, WindowSource
from bot.ports.embedder import Vectors
from bot.ports.memory_store import MemoryQuery
from bot.ports.messenger import DeliveryOutcome, Fate
from bot.ports.system import Command
from bot.ports.turn_store import TurnRecord
from bot.turn import Exchange, IndexDocument, Reply, StopSignal, Trace, Turn

START = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
ANNA = Author(42, "Anna")
BOB = Author(43, "Bob")
OWNER = replace(ANNA, trust=Trust.OWNER)
NAMES = ("start", "help", "new", "stop", "status", "memory", "remember", "forget", "undo", "why")


async def anybody(_command: str, _message: InboundMessage, _scope: Scope, _whose: Whose) -> bool:
    """Allow everything, as in a chat of one person."""
    return True


class NoEmbedder:
    """An embedder that knows no meaning: items are found by their words alone."""

    model = "none"
    dimension = 4

    async def embed(self, texts: Sequence[str], *, question: bool = False) -> Vectors:
        """Return the same vector for every text."""
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


@dataclass
class Hands:
    """A clock that is turned by hand."""

    at: datetime = START

    def now(self) -> datetime:
        """Return the time it shows."""
        return self.at

    def monotonic(self) -> float:
        """Return seconds since the start."""
        return (self.at - START).total_seconds()


@dataclass
class Said:
    """A recall that finds whatever was said in the scope with a word of the question in it."""

    turns: SqliteTurns
    exchanges: list[Exchange] = field(default_factory=list)

    async def recall(self, scope: Scope, query: MemoryQuery) -> tuple[Recalled, ...]:
        """Return user texts that share a word with the question."""
        words = set(re.findall(r"\w+", query.text.lower()))
        live = {uid for e in self.exchanges for uid in await self._uids(e)}
        return tuple(
            Recalled(
                f"turn:{e.uid}:user",
                e.user_text,
                Channel.TURN,
                1.0,
                author=e.author.name,
                author_id=e.author.id,
                role="user",
                said_at=e.said_at,
                exchange=e.uid,
            )
            for e in self.exchanges
            if e.scope == scope and e.uid in live and words & set(re.findall(r"\w+", e.user_text.lower()))
        )

    async def _uids(self, exchange: Exchange) -> set[str]:
        history = await self.turns.history(exchange.scope, exchange.session_id, 100)
        return {e.uid for e in history}


@dataclass
class Chat:
    """Several places over one store; ``type`` answers a command as the pipeline's shortcut does."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(folder / "mneme.db", ROOMS, readers=1)
        self.clock = Hands()
        self.turns = SqliteTurns(self.database, now=self.clock.now)
        self.items = SqliteItems(self.database, NoEmbedder(), self.clock, fingerprint=compute_fingerprint)
        self.browser = SqliteMemoryBrowser(self.database, self.clock)
        self.tickets = SqliteTickets(self.database)
        self.outbox = SqliteOutbox(self.database)
        self.window = Window(32_768, WindowSource.SERVER)
        self.undo_s = 0.0
        self.eraser = SqliteEraser(self.database, self.clock, folder / "items", undo_s=lambda: self.undo_s)
        self.recall = Said(self.turns)
        self.remembering = True
        self.halted = Halted()
        self.model = ""
        self.health: tuple[HealthLine, ...] = ()
        self.deliveries = SqliteDeliveries(self.database, self.clock.now)
        self._ids = itertools.count(1)
        self.lines: list[StatusLines] = []
        self.router = self.build_router()

    def build_router(self, *added: Command) -> CommandRouter:
        """Return a router of the commands that are always there, and of a feature's."""

        async def health() -> tuple[HealthLine, ...]:
            return self.health

        commands: tuple[Command, ...] = (
            Start(lambda: self.model, Help(NAMES)),
            Help(NAMES),
            New(),
            Stop(lambda _: self.halted),
            Status(
                health,
                self.browser,
                self.outbox,
                self.deliveries,
                lambda: self.model,
                lambda: self.remembering,
                lambda: self.window,
                self.lines,
                lambda: sum_up_backups(self.database),
            ),
            Again(self.deliveries, self.database.path.parent / "outgoing"),
            Memory(self.items, self.browser, SqliteKeptTexts(self.database), self.eraser, self.tickets, anybody),
            Remember(self.items, lambda: self.remembering),
            Keep(self.items, self.tickets, lambda: self.remembering),
            Forget(
                self.items,
                self.recall,
                SqliteKeptTexts(self.database),
                self.eraser,
                anybody,
                self.turns,
                RepliedTexts(self.turns, self.items, None),
            ),
            Undo(self.eraser, self.items, anybody),
            Why(self.turns),
            *added,
        )
        return CommandRouter(commands)

    async def type(
        self, text: str, author: Author = ANNA, *, group: bool = False, **changes: Any
    ) -> Reply | None:  # Any: fields of the message
        """Send a message and return what the router answers."""
        turn = await self._turn(text, author, group=group, **changes)
        return await self.router.answer(await complete_awaited(turn, self.tickets))

    async def ask(
        self, text: str, author: Author = ANNA, *, group: bool = False, **changes: Any
    ) -> str:  # Any: as above
        """Send a command and return the text of its reply."""
        reply = await self.type(text, author, group=group, **changes)
        assert reply is not None
        return reply.text

    async def say(
        self,
        text: str,
        answer: str = "Noted.",
        author: Author = ANNA,
        *,
        group: bool = False,
        trace: Trace | None = None,
        index: bool = False,
    ) -> str:
        """Have an exchange that is remembered, with the items the rules see in it; return its uid."""
        turn = await self._turn(text, author, group=group)
        number = turn.accepted[0].id
        uid = f"e{number}"
        exchange = Exchange(turn.scope, uid, turn.session.id, author, text, answer, self.clock.at)
        origin = Provenance(author.id, author.name, "chat", author.trust, self.clock.at, uid)
        items = extract_items(user_text=text, provenance=origin)
        record = TurnRecord(
            closes=(),
            scope=turn.scope,
            address=turn.address,
            reply=Reply(answer),
            parts=(answer,),
            exchange=exchange,
            items=items,
            document=IndexDocument.from_exchange(exchange) if index else None,
            trace=trace or Trace(),
            draft_id=None,
        )
        await self.turns.commit(record)
        self.recall.exchanges.append(exchange)
        return uid

    async def lose(self, text: str, fate: Fate = Fate.UNKNOWN, *, group: bool = False) -> int:
        """Have a reply that did not surely arrive, of a turn that is not remembered; return its delivery."""
        turn = await self._turn("and?", ANNA, group=group)
        record = TurnRecord(
            closes=(),
            scope=turn.scope,
            address=turn.address,
            reply=Reply(text),
            parts=(text,),
            exchange=None,
            items=(),
            document=None,
            trace=Trace(),
            draft_id=None,
            begins=True,
        )
        (delivery,) = (await self.turns.commit(record)).deliveries
        await self.deliveries.finish(delivery, DeliveryOutcome(fate, reason="no answer"))
        return delivery

    async def _turn(self, text: str, author: Author, *, group: bool, **changes: Any) -> Turn:  # Any: as above
        self.clock.at += timedelta(minutes=1)
        address = self.place(author, group=group)
        message = InboundMessage(
            address,
            next(self._ids),
            next(self._ids),
            author,
            text,
            self.clock.at,
            chat_kind=ChatKind.GROUP if group else ChatKind.DIRECT,
            language="en",
        )
        message = replace(message, **changes)
        session = await self.turns.session(address)
        scope = self.scope(author, group=group)
        return Turn((Accepted(message.update_id, message),), scope, session, self.clock.at, text, StopSignal())

    def place(self, author: Author = ANNA, *, group: bool = False) -> Address:
        """Return where somebody writes."""
        return Address("telegram", 1, -100 if group else author.id)

    def scope(self, author: Author = ANNA, *, group: bool = False) -> Scope:
        """Return whose memory a message uses: the user's in direct chats, the chat's in the group."""
        return Scope("tcn100") if group else Scope(f"tu{author.id}")


def number_in(text: str) -> int:
    """Return the first number of a listing or receipt of /remember."""
    match = re.search(r"(?:number |^- )(\d+)", text, re.MULTILINE)
    assert match is not None, text
    return int(match.group(1))


SIGNALS: Mapping[str, float] = {"bm25": 2.1, "dense": 0.4}
