"""The product's own composition in a folder, without a memory server, and a messenger that keeps what was answered."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.compose.application import Application
from bot.compose.building import live_settings, open_parts
from bot.compose.logs import set_up_logs
from bot.config.folders import Folders
from bot.ports.messenger import Mark
from bot.turn import Address, Author, ChatKind, InboundMessage
from harness.samples import NOON, WordEmbedder

QUIET: dict[str, Any] = {"rag": {"enabled": False}}  # Any: settings as JSON
HERE = Address("console", 0, 1)


class UnseenDraft:
    """Shows nothing."""

    message_id: int | None = None

    async def update(self, text: str) -> bool:
        """Show nothing."""
        return False


@dataclass
class Kept:
    """A messenger that keeps the answers."""

    answers: list[str] = field(default_factory=list)

    def parts(self, text: str) -> tuple[str, ...]:
        return (text,)

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        self.answers.append(part)
        return len(self.answers)

    async def draft(self, to: Address, message_id: int | None = None, *, begins: Mark | None = None) -> UnseenDraft:
        return UnseenDraft()


@dataclass
class Running:
    """A running application and its only chat."""

    app: Application
    messenger: Kept
    config: Path
    changed: asyncio.Queue[None]
    _updates: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def say(self, text: str) -> str:
        """Return the answer to a message."""
        await self.app.accept(message(text, next(self._updates)))
        await self.app.answered()
        return self.messenger.answers[-1]

    def goes_on(self) -> None:
        """Number messages beyond those of an earlier run in the same folder."""
        self._updates = itertools.count(1000)

    def configure(self, settings: dict[str, Any]) -> None:  # Any: settings as JSON
        """Write other settings and have them read."""
        self.config.write_text(json.dumps(settings), encoding="utf-8")
        self.app.parts.settings.reload()


def message(
    text: str, number: int = 1, *, kind: ChatKind = ChatKind.DIRECT, chat: int = 1, topic: int | None = None
) -> InboundMessage:
    """A message of user 42."""
    return InboundMessage(Address("console", 0, chat, topic), number, number, Author(42, "Anna"), text, NOON, kind)


def placed(folder: Path, settings: dict[str, Any]) -> Folders:  # Any: settings as JSON
    """The folders of an installation with these settings."""
    data, preferences = folder / "data", folder / "preferences"
    for each in (data / "state", data / "logs", preferences):
        each.mkdir(parents=True, exist_ok=True)
    (preferences / "runtime-config.json").write_text(json.dumps(settings), encoding="utf-8")
    return Folders(data=data, preferences=preferences, models=folder / "models")


@asynccontextmanager
async def running(
    folder: Path,
    settings: dict[str, Any] | None = None,  # Any: as above
    *,
    log: Path | None = None,
) -> AsyncIterator[Running]:
    """Start an application, with a log of everything if a file is named, and stop it after the test."""
    places = placed(folder, QUIET if settings is None else settings)
    live = live_settings(places)
    if log is not None:
        set_up_logs("debug", "json", log)
    parts = await open_parts(places, live, embedder=WordEmbedder())
    messenger, changed = Kept(), asyncio.Queue[None]()
    parts.messengers["console"] = messenger
    app = Application(parts)
    live.subscribe(app.settings_changed)
    await app.start(_each(changed))
    try:
        yield Running(app, messenger, places.config, changed)
    finally:
        await app.close()


async def _each(changes: asyncio.Queue[None]) -> AsyncIterator[None]:
    while True:
        await changes.get()
        yield
