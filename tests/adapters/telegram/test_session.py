"""What an error on the way says, and what it keeps to itself."""

from __future__ import annotations

import traceback

import pytest
from aiogram.client.telegram import TelegramAPIServer

from adapters.telegram.session import Unanswered, Unsent, open_bot
from tests.adapters.telegram.stand_ins import server_of
from tests.fakes.telegram import FakeTelegram, Fault

TOKEN = "42:SECRET-part-of-the-token"


@pytest.mark.parametrize(
    "base", ["http://127.0.0.1:1", "http://no-such-host.invalid", "http://[bad", "https://127.0.0.1:1"]
)
async def test_no_connection_is_unsent_and_shows_no_token(base: str) -> None:
    """Refused, unknown and malformed addresses: nothing left, and no traceback holds the token.

    Mutation checked: raised from aiohttp's own error, the malformed address prints it.
    """
    bot = open_bot(TOKEN, TelegramAPIServer.from_base(base))
    with pytest.raises(Unsent) as caught:
        await bot.get_me()
    await bot.session.close()

    assert "SECRET" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.DROPPED_AFTER, Fault.GARBAGE, Fault.HANGS])
async def test_a_lost_answer_is_unanswered(telegram: FakeTelegram, fault: Fault) -> None:
    """After the request left, nothing but an answer of the Bot API settles what happened."""
    telegram.fail("getMe", fault, seconds=5.0)
    bot = open_bot(telegram.token, server_of(telegram))
    with pytest.raises(Unanswered) as caught:
        await bot.get_me(request_timeout=1)
    await bot.session.close()

    assert telegram.token.split(":")[1] not in "".join(traceback.format_exception(caught.value))
