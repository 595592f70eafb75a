"""Recovery of deliveries: replies when their chats go on, over real storage and a real Bot API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.sqlite.conversations.deliveries import SqliteDeliveries
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.tickets import SqliteTickets
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.rate_limit import RateLimit, SendLimits
from adapters.telegram.session import open_bot
from bot.core.delivery import Ending
from bot.errors import LeaseLost
from bot.messages import Address
from bot.ports.messenger import Delivery, DeliveryOutcome, Fate, OfferWords
from bot.runtime import sharing as module
from bot.runtime.sharing import Aftercare
from harness.fakes.telegram import FakeTelegram, Fault
from harness.processes import until
from harness.samples import exchange, message, turn
from tests.adapters.telegram.fakes import StaticChats, WallClock, server_of

ANNA = Address("telegram", 42, 7)


@dataclass
class Ground:
    """Everything around the one who takes care."""

    telegram: FakeTelegram
    deliveries: SqliteDeliveries
    turns: SqliteTurns
    buttons: SqliteTickets
    care: Aftercare

    async def lose(self, text: str = "Vera lives in Porto.") -> Delivery:
        """A reply of unknown fate, which the chat does not show."""
        (lost,) = (await self.turns.commit(turn(exchange("a1", "hi"), parts=(text,), address=ANNA))).deliveries
        await self.deliveries.begin_attempt(lost)
        await self.deliveries.finish(lost, DeliveryOutcome(Fate.UNKNOWN, reason="HTTP 502"))
        return Delivery(lost, ANNA, text)

    async def until(self, *texts: str) -> None:
        """Wait until the chat shows this."""
        await self.telegram.until(lambda: self.telegram.texts(7) == list(texts))


@asynccontextmanager
async def ground(folder: Path) -> AsyncIterator[Ground]:
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    async with FakeTelegram() as telegram:
        telegram.chats.meet(7)
        bot = open_bot(telegram.token, server_of(telegram))
        limit = RateLimit(WallClock(), SendLimits(chat_s=0.0, overall=10_000))
        messenger = TelegramMessenger(bot, clock=WallClock(), chats=StaticChats(), rate_limit=limit)
        deliveries = SqliteDeliveries(database)
        words = OfferWords(lambda count: "It may not have arrived." if count == 1 else f"Missing: {count}", "Show")
        care = Aftercare(deliveries, deliveries, {"telegram": messenger}, lambda _, __: words)
        try:
            yield Ground(telegram, deliveries, SqliteTurns(database), SqliteTickets(database), care)
        finally:
            await care.close()
            await messenger.close()
            await bot.session.close()
            await database.close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pauses pass quickly."""
    monkeypatch.setattr(module, "_PAUSES_S", (0.01,))


async def test_a_lost_answer_is_offered_once_its_chat_can_be_reached(tmp_path: Path) -> None:
    """While Telegram fails nothing is sent; then one offer, with the button that shows the answer.

    Red while nothing followed an unknown outcome but a line in the log.
    """
    async with ground(tmp_path) as here:
        here.telegram.fail("sendChatAction", Fault.FAILED, times=5)
        lost = await here.lose()
        here.care(lost, Ending.DOUBTFUL)
        here.care(lost, Ending.DOUBTFUL)
        await here.until("It may not have arrived.")
        calls = [method for method, _ in here.telegram.calls]
        await asyncio.sleep(0.1)
        keyboard = here.telegram.chats.of(7)[0].keyboard
        assert keyboard is not None
        press = message(keyboard["inline_keyboard"][0][0]["callback_data"], 5, address=ANNA)

        assert calls == [*(6 * ["sendChatAction"]), "sendMessage"]
        pressed = await here.buttons.press(press, datetime.now(UTC))
        assert pressed == replace(press, text=f"/again {lost.id}")
        assert here.telegram.texts(7) == ["It may not have arrived."]


async def test_a_worker_that_lost_a_chat_leaves_its_offer_to_whoever_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told before it asks whether the chat can be reached.

    Red while that broke the task: the log told of an exception that nobody had retrieved, and nobody took the chat up.
    """
    failed: list[Address] = []

    async def lose_lease(_messenger: TelegramMessenger, _to: Address) -> bool:
        raise LeaseLost("others have its chats now")

    monkeypatch.setattr(TelegramMessenger, "can_reach", lose_lease)
    async with ground(tmp_path) as here:
        here.care.failed = failed.append
        here.care(await here.lose(), Ending.DOUBTFUL)
        await until(lambda: failed == [ANNA])


async def test_a_chat_left_in_doubt_is_offered_its_answer_after_a_restart(tmp_path: Path) -> None:
    """The next process finds it in the store."""
    async with ground(tmp_path) as here:
        await here.lose()
        await here.care.begin()
        await here.until("It may not have arrived.")


async def test_an_offer_of_unknown_fate_is_made_again_and_not_for_ever(tmp_path: Path) -> None:
    """Three at most, whatever becomes of them."""
    async with ground(tmp_path) as here:
        here.telegram.fail("sendMessage", Fault.FAILED, times=10)
        here.care(await here.lose(), Ending.DOUBTFUL)
        calls = here.telegram.calls
        await here.telegram.until(lambda: sum(method == "sendMessage" for method, _ in calls) == 3)
        await asyncio.sleep(0.2)

        assert sum(method == "sendMessage" for method, _ in calls) == 3


async def test_a_chat_that_refuses_us_is_not_asked_for_ever(tmp_path: Path) -> None:
    """Blocked by its user it gets no offer, and nobody goes on asking."""
    async with ground(tmp_path) as here:
        lost = await here.lose()
        here.telegram.chats.blocked.add(7)
        here.care(lost, Ending.DOUBTFUL)
        await here.telegram.until(lambda: any(method == "sendMessage" for method, _ in here.telegram.calls))
        await asyncio.sleep(0.1)
        asked = len(here.telegram.calls)
        await asyncio.sleep(0.1)

        assert len(here.telegram.calls) == asked == 2


async def test_an_edit_is_repeated_until_it_is_certain(tmp_path: Path) -> None:
    """However long Telegram fails; a restart would find it planned."""
    async with ground(tmp_path) as here:
        message = await here.telegram.methods.call("sendMessage", {"chat_id": 7, "text": "Vera li"})
        record = turn(
            exchange("a1", "hi"), parts=("Vera lives in Porto.",), address=ANNA, draft_id=message["message_id"]
        )
        (planned,) = (await here.turns.commit(record)).deliveries
        here.telegram.fail("editMessageText", Fault.FAILED, times=1)
        here.care(Delivery(planned, ANNA, "Vera lives in Porto.", draft_id=message["message_id"]), Ending.LATER)
        await here.until("Vera lives in Porto.")
        await here.telegram.until(lambda: not here.care._tasks)

        assert await here.deliveries.list_unsent() == ()


async def test_a_gone_message_is_offered_instead(tmp_path: Path) -> None:
    """Its answer is nowhere, and sent anew it would stand below later ones."""
    async with ground(tmp_path) as here:
        record = turn(exchange("a1", "hi"), parts=("Vera lives in Porto.",), address=ANNA, draft_id=99)
        (planned,) = (await here.turns.commit(record)).deliveries
        here.care(Delivery(planned, ANNA, "Vera lives in Porto.", draft_id=99), Ending.LATER)
        await here.until("It may not have arrived.")
