"""/keep: only the asker's own word stores what was proposed, byte for byte."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.memory.items import Trust
from bot.messages import Author
from bot.ports.memory_store import Selector
from bot.ports.tickets import Asked, TicketKind
from tests.bot.commands.chat import ANNA, BOB, Chat

TEXT = "Line one  with   spaces\nand <b>a second</b> line"


async def propose(chat: Chat, trust: Trust, *, group: bool = False) -> str:
    """Return the command that agrees to what Anna was asked."""
    asked, content = Asked(chat.scope(group=group), chat.place(group=group), ANNA.id), (TEXT, str(int(trust)))
    return f"/keep {await chat.tickets.issue(TicketKind.PROPOSAL, asked, content, chat.clock.at, 86_400)}"


async def stored(chat: Chat, author: Author = ANNA, *, group: bool = False) -> list[tuple[str, Trust]]:
    page = await chat.items.page(chat.scope(author, group=group), Selector.ALL)
    return [(item.content, item.provenance.trust) for item in page.items]


async def test_what_was_shown_is_stored_once(chat: Chat) -> None:
    """Every byte of it, as somebody else's word; pressed again the button does nothing."""
    command = await propose(chat, Trust.FILE)
    told = await chat.ask(command)
    again = await chat.ask(command)

    assert await stored(chat) == [(TEXT, Trust.FILE)]
    assert TEXT in told
    assert "not open any more" in again


@pytest.mark.parametrize("who", ["bob in the group", "anna elsewhere", "a guess"])
async def test_nobody_else_and_nowhere_else(chat: Chat, who: str) -> None:
    """A button in a group is pressed by anybody; it is Anna's word that counts, for the memory she was asked about.

    With the author left out of the comparison this test fails, and so it does with the scope left out.
    """
    command = await propose(chat, Trust.FILE, group=True)
    if who == "bob in the group":
        await chat.ask(command, BOB, group=True)
    elif who == "anna elsewhere":
        await chat.ask(command)
    else:
        await chat.ask("/keep guess", group=True)
    before = await stored(chat, group=True)
    await chat.ask(command, group=True)

    assert before == []
    assert await stored(chat) == []
    assert await stored(chat, group=True) == [(TEXT, Trust.FILE)]


async def test_memory_that_is_off_keeps_nothing(chat: Chat) -> None:
    """The switch holds for buttons, too."""
    command = await propose(chat, Trust.USER)
    chat.remembering = False
    await chat.ask(command)

    assert await stored(chat) == []


async def test_open_questions_are_bounded(chat: Chat) -> None:
    """The oldest is closed when a hundred more were asked."""
    first = await propose(chat, Trust.USER)
    for _ in range(100):
        chat.clock.at += timedelta(seconds=1)
        await propose(chat, Trust.USER)

    assert "not open any more" in await chat.ask(first)
