"""/page: a link for whoever runs the bot, in their own chat alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx

from bot.features.page.register import serve_page
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, ChatKind
from harness.application import NO_RAG, ConsoleChat, console_message, run_console
from harness.samples import exchange, turn


async def ask(chat: ConsoleChat, number: int, kind: ChatKind = ChatKind.DIRECT, trust: Trust = Trust.OWNER) -> str:
    """The answer to /page."""
    message = console_message("/page", number, kind=kind)
    await chat.app.accept(replace(message, author=replace(message.author, trust=trust)))
    await chat.app.answered()
    return chat.messenger.answers[-1]


async def test_the_owner_gets_a_link_to_this_chats_memory(tmp_path: Path) -> None:
    """No other chat's, though the terminal command shows all; another user, and a group, get none."""
    async with run_console(tmp_path, NO_RAG) as chat:
        await chat.say("My sister Vera lives in Porto.")
        other = Scope("tu7")
        said = exchange("e7", "The secret of Boris", scope=other)
        await chat.app.parts.turns.commit(turn(said, scope=other, address=Address("telegram", 1, 7)))
        off = await ask(chat, 10)
        async with serve_page(chat.app.parts):
            answer = await ask(chat, 11)
            stranger = await ask(chat, 12, trust=Trust.USER)
            group = await ask(chat, 13, kind=ChatKind.GROUP)
            link = answer.rpartition(" ")[2]
            async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as http:
                await http.get(link)
                base = link.split("/open/")[0]
                own, foreign = await http.get(f"{base}/m/cu42/timeline"), await http.get(f"{base}/m/tu7/timeline")

    assert "switched off" in off
    assert "http" not in stranger
    assert "http" not in group
    assert "Vera" in own.text
    assert foreign.status_code == 404
