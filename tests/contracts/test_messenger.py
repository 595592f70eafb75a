"""The contract of :mod:`bot.ports.messenger`: one more parameter per platform."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import pytest
from rich.console import Console

from adapters.console.interactive import RichMessenger
from adapters.console.plain import PROMPT, PlainMessenger
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.rate_limit import RateLimit, SendLimits
from adapters.telegram.session import open_bot
from bot.messages import Address
from bot.ports.messenger import Messenger
from harness.fakes.telegram import FakeTelegram
from tests.adapters.telegram.fakes import StaticChats, WallClock, server_of

CONSOLE = Address("console", 0, 0)
LONG = "A sentence of **some** words. " * 600


@dataclass(frozen=True, slots=True)
class Place:
    """A messenger, an address it reaches, and what is shown there."""

    messenger: Messenger
    address: Address
    shown: Callable[[], list[str]]


@asynccontextmanager
async def telegram_place() -> AsyncIterator[Place]:
    """A direct chat on Telegram."""
    async with FakeTelegram() as telegram:
        telegram.chats.meet(7)
        telegram.floods.enforced = False
        bot = open_bot(telegram.token, server_of(telegram))
        limit = RateLimit(WallClock(), SendLimits(chat_s=0.0, overall=10_000))
        messenger = TelegramMessenger(
            bot, clock=WallClock(), chats=StaticChats(), rate_limit=limit, edit_interval_s=lambda: 0.0
        )
        yield Place(messenger, Address("telegram", 42, 7), lambda: telegram.texts(7))
        await messenger.close()
        await bot.session.close()


@asynccontextmanager
async def plain_place() -> AsyncIterator[Place]:
    """A terminal for scripts."""
    out = io.StringIO()
    yield Place(PlainMessenger(out), CONSOLE, lambda: [line[len(PROMPT) :] for line in out.getvalue().splitlines()])


@asynccontextmanager
async def rich_place() -> AsyncIterator[Place]:
    """A terminal for people."""
    out = io.StringIO()
    messenger = RichMessenger(Console(file=out, width=200))
    yield Place(messenger, CONSOLE, lambda: [line for line in out.getvalue().splitlines() if line != "mneme"])


@pytest.fixture(params=[telegram_place, plain_place, rich_place], ids=["telegram", "plain", "rich"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Each platform in turn."""
    platform: Callable[[], AbstractAsyncContextManager[Place]] = request.param
    async with platform() as one:
        yield one


async def test_a_sent_part_is_shown(place: Place) -> None:
    """What is sent can be read there, and has an id."""
    first = await place.messenger.send(place.address, "hello")
    second = await place.messenger.send(place.address, "world")

    assert "\n".join(place.shown()).split() == ["hello", "world"]
    assert first != second


@pytest.mark.parametrize("text", ["hello", "", " \n", LONG, "```\n" + "code\n" * 3000 + "```", "\ud83d\0"])
async def test_parts_are_never_empty_and_all_can_be_sent(place: Place, text: str) -> None:
    """Any text gives at least one part, and every part goes out."""
    parts = place.messenger.parts(text)
    for part in parts:
        await place.messenger.send(place.address, part)

    assert parts
    assert all(part.strip() for part in parts)


async def test_no_word_is_lost_between_parts(place: Place) -> None:
    """The parts together say what the text says."""
    words = " ".join(place.messenger.parts(LONG)).split()

    assert words == LONG.split()


async def test_a_draft_becomes_the_answer(place: Place) -> None:
    """Frames may be shown or not; in the end the final text stands there, once."""
    draft = await place.messenger.draft(place.address)
    for text in ("My", "My sister", "My sister lives"):
        await draft.update(text)
    await place.messenger.send(place.address, "My sister lives in Porto.", draft_id=draft.message_id)

    assert "\n".join(place.shown()).count("My sister lives in Porto.") == 1


async def test_an_unused_draft_leaves_nothing(place: Place) -> None:
    """A turn that never streams shows no placeholder."""
    await place.messenger.draft(place.address)
    await place.messenger.send(place.address, "answer")

    assert [text.strip() for text in place.shown() if text.strip()] == ["answer"]
