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
from bot.compose.building import load_live_settings, open_parts
from bot.compose.logs import set_up_logs
from bot.config.folders import Folders, find_model_folder
from bot.memory.items import Trust
from bot.messages import Address, Author, InboundMessage
from bot.ports.chat_model import ChatModel
from bot.ports.embedder import Embedder
from bot.runtime.container import Container

PLATFORM = "bench"
_FIRST_USER = 1000
_SETTINGS = {"rag": {"enabled": False}, "log": {"level": "info"}}


@dataclass(frozen=True, slots=True)
class Ground:
    """The joined parts, and messages of chats that are numbered from 0."""

    parts: Container
    _updates: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

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
    folder: Path, embedder: Callable[[str], Embedder] | None = None, chat: ChatModel | None = None
) -> AsyncIterator[Ground]:
    """Open the store of a folder; ``embedder`` takes the model's name and stands in for it; ``chat`` answers."""
    places = _places(folder)
    live = load_live_settings(places)
    set_up_logs("info", "json", places.logs / "mneme.log")
    model = MiniLmEmbedder(places.models).model
    parts = await open_parts(places, live, embedder=embedder(model) if embedder else None)
    if chat is not None:
        parts = replace(parts, model=lambda: chat)
    try:
        yield Ground(parts, itertools.count(_first_update(folder)))
    finally:
        await parts.close()


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


def _first_update(folder: Path) -> int:
    """Return where update ids begin: each opening has a million of its own."""
    counter = folder / "openings"
    opening = int(counter.read_text("ascii")) + 1 if counter.exists() else 1
    counter.write_text(str(opening), encoding="ascii")
    return opening * 1_000_000
