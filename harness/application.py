"""The whole application in one process, composed as in production: only the outside world is replaced.

:func:`run_console` has one chat and no models, :func:`run_chats` many chats, a scripted language model and a messenger
that may fail, and :func:`run_on_telegram` polls a fake Telegram and sends there.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.console.plain import ConsoleMessages
from adapters.llm.asking import LlmSummary
from adapters.llm.extraction import LlmExtraction
from adapters.telegram.rate_limit import SendLimits
from bot.compose.building import open_parts
from bot.compose.pipeline import build_application
from bot.compose.telegram import open_telegram
from bot.config.folders import Folders
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind, InboundMessage
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.ports.embedder import Embedder
from bot.ports.messenger import Mark, Messenger
from bot.ports.when import Clock
from bot.runtime.app import App
from bot.runtime.application import Application
from bot.runtime.installation import load_live_settings, set_up_logs
from bot.turn import ToolCall, Usage
from harness.fakes.telegram import FakeTelegram
from harness.samples import NOON, WordEmbedder

NO_RAG: dict[str, Any] = {"rag": {"enabled": False}}  # Any: settings as JSON
CONSOLE = Address("console", 0, 1)
PLATFORM = "telegram"
ANNA, GROUP = 7, -500
UNLIMITED = SendLimits(chat_s=0.0, overall=100_000, group=100_000, group_reserve=50_000)
"""For tests of something else than the pace: a real one makes every second message to a chat wait for a second."""
_FIRST_USER = 1000
_PATIENCE_S = 120.0
_CLOSING_S = 20.0
Answering = Callable[[tuple[ChatMessage, ...], tuple[ToolSpec, ...]], "str | ToolCall"]


class UnseenDraft:
    """A draft that nobody sees."""

    message_id: int | None = None

    async def update(self, text: str) -> bool:
        return False


@dataclass
class RecordingMessenger:
    """A messenger that keeps what was sent, in order; ``fault`` may raise in place of a delivery."""

    sent: list[tuple[int, str]] = field(default_factory=list)
    """Chat id and text."""
    fault: Callable[[int], None] = lambda _: None

    @property
    def answers(self) -> list[str]:
        return [text for _, text in self.sent]

    def parts(self, text: str) -> tuple[str, ...]:
        return (text,)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        await asyncio.sleep(0)
        self.fault(to.chat_id)
        self.sent.append((to.chat_id, part))
        return len(self.sent)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> UnseenDraft:
        return UnseenDraft()


@dataclass
class InstantMessenger(RecordingMessenger):
    """Delivers nowhere, at once, as Telegram with room in its limits would; keeps when each chat was answered."""

    delivered: dict[Address, float] = field(default_factory=dict)

    async def send(self, to: Address, part: str, **_: Any) -> int:  # Any: of drafts and buttons
        self.delivered[to] = time.perf_counter()
        return len(self.delivered)

    async def reserve(self, to: Address) -> None:
        """Make nobody wait."""

    async def send_marked(self, to: Address, part: str, mark: Mark, **_: Any) -> int:  # Any: as above
        await mark()
        return await self.send(to, part)

    def is_shown(self, to: Address, draft_id: int, part: str, buttons: tuple[tuple[str, str], ...] = ()) -> bool:
        return False

    def reserve_now(self, to: Address) -> bool:
        return True


@dataclass
class ScriptedModel:
    """A language model that says what ``answer`` makes of its messages and tells ``read`` everything it was sent."""

    answer: Answering
    read: Callable[[str], None] = lambda _: None
    _calls: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        """Answer at once, with one suspension in the middle for others to interfere."""
        self.read("\n".join(message.content for message in messages))
        said = self.answer(messages, tools)
        await asyncio.sleep(0)
        text, calls = (said, ()) if isinstance(said, str) else ("", (said,))
        if text:
            yield TextDelta(text)
        yield Completed(text, calls, "tool_calls" if calls else "stop", Usage(1, 1, 1), "scripted")

    def call(self, name: str, **arguments: Any) -> ToolCall:  # Any: JSON arguments
        return ToolCall(f"call_{next(self._calls)}", name, json.dumps(arguments))


@dataclass
class ConsoleChat:
    """A running application and its only chat."""

    app: Application
    messenger: RecordingMessenger
    config: Path
    changed: asyncio.Queue[None]
    _updates: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def say(self, text: str, *, at: datetime = NOON) -> str:
        """Return the answer to a message that is sent at a time."""
        await self.app.accept(replace(console_message(text, next(self._updates)), sent_at=at))
        await self.app.answered()
        return self.messenger.answers[-1]

    async def settle(self) -> None:
        """Wait until what was said is embedded, and read beside the rest."""
        await self.app.embedding.embed()

    def continue_numbers(self) -> None:
        """Number messages beyond those of an earlier run in the same folder."""
        self._updates = itertools.count(1000)

    def configure(self, settings: dict[str, Any]) -> None:  # Any: settings as JSON
        self.config.write_text(json.dumps(settings), encoding="utf-8")
        self.app.parts.settings.reload()


@dataclass
class RunningChats:
    """A running application; its chats are numbered from 0."""

    app: Application
    messenger: RecordingMessenger
    folders: Folders
    numbers: itertools.count[int]
    platform: str = PLATFORM

    @property
    def parts(self) -> App:
        return self.app.parts

    def message(self, chat: int, text: str, **changes: Any) -> InboundMessage:  # Any: fields of the message
        user, number = _FIRST_USER + chat, next(self.numbers)
        message = InboundMessage(
            Address(self.platform, 1, user),
            number,
            number,
            Author(user, "Anna", Trust.USER),
            text,
            changes.pop("sent_at", None) or datetime.now(UTC),
            language="en",
        )
        return replace(message, **changes)

    async def tell(self, chat: int, text: str, **changes: Any) -> None:  # Any: as above
        """Journal a chat's message and return; its turn goes on."""
        await self.app.accept(self.message(chat, text, **changes))

    async def say(self, chat: int, text: str, **changes: Any) -> str:  # Any: as above
        """Return the answer to a chat's message, "" if none arrived."""
        before = len(self.messenger.sent)
        await self.tell(chat, text, **changes)
        await self.app.answered(Address(self.platform, 1, _FIRST_USER + chat))
        return next((said for to, said in self.messenger.sent[before:] if to == _FIRST_USER + chat), "")

    def configure(self, settings: dict[str, Any]) -> None:  # Any: settings as JSON
        self.folders.config.write_text(json.dumps(settings), encoding="utf-8")
        self.parts.settings.reload()


@dataclass
class TelegramChats:
    """A running application and the Telegram that it polls."""

    app: Application
    telegram: FakeTelegram

    async def ask(self, text: str, *, user: int = ANNA, chat: int | None = None, **more: Any) -> str:  # Any: JSON
        """Say something and return the next message that the chat shows."""
        place = user if chat is None else chat
        before = len(self.telegram.texts(place))
        await self.telegram.says(text, user=user, chat=chat, **more)
        return await self.next(place, before)

    async def next(self, chat: int, before: int) -> str:
        """Wait until a chat shows more than so many messages, and return the newest once all is answered."""
        await self.telegram.until(lambda: len(self.telegram.texts(chat)) > before, seconds=_PATIENCE_S)
        await self.app.answered()
        return self.telegram.texts(chat)[-1]

    async def taken(self) -> None:
        """Wait until every update was taken and every message answered."""
        await self.telegram.until(lambda: not self.telegram.updates.pending, seconds=_PATIENCE_S)
        await self.app.answered()


def console_message(
    text: str, number: int = 1, *, kind: ChatKind = ChatKind.DIRECT, chat: int = 1, topic: int | None = None
) -> InboundMessage:
    """Return what the terminal's receiver makes of a line, as a message of user 42."""
    read = ConsoleMessages(lambda: NOON).build(text)
    place, author = Address("console", 0, chat, topic), Author(42, "Anna")
    return replace(read, address=place, update_id=number, message_id=number, author=author, chat_kind=kind, language="")


def make_folders(folder: Path, settings: dict[str, Any]) -> Folders:  # Any: settings as JSON
    data, preferences = folder / "data", folder / "preferences"
    for each in (data / "state", data / "logs", preferences / "prompts"):
        each.mkdir(parents=True, exist_ok=True)
    (preferences / "runtime-config.json").write_text(json.dumps(settings), encoding="utf-8")
    return Folders(data=data, preferences=preferences, models=folder / "models")


def tag_of(chat: int) -> str:
    return f"tu{_FIRST_USER + chat}"


def chat_of(chat_id: int) -> int:
    return chat_id - _FIRST_USER


@asynccontextmanager
async def open_application(
    folders: Folders,
    embedder: Embedder | None,
    *,
    clock: Clock | None = None,
    messengers: Mapping[str, Messenger] | None = None,
    alter: Callable[[App], App] = lambda parts: parts,
    changed: asyncio.Queue[None] | None = None,
    started: bool = True,
    log: Path | None = None,
    level: str = "debug",
) -> AsyncIterator[Application]:
    """Join an application as production does, with what ``alter`` makes of its parts, and close it in the end.

    ``changed`` tells it that its preferences have; one that is not ``started`` does nothing by itself.  ``log`` is the
    file that gets what it logs from ``level`` on.
    """
    live = load_live_settings(folders)
    if log is not None:  # after the settings, which say how to log until they are read
        set_up_logs(level, "json", log)
    parts = alter(await open_parts(folders, live, embedder=embedder, clock=clock))
    parts.messengers.update(messengers or {})
    app = build_application(parts)
    live.subscribe(app.settings_changed)
    if started:
        await app.start(_each(changed or asyncio.Queue[None]()))
    try:
        yield app
    finally:
        await app.close()


@asynccontextmanager
async def run_console(
    folder: Path,
    settings: dict[str, Any] | None = None,  # Any: settings as JSON
    *,
    log: Path | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
) -> AsyncIterator[ConsoleChat]:
    """Run an application without a memory server, with a log of everything if a file is named."""
    folders = make_folders(folder, NO_RAG if settings is None else settings)
    messenger, changed = RecordingMessenger(), asyncio.Queue[None]()
    messengers = {"console": messenger}
    more: dict[str, Any] = {"messengers": messengers, "changed": changed, "log": log, "clock": clock}
    async with open_application(folders, embedder or WordEmbedder(), **more) as app:
        yield ConsoleChat(app, messenger, folders.config, changed)


@asynccontextmanager
async def run_chats(
    folder: Path,
    settings: dict[str, Any],  # Any: settings as JSON
    embedder: Embedder,
    *,
    model: ScriptedModel | None = None,
    messenger: RecordingMessenger | None = None,
    level: str = "debug",
) -> AsyncIterator[RunningChats]:
    """Run the application on a folder, which may have been used before; it is stopped as production stops it.

    With ``model`` it is asked, learns and summarises whenever ``llm.enabled`` is true.
    """
    folders = make_folders(folder, settings)
    (folders.preferences / "prompts" / "IDENTITY.md").write_text("You are an assistant.", encoding="utf-8")
    messenger = messenger or RecordingMessenger()

    def alter(parts: App) -> App:
        def is_asked() -> bool:
            return parts.settings.current.llm.enabled

        if model is None:
            return parts
        learning = LlmExtraction(model), LlmSummary(model)
        return replace(
            parts, model=lambda: model if is_asked() else None, learning=lambda: learning if is_asked() else None
        )

    messengers, log = {PLATFORM: messenger}, folders.logs / "mneme.log"
    async with open_application(folders, embedder, messengers=messengers, alter=alter, log=log, level=level) as app:
        yield RunningChats(app, messenger, folders, itertools.count(first_update(folder)))


@asynccontextmanager
async def run_on_telegram(
    folder: Path,
    telegram: FakeTelegram,
    *,
    others: dict[str, Any] | None = None,  # Any: settings as JSON
    embedder: Any = None,  # Any: an Embedder, beside settings that callers unpack
    **settings: Any,
) -> AsyncIterator[TelegramChats]:
    """Run the application with these settings of ``telegram`` (and ``others``), Anna being allowed.

    It sends as fast as it can, and the fake lets it.
    """
    telegram.floods.enforced = False
    base = {"token": telegram.token, "apiUrl": telegram.url, "allowedUsers": [ANNA]}
    folders = make_folders(folder, {**NO_RAG, **(others or {}), "telegram": base | settings})
    async with AsyncExitStack() as at_last, open_application(folders, embedder or WordEmbedder(), started=False) as app:
        channel = open_telegram(app.parts, app.accept, limits=UNLIMITED)
        app.parts.add_channel(channel)
        at_last.push_async_callback(channel.close)
        await app.start(_each(asyncio.Queue[None]()))
        polling = asyncio.create_task(channel.receive())
        try:
            yield TelegramChats(app, telegram)
        finally:
            channel.stop()
            await asyncio.wait_for(polling, _CLOSING_S)


async def _each(changes: asyncio.Queue[None]) -> AsyncIterator[None]:
    while True:
        await changes.get()
        yield


def first_update(folder: Path) -> int:
    """Return where update ids begin: each opening has a million of its own."""
    counter = folder / "openings"
    opening = int(counter.read_text("ascii")) + 1 if counter.exists() else 1
    counter.write_text(str(opening), encoding="ascii")
    return opening * 1_000_000
