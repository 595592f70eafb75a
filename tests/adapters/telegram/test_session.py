"""Errors of the HTTP session: they say whether a request can have arrived, and keep the token to themselves."""

from __future__ import annotations

import asyncio
import traceback

import pytest
from aiogram.client.telegram import TelegramAPIServer

from adapters.telegram.session import RequestNotSent, ResponseLost, open_bot
from harness.fakes.telegram import FakeTelegram, Fault
from tests.adapters.telegram.fakes import server_of
from tests.cases import each_row

TOKEN = "42:SECRET-part-of-the-token"


@each_row("base", ["http://127.0.0.1:1", "http://[bad", "https://127.0.0.1:1"])
async def test_no_connection_is_unsent_and_shows_no_token(base: str) -> None:
    """Refused and malformed addresses: nothing left, and no traceback holds the token.

    Mutation checked: raised from aiohttp's own error, the malformed address prints it.
    """
    bot = open_bot(TOKEN, TelegramAPIServer.from_base(base))
    with pytest.raises(RequestNotSent) as caught:
        await bot.get_me()
    await bot.session.close()

    assert "SECRET" not in "".join(traceback.format_exception(caught.value))


async def _hasty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes) -> None:
    """Answer, or only hang up, as soon as the head of a request is there."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(answer)
    await writer.drain()
    writer.transport.abort() if not answer else None
    await asyncio.sleep(0.5)
    writer.close()


@each_row("answer", [b"", b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"])
async def test_a_request_that_never_left_as_a_whole_is_unsent(answer: bytes) -> None:
    """A server that has not got the last byte has not acted on it: the message goes again, and never doubles.

    Red when every lost connection and every 5xx counted as unknown.
    """
    server = await asyncio.start_server(lambda r, w: _hasty(r, w, answer), "127.0.0.1", 0, limit=2**16)
    port = server.sockets[0].getsockname()[1]
    bot = open_bot(TOKEN, TelegramAPIServer.from_base(f"http://127.0.0.1:{port}"))
    with pytest.raises(RequestNotSent):
        await bot.send_message(7, "x" * 20_000_000)
    await bot.session.close()
    server.close()


async def test_a_proxy_that_refuses_is_unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tunnel that was not made carried nothing."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    proxy = await asyncio.start_server(refuse, "127.0.0.1", 0)
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    bot = open_bot(TOKEN, TelegramAPIServer.from_base("https://telegram.invalid"))
    with pytest.raises(RequestNotSent):
        await bot.get_me()
    await bot.session.close()
    proxy.close()


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.DROPPED_AFTER, Fault.GARBAGE, Fault.HANGS])
async def test_a_lost_answer_is_unanswered(telegram: FakeTelegram, fault: Fault) -> None:
    """After the request left, nothing but an answer of the Bot API settles what happened."""
    telegram.fail("getMe", fault, seconds=5.0)
    bot = open_bot(telegram.token, server_of(telegram))
    with pytest.raises(ResponseLost) as caught:
        await bot.get_me(request_timeout=1)
    await bot.session.close()

    assert telegram.token.split(":")[1] not in "".join(traceback.format_exception(caught.value))
