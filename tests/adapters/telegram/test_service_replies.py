"""Service replies keep the limits that the answers keep."""

from __future__ import annotations

import asyncio

from adapters.telegram.intake import ServiceReplies
from adapters.telegram.messenger import TelegramMessenger
from adapters.telegram.rate_limit import RateLimit, SendLimits
from adapters.telegram.requests import ApiCalls
from adapters.telegram.session import open_bot
from bot.messages import Address
from harness.fakes.telegram import FakeTelegram
from language.registry import choose_texts
from tests.adapters.telegram.fakes import ANNA, StaticChats, WallClock, server_of


async def test_many_presses_of_old_buttons_bring_no_limit_upon_an_answer(telegram: FakeTelegram) -> None:
    """Forty presses at once: every limit holds, the answer between them arrives, and one message lost its buttons.

    Red when courtesies left without the rate_limit: dozens of 429, one of them for the answer.
    """
    telegram.chats.meet(ANNA)
    bot, clock = open_bot(telegram.token, server_of(telegram)), WallClock()
    rate_limit, words = RateLimit(clock, SendLimits()), choose_texts("en").service
    service_replies = ServiceReplies(
        ApiCalls(bot, rate_limit), clock, lambda _language: words, to_strangers=lambda: True
    )
    messenger = TelegramMessenger(bot, clock=clock, chats=StaticChats(), rate_limit=rate_limit)
    to = Address("telegram", 42, ANNA)
    await messenger.reserve(to)
    old = await messenger.send(to, "old", buttons=(("Yes", "yes"),))
    for press in range(40):
        telegram.methods.queries.add(str(press))
        service_replies.answer_button(str(press), "", "en")
        service_replies.remove_buttons(to, old)
    await messenger.reserve(to)
    await messenger.send(to, "answer")
    await telegram.until(lambda: telegram.chats.of(ANNA)[0].keyboard is None)
    await asyncio.sleep(0)
    await service_replies.close()
    await messenger.close()
    await bot.session.close()

    assert telegram.floods.refused == 0
    assert telegram.texts(ANNA) == ["old", "answer"]
    assert [method for method, _ in telegram.calls].count("editMessageReplyMarkup") == 1
