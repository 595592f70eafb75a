"""A turn, a messenger and tools for the tests of system 30."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from adapters.llm.endpoint import RetryPolicy
from adapters.llm.openai import ModelTimeouts, OpenAiChat
from bot.errors import CommandInvalid
from bot.memory.items import Channel, Recalled
from bot.memory.scope import Scope
from bot.messages import Accepted, Address, Author, InboundMessage
from bot.ports.chat_model import ChatModel, ToolSpec
from bot.ports.messenger import Delivery, DeliveryOutcome, Mark
from bot.ports.tool import ConfirmationRequest, Tool, ToolResult
from bot.turn import Exchange, Reply, ReplyKind, Session, StopSignal, Turn
from harness.fakes.openai import FakeOpenAi
from language.registry import get_user_texts
from systems.s30_tool_loop import ToolLoop, ToolLoopLimits

WHEN = datetime(2026, 2, 7, 14, 30, tzinfo=UTC)
TEXTS = get_user_texts("en")
VERA = Recalled("turn:a1:user", "My sister Vera lives in Porto.", Channel.TURN, 1.0, author="Anna", exchange="a1")


def said(text: str, **changes: Any) -> Turn:
    """Return a turn in which Anna says ``text``; changes of the message's own fields go to the message."""
    own = {name: changes.pop(name) for name in ("quote", "forwarded_from", "chat_kind") if name in changes}
    author = changes.pop("author", Author(42, "Anna"))
    message = InboundMessage(Address("telegram", 1, 42), 7, 70, author, text, WHEN, **own)
    turn = Turn((Accepted(5, message),), Scope("tu42"), Session(1, WHEN), WHEN, text, StopSignal())
    return replace(turn, **changes)


def earlier(user: str, assistant: str, uid: str = "e1") -> Exchange:
    """Return an exchange of the history."""
    return Exchange(Scope("tu42"), uid, 1, Author(42, "Anna"), user, assistant, WHEN)


@dataclass
class DraftingMessenger:
    """A messenger that only drafts; ``shown`` is what the chat saw, ``drew`` is set with every frame.

    The first ``drops`` frames come too fast and are dropped.
    """

    shown: list[str] = field(default_factory=list)
    begun: list[int | None] = field(default_factory=list)
    slow_s: float = 0.0
    drops: int = 0
    message_id: int | None = None
    drew: asyncio.Event = field(default_factory=asyncio.Event)

    def parts(self, text: str) -> tuple[str, ...]:
        return (text,)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        raise AssertionError("the tool loop never sends")

    async def draft(
        self, to: Address, message_id: int | None = None, *, begins: Mark | None = None
    ) -> DraftingMessenger:
        self.begun.append(message_id)
        self.message_id = message_id
        return self

    async def update(self, text: str) -> bool:
        await asyncio.sleep(self.slow_s)
        if self.drops:
            self.drops -= 1
            return False
        self.message_id = self.message_id or 900
        self.shown.append(text)
        self.drew.set()
        return True


@dataclass
class PacedMessenger(DraftingMessenger):
    """A messenger with limits, where a frame may make a message; what becomes of that is ``fate``."""

    fate: int | None = 900
    begins: Mark | None = None

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> PacedMessenger:
        self.begins = begins
        return self

    async def update(self, text: str) -> bool:
        if self.message_id is None and self.begins is not None:
            await self.begins()
            self.message_id = self.fate
        self.shown.append(text)
        return self.fate == 900

    async def reserve(self, to: Address) -> None: ...

    def reserve_now(self, to: Address) -> bool:
        return True

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: tuple[tuple[str, str], ...] = ()) -> bool:
        return False

    async def send_marked(
        self,
        to: Address,
        part: str,
        mark: Mark,
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        raise AssertionError("the tool loop never sends")


@dataclass
class Drafts:
    """The part of the deliveries that the loop uses."""

    stored: list[tuple[int, int | None]] = field(default_factory=list)
    error: Exception | None = None

    async def draft(self, entry_id: int, message_id: int | None) -> None:
        if self.error is not None:
            raise self.error
        self.stored.append((entry_id, message_id))

    async def find_answer(self, address: Address, message_id: int) -> int | None:
        return None

    async def find_draft(self, entry_id: int) -> int | None:
        return dict(self.stored).get(entry_id)

    async def begin_attempt(self, delivery_id: int) -> bool:
        raise AssertionError("the tool loop never sends")

    async def finish(self, delivery_id: int, outcome: DeliveryOutcome) -> None:
        raise AssertionError("the tool loop never sends")

    async def postpone(self, delivery_id: int, reason: str, *, draft_gone: bool = False) -> None:
        raise AssertionError("the tool loop never sends")

    async def list_unsent(self, address: Address | None = None) -> tuple[Delivery, ...]:
        return ()


@dataclass
class Gadget:
    """A tool that does what the test says."""

    name: str = "look"
    output: str | ToolResult = "found: Porto"
    writes: bool = False
    outside: bool = False
    error: BaseException | None = None
    takes_s: float = 0.0
    ran: list[Mapping[str, Any]] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(self.name, "A gadget.", {"type": "object"})

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str | ToolResult:
        self.ran.append(arguments)
        self.began.set()
        await asyncio.sleep(self.takes_s)
        if arguments.get("bad"):
            raise CommandInvalid("bad must not be there")
        if self.error is not None:
            raise self.error
        return self.output


@dataclass
class AskingGadget(Gadget):
    """A tool that changes something, and asks where it may not."""

    name: str = "change"
    writes: bool = True
    asked: list[Mapping[str, Any]] = field(default_factory=list)

    async def ask(self, turn: Turn, arguments: dict[str, Any]) -> ConfirmationRequest:
        self.asked.append(arguments)
        return ConfirmationRequest(f"change {len(self.asked)}", f"/yes {len(self.asked)}")


class WallClock:
    """Real time."""

    def now(self) -> datetime:
        return WHEN

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()


def remembered(turn: Turn) -> Turn:
    """Answer from memory, as the composition root does it."""
    reply = Reply("You told me: my sister Vera lives in Porto.", ReplyKind.RECALLED)
    return replace(turn, reply=reply, trace=turn.trace.using(turn.relevant[:1]))


def loop_with(
    model: ChatModel | None,
    *tools: Tool,
    messenger: DraftingMessenger | None = None,
    drafts: Drafts | None = None,
    limits: ToolLoopLimits | None = None,
    too_long: Callable[[], None] = lambda: None,
) -> ToolLoop:
    """Return system 30 as the composition root builds it."""
    return ToolLoop(
        model,
        tools,
        remembered=remembered,
        messengers={"telegram": messenger} if messenger else {},
        deliveries=drafts or Drafts(),
        limits=limits or ToolLoopLimits(),
        show=lambda text: f"“{text}”",
        clock=WallClock(),
        too_long=too_long,
    )


def model_at(server: FakeOpenAi) -> OpenAiChat:
    """Return a model that does not repeat."""
    return OpenAiChat(
        server.url,
        "key",
        "fake-model",
        timeouts=ModelTimeouts(10.0, 10.0, 10.0),
        retries=RetryPolicy(count=0),
        thinks_first=False,
    )
