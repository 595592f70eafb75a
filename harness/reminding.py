"""An application whose wall clock tests set, with reminders said when they ask for it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from adapters.telegram.access import may_still_talk
from bot.compose.telegram import ABILITIES, read_allow_lists
from bot.features.reminders.clock import ReminderClock
from bot.memory.items import Trust
from bot.messages import Address, Author, ChatKind, InboundMessage
from bot.runtime.app import App
from bot.runtime.application import Application
from harness.application import RecordingMessenger, ScriptedModel, make_folders, open_application
from harness.samples import HeldClock, WordEmbedder

ANNA, BOB, GROUP = 7, 8, -500
DIRECT = Address("telegram", 1, ANNA)


@dataclass
class Reminded:
    """A running application: people write, time passes, reminders are said."""

    app: Application
    messenger: RecordingMessenger
    clock: HeldClock
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    async def say(self, text: str, *, to: Address = DIRECT, user: int = ANNA, **changes: Any) -> str:  # Any: fields
        number = next(self.numbers)
        kind = ChatKind.DIRECT if to.chat_id > 0 else ChatKind.GROUP
        author = Author(user, {ANNA: "Anna", BOB: "Bob"}[user], Trust.USER)
        message = InboundMessage(to, number, number, author, text, self.clock.at, kind, language="en")
        before = len(self.messenger.sent)
        await self.app.accept(replace(message, **changes))
        await self.app.answered()
        return "\n".join(said for _, said in self.messenger.sent[before:])

    async def look(self) -> list[str]:
        before = len(self.messenger.sent)
        await self.app.parts.need(ReminderClock).look()
        await self.app.parts.need(ReminderClock).sent()
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
    clock, messenger = HeldClock(at), messenger or RecordingMessenger()

    def alter(parts: App) -> App:
        return replace(parts, model=lambda: model) if model is not None else parts

    async with open_application(
        folders, WordEmbedder(), clock=clock, messengers={"telegram": messenger}, alter=alter, started=False
    ) as app:
        app.parts.abilities["telegram"] = ABILITIES
        app.parts.rules.admits["telegram"] = partial(may_still_talk, read_allow_lists(app.parts), app.parts.access)
        yield Reminded(app, messenger, clock, itertools.count(first))
