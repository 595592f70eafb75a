"""What /status says of the cost of a chat."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from adapters.sqlite.conversations.usage import SqliteUsage
from bot.commands.status import StatusLines
from bot.features.costs.register import list_spent
from bot.ports.usage import PriceList
from bot.turn import Usage, UsageKind
from tests.bot.commands.chat import OWNER, Chat


async def test_status_tells_what_this_chat_costs(tmp_path: Path) -> None:
    """Tokens as the servers count them, today and in all, for whoever asks; nothing of other chats."""
    chat = Chat(tmp_path)
    await chat.database.open()
    usage = SqliteUsage(chat.database, chat.clock.now)
    chat.lines.append(StatusLines("tokens", lambda call, texts: list_spent(usage, PriceList(), call, texts)))
    chat.model = "llama-3.1"
    await chat.say("My sister Vera lives in Porto.")
    scope = chat.scope()
    usage.note(scope, UsageKind.ANSWER, "llama-3.1", Usage(9000, 400, 1, 6000))
    await chat.say("She has two cats.")
    chat.clock.at += timedelta(days=1)
    usage.note(scope, UsageKind.ANSWER, "llama-3.1", Usage(1000, 80, 1))
    usage.note(scope, UsageKind.SUMMARY, "llama-3.1", Usage(100, 20, 1))
    await chat.say("And a dog.")

    told = (await chat.ask("/status")).replace("\N{NARROW NO-BREAK SPACE}", " ")

    assert "llama-3.1 (window 32 768 tokens, said by the server)" in told
    assert "today: 1 100 read, 100 written; 120 of them in the background (10 %)" in told
    assert "in all: 10 100 read (59 % of them from the server's cache), 500 written; 120 of them" in told
    assert "Tokens" not in await chat.ask("/status", OWNER, group=True)
    await chat.database.close()
