"""A place in what was shown last is forgotten, and nothing where that is not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.application import NO_RAG, run_console, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from tests.cases import each_row

ANNA, EVE, ROOM = 7, 8, -100
SECOND = ("My second one hangs in the shed.", "Mein zweites hängt im Schuppen.", "Моё второе висит в сарае.")
BOATS = ("My boat is called Marlin.", "My boat has a red sail.")
ORDERS = ("forget the second one", "delete the 2nd one", "vergiss das zweite", "забудь второе")


@each_row("order", ORDERS)
async def test_the_second_of_what_was_shown_goes(tmp_path: Path, order: str) -> None:
    """It is told word for word, and after a restart, when nobody knows what was shown, nothing goes.

    Red before: the memory that has the word "second" was what it named.
    """
    async with run_console(tmp_path / order, NO_RAG) as chat:
        for said in (*SECOND, *BOATS):
            await chat.say(said)
        shown = await chat.say("forget the boat")
    async with run_console(tmp_path / order, NO_RAG) as chat:
        chat.continue_numbers()
        lost = await chat.say(order)
        again = await chat.say("forget the boat")
        done = await chat.say(order)

    second = next(said for said in BOATS if f"2. “{said}" in again)
    assert shown == again
    assert not any(said in lost for said in (*SECOND, *BOATS))
    assert "60" not in lost
    assert done.startswith(f"“{second}”")
    assert "60" in done, "what can be brought back for so many seconds is gone"


async def test_what_another_was_shown_is_not_meant(tmp_path: Path) -> None:
    """In a group the list that somebody else has asked for decides nothing of what Anna forgets."""
    settings: dict[str, Any] = {"allowedUsers": [ANNA, EVE], "allowedChats": [ROOM]}
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ROOM)
        async with run_on_telegram(tmp_path, telegram, **settings) as talk:
            for said in BOATS:
                await talk.ask(f"@mneme_bot {said}", user=ANNA, chat=ROOM)
            await talk.ask("@mneme_bot forget the boat", user=EVE, chat=ROOM)
            done = await talk.ask("@mneme_bot forget the first one", user=ANNA, chat=ROOM)

    assert "Forgotten" not in done
