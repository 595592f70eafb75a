"""The whole application in one process, as production joins it, with a messenger and a model that keep a record.

Every promise about the joined parts is tried on this: nothing but the outside world is replaced.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.llm.extraction import LlmExtraction
from adapters.llm.summary import LlmSummary
from bot.compose.application import Application
from bot.compose.building import live_settings, open_parts
from bot.compose.logs import set_up_logs
from bot.config.folders import Folders
from bot.memory.items import Trust
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.ports.embedder import Embedder
from bot.ports.messenger import Mark
from bot.runtime.container import Parts
from bot.turn import Address, Author, InboundMessage, ToolCall, Usage

PLATFORM = "telegram"
_FIRST_USER = 1000
Answering = Callable[[tuple[ChatMessage, ...], tuple[ToolSpec, ...]], "str | ToolCall"]


class _Unseen:
    message_id: int | None = None

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


@dataclass
class RecordingMessenger:
    """Keeps what was sent, in order; ``fault`` may raise in place of a delivery."""

    sent: list[tuple[int, str]] = field(default_factory=list)
    """Chat id and text."""
    fault: Callable[[int], None] = lambda _: None

    def parts(self, text: str) -> tuple[str, ...]:
        """Return the whole text."""
        return (text,)

    async def send(
        self,
        to: Address,
        part: str,
        *,
        draft_id: int | None = None,
        buttons: tuple[tuple[str, str], ...] = (),
    ) -> int:
        """Keep it."""
        await asyncio.sleep(0)
        self.fault(to.chat_id)
        self.sent.append((to.chat_id, part))
        return len(self.sent)

    async def draft(
        self,
        to: Address,
        message_id: int | None = None,
        *,
        begins: Mark | None = None,
    ) -> _Unseen:
        """Return a draft that shows nothing."""
        return _Unseen()


@dataclass
class Scripted:
    """A language model that says what ``answer`` makes of its messages and tells ``read`` everything it was sent."""

    answer: Answering
    read: Callable[[str], None] = lambda _: None
    _calls: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def stream(
        self,
        messages: tuple[ChatMessage, ...],
        tools: tuple[ToolSpec, ...] = (),
        *,
        max_tokens: int | None = None,
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
        """Return a tool call with an id of its own."""
        return ToolCall(f"call_{next(self._calls)}", name, json.dumps(arguments))


@dataclass
class House:
    """A running application; chats are numbered from 0."""

    app: Application
    messenger: RecordingMessenger
    places: Folders
    numbers: itertools.count[int]

    @property
    def parts(self) -> Parts:
        """Everything that is joined."""
        return self.app.parts

    async def tell(self, chat: int, text: str, **changes: Any) -> None:  # Any: fields of the message
        """Journal a chat's message and return; its turn goes on."""
        user, number = _FIRST_USER + chat, next(self.numbers)
        message = InboundMessage(
            Address(PLATFORM, 1, user),
            number,
            number,
            Author(user, "Anna", Trust.USER),
            text,
            changes.pop("sent_at", None) or datetime.now(UTC),
            language="en",
        )
        await self.app.accept(replace(message, **changes))

    async def say(self, chat: int, text: str, **changes: Any) -> str:  # Any: as above
        """Return the answer to a chat's message, "" if none arrived."""
        before = len(self.messenger.sent)
        await self.tell(chat, text, **changes)
        await self.app.answered(Address(PLATFORM, 1, _FIRST_USER + chat))
        return next((said for to, said in self.messenger.sent[before:] if to == _FIRST_USER + chat), "")

    def configure(self, settings: dict[str, Any]) -> None:  # Any: settings as JSON
        """Write other settings and put them into force."""
        self.places.config.write_text(json.dumps(settings), encoding="utf-8")
        self.parts.settings.reload()


def tag_of(chat: int) -> str:
    """Return the tag of a chat's scope."""
    return f"tu{_FIRST_USER + chat}"


def chat_of(chat_id: int) -> int:
    """Return the number of a chat."""
    return chat_id - _FIRST_USER


@asynccontextmanager
async def housed(
    folder: Path,
    settings: dict[str, Any],  # Any: settings as JSON
    embedder: Embedder,
    *,
    model: Scripted | None = None,
    messenger: RecordingMessenger | None = None,
    level: str = "debug",
) -> AsyncIterator[House]:
    """Run the application on a folder, which may have been used before; it is stopped as production stops it.

    With ``model`` it is asked, learns and summarises whenever ``llm.enabled`` is true.
    """
    places = _places(folder, settings)
    live = live_settings(places)
    set_up_logs(level, "json", places.logs / "mneme.log")
    parts = await open_parts(places, live, embedder=embedder)
    if model is not None:
        parts = replace(
            parts,
            model=lambda: model if live.current().llm.enabled else None,
            learning=lambda: (LlmExtraction(model), LlmSummary(model)) if live.current().llm.enabled else None,
        )
    messenger = messenger or RecordingMessenger()
    parts.messengers[PLATFORM] = messenger
    app = Application(parts)
    live.subscribe(app.settings_changed)
    await app.start(_never())
    try:
        yield House(app, messenger, places, itertools.count(_first_update(folder)))
    finally:
        await app.close()
        for handler in logging.getLogger().handlers:
            handler.close()


async def _never() -> AsyncIterator[None]:
    await asyncio.Event().wait()
    yield


def _places(folder: Path, settings: dict[str, Any]) -> Folders:  # Any: settings as JSON
    data, preferences = folder / "data", folder / "preferences"
    for each in (data / "state", data / "logs", preferences / "prompts"):
        each.mkdir(parents=True, exist_ok=True)
    (preferences / "runtime-config.json").write_text(json.dumps(settings), encoding="utf-8")
    (preferences / "prompts" / "IDENTITY.md").write_text("You are an assistant.", encoding="utf-8")
    return Folders(data=data, preferences=preferences, models=folder / "models")


def _first_update(folder: Path) -> int:
    """Return where update ids begin: each opening has a million of its own."""
    counter = folder / "openings"
    opening = int(counter.read_text("ascii")) + 1 if counter.exists() else 1
    counter.write_text(str(opening), encoding="ascii")
    return opening * 1_000_000
