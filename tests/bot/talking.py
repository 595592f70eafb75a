"""The whole product on a fake Telegram, in this process: what people write and what the chats show."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.compose.application import Application
from bot.compose.building import live_settings, open_parts
from bot.compose.telegram import open_telegram
from harness.application import QUIET, placed
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder

ANNA, GROUP = 7, -500
_PATIENCE_S = 30.0


@dataclass
class Talk:
    """A running Mneme and its Telegram."""

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


@asynccontextmanager
async def talking(
    folder: Path,
    telegram: FakeTelegram,
    *,
    others: dict[str, Any] | None = None,  # Any: settings as JSON
    **settings: Any,
) -> AsyncIterator[Talk]:
    """Run Mneme with these settings of ``telegram`` (and ``others``), Anna being allowed."""
    base = {"token": telegram.token, "apiUrl": telegram.url, "allowedUsers": [ANNA]}
    places = placed(folder, {**QUIET, **(others or {}), "telegram": base | settings})
    live = live_settings(places)
    app = Application(await open_parts(places, live, embedder=WordEmbedder()))
    live.subscribe(app.settings_changed)
    receiver, closing = open_telegram(app.parts, app.accept)
    await app.start(_nothing())
    polling = asyncio.create_task(receiver.run())
    try:
        yield Talk(app, telegram)
    finally:
        receiver.stop()
        await asyncio.wait_for(polling, 10)
        await app.close()
        await closing()
        await receiver.close()


async def _nothing() -> AsyncIterator[None]:
    await asyncio.Event().wait()
    yield
