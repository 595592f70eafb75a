"""An application whose wall clock tests set, with reminders said when they ask for it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.compose.application import build_application
from bot.compose.building import load_live_settings, open_parts
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind, InboundMessage
from bot.runtime.application import Application
from harness.application import RecordingMessenger, ScriptedModel, make_folders
from harness.samples import WordEmbedder

ANNA, BOB, GROUP = 7, 8, -500
DIRECT = Address("telegram", 1, ANNA)


@dataclass
class SetClock:
    """Stands where it is put."""

    at: datetime
    passed: float = 0.0

    def now(self) -> datetime:
        """Return the time that was set."""
        return self.at

    def monotonic(self) -> float:
        """Return seconds that only grow."""
        self.passed += 0.001
        return self.passed


@dataclass
class Reminded:
    """A running application: people write, time passes, reminders are said."""

    app: Application
    messenger: RecordingMessenger
    clock: SetClock
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def say(self, text: str, *, to: Address = DIRECT, user: int = ANNA, **changes: Any) -> str:  # Any: fields
        """Write and return the answer."""
        number = next(self.numbers)
        kind = ChatKind.DIRECT if to.chat_id > 0 else ChatKind.GROUP
        author = Author(user, {ANNA: "Anna", BOB: "Bob"}[user], Trust.USER)
        message = InboundMessage(to, number, number, author, text, self.clock.at, kind, language="en")
        before = len(self.messenger.sent)
        await self.app.accept(replace(message, **changes))
        await self.app.answered()
        return "\n".join(said for _, said in self.messenger.sent[before:])

    async def look(self) -> list[str]:
        """Say what is due and return it."""
        before = len(self.messenger.sent)
        await self.app.reminders.look()
        await self.app.reminders.sent()
        return [said for _, said in self.messenger.sent[before:]]

    async def at(self, moment: str) -> list[str]:
        """Set the clock, in the zone that it is in, and return what is said then."""
        self.clock.at = datetime.fromisoformat(moment).replace(tzinfo=self.clock.at.tzinfo)
        return await self.look()

    async def wait(self, **passed: float) -> list[str]:
        """Let time pass and return what is said then."""
        self.clock.at += timedelta(**passed)
        return await self.look()


@asynccontextmanager
async def reminded(
    folder: Path,
    at: datetime,
    *,
    model: ScriptedModel | None = None,
    messenger: RecordingMessenger | None = None,
    first: int = 1,
    **settings: Any,  # Any: settings as JSON
) -> AsyncIterator[Reminded]:
    """Run an application that serves Anna, Bob and a group, without its own look at the clock."""
    telegram = {"allowedUsers": [ANNA, BOB], "allowedChats": [GROUP, GROUP - 1], "openGroups": True}
    folders = make_folders(folder, {"rag": {"enabled": False}, "telegram": telegram, **settings})
    live, clock = load_live_settings(folders), SetClock(at)
    parts = await open_parts(folders, live, embedder=WordEmbedder(), clock=clock)
    if model is not None:
        parts = replace(parts, model=lambda: model)
    messenger = messenger or RecordingMessenger()
    parts.messengers["telegram"] = messenger
    app = build_application(parts)
    live.subscribe(app.settings_changed)
    try:
        yield Reminded(app, messenger, clock, itertools.count(first))
    finally:
        await app.close()
