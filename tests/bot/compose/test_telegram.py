"""The Telegram receiver follows its settings while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.compose.building import open_parts
from bot.compose.telegram import open_telegram
from bot.messages import Address, InboundMessage
from bot.runtime.app import App
from bot.runtime.installation import load_live_settings
from harness.application import NO_RAG, make_folders
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder

OWNER, STRANGER = 42, 66


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """A fake that the owner has met."""
    async with FakeTelegram() as fake:
        fake.chats.meet(OWNER)
        yield fake


@dataclass
class Taken:
    """Counts what was let in."""

    count: int = 0

    async def __call__(self, message: InboundMessage) -> None:
        self.count += 1


@asynccontextmanager
async def opened(
    folder: Path, telegram: FakeTelegram, **settings: Any
) -> AsyncIterator[tuple[App, Taken]]:  # Any: JSON
    """The receiver, polling, with these settings of ``telegram``."""
    base = {"token": telegram.token, "apiUrl": telegram.url, "ownerId": OWNER}
    folders = make_folders(folder, {**NO_RAG, "telegram": base | settings})
    parts = await open_parts(folders, load_live_settings(folders), embedder=WordEmbedder())
    taken = Taken()
    channel = open_telegram(parts, taken)
    parts.add_channel(channel)
    polling = asyncio.create_task(channel.receive())
    try:
        yield parts, taken
    finally:
        channel.stop()
        await asyncio.wait_for(polling, 60)
        await channel.close()
        await parts.close()


@pytest.mark.parametrize(("strangers", "answers"), [("silent", 0), ("answer", 1)])
async def test_strangers_get_what_the_operator_wants(
    tmp_path: Path, telegram: FakeTelegram, strangers: str, answers: int
) -> None:
    """``telegram.strangers``: nothing, or one short refusal; they are not let in either way."""
    async with opened(tmp_path, telegram, strangers=strangers) as (_, taken):
        await telegram.says("hello", user=STRANGER)
        await telegram.says("hello", user=OWNER)
        await telegram.until(lambda: taken.count)
        await telegram.until(lambda: len(telegram.texts(STRANGER)) >= answers)

    assert len(telegram.texts(STRANGER)) == answers
    assert taken.count == 1


@pytest.mark.parametrize("streaming", [True, False])
async def test_streaming_can_be_switched_off(tmp_path: Path, telegram: FakeTelegram, *, streaming: bool) -> None:
    """``telegram.streaming`` false shows nothing before the answer is whole, and it comes as one message."""
    to = Address("telegram", 42, OWNER)
    async with opened(tmp_path, telegram, streaming=streaming) as (parts, _):
        messenger = parts.messengers["telegram"]
        draft = await messenger.draft(to)
        async with asyncio.timeout(60):
            while not await draft.update("My sister lives in") and streaming:  # noqa: ASYNC110 - the pace tells of no event
                await asyncio.sleep(0.05)  # what an earlier process has sent counts
        while_growing = dict(telegram.chats.previews)
        await messenger.send(to, "My sister lives in Porto.", draft_id=draft.message_id)

    assert while_growing == ({OWNER: "My sister lives in"} if streaming else {})
    assert telegram.texts(OWNER) == ["My sister lives in Porto."]


async def test_a_draft_begun_before_streaming_was_switched_off_is_finished(
    tmp_path: Path, telegram: FakeTelegram
) -> None:
    """The final text goes into it; no message is left half written."""
    to = Address("telegram", 42, OWNER)
    async with opened(tmp_path, telegram, streaming=False) as (parts, _):
        messenger = parts.messengers["telegram"]
        begun = await messenger.send(to, "My sister lives in")
        draft = await messenger.draft(to, begun)
        await draft.update("My sister li")
        await messenger.send(to, "My sister lives in Porto.", draft_id=draft.message_id)

    assert telegram.texts(OWNER) == ["My sister lives in Porto."]
