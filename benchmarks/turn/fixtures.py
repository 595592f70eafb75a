"""The product's own composition in a folder of its own: no memory server, and a messenger that sends nothing."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from adapters.embedding.minilm import MiniLmEmbedder
from bot.compose.logs import set_up_logs
from bot.config.folders import Folders, find_model_folder
from bot.memory.items import Trust
from bot.messages import Address, Author, InboundMessage
from bot.ports.chat_model import ChatModel
from bot.ports.embedder import Embedder
from bot.ports.messenger import Messenger
from bot.runtime.application import Application
from bot.runtime.container import Container
from harness.application import first_update, open_application

PLATFORM = "bench"
_FIRST_USER = 1000
_SETTINGS = {"rag": {"enabled": False}, "log": {"level": "info"}}


@dataclass(frozen=True, slots=True)
class Ground:
    """The application, and messages of chats that are numbered from 0."""

    app: Application
    _updates: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def parts(self) -> Container:
        """Everything that is joined."""
        return self.app.parts

    def message(self, chat: int, text: str, at: datetime | None = None) -> InboundMessage:
        """Return the next message of a chat."""
        user = _FIRST_USER + chat
        number = next(self._updates)
        return InboundMessage(
            address=Address(PLATFORM, 1, user),
            update_id=number,
            message_id=number,
            author=Author(user, "Anna", Trust.USER),
            text=text,
            sent_at=at or self.parts.clock.now(),
            language="en",
        )


@asynccontextmanager
async def open_bot(
    folder: Path,
    embedder: Callable[[str], Embedder] | None = None,
    chat: ChatModel | None = None,
    messenger: Messenger | None = None,
) -> AsyncIterator[Ground]:
    """Open the store of a folder; ``embedder`` takes the model's name and stands in for it; ``chat`` answers."""
    places = _places(folder)
    set_up_logs("info", "json", places.logs / "mneme.log")
    model = MiniLmEmbedder(places.models).model

    def alter(parts: Container) -> Container:
        return replace(parts, model=lambda: chat) if chat is not None else parts

    async with open_application(
        places,
        embedder(model) if embedder else None,
        messengers={PLATFORM: messenger} if messenger is not None else {},
        alter=alter,
        started=messenger is not None,
    ) as app:
        yield Ground(app, itertools.count(first_update(folder)))


def _places(folder: Path) -> Folders:
    data, preferences = folder / "data", folder / "preferences"
    for each in (data / "state", data / "logs", preferences / "prompts"):
        each.mkdir(parents=True, exist_ok=True)
    (preferences / "runtime-config.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
    for name in ("IDENTITY", "RULES"):
        shipped = Path(__file__).parents[2] / "preferences" / "prompts" / f"{name}.md"
        if shipped.is_file():
            (preferences / "prompts" / f"{name}.md").write_bytes(shipped.read_bytes())
    return Folders(data=data, preferences=preferences, models=find_model_folder(data))
