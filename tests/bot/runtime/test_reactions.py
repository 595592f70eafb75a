"""Reactions: a sign instead of a sentence where a sentence would only say that something was noted."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.application import ANNA, GROUP, run_on_telegram
from harness.fakes.telegram import FakeTelegram, Fault


@pytest.mark.parametrize("wanted", [True, False])
async def test_what_is_noted_is_signed(tmp_path: Path, wanted: bool) -> None:  # noqa: FBT001 - a column of a table
    """With the setting a reaction stands on the message and no message follows; a question is answered as ever."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram, reactions=wanted) as talk:
        await telegram.says("My sister Vera lives in Porto.", user=ANNA)
        await talk.taken()
        noted = list(telegram.texts(ANNA))
        answer = await talk.ask("Where does my sister Vera live?")

    assert bool(noted) is not wanted
    assert list(telegram.chats.reactions.values()) == (["✍"] if wanted else [])
    assert "Porto" in answer


@pytest.mark.parametrize("fault", [Fault.DROPPED, Fault.REFUSED, None])
async def test_a_chat_without_reactions_gets_the_sentence(tmp_path: Path, fault: Fault | None) -> None:
    """Forbidden there, or lost on the way: the reply was planned, and goes."""
    async with (
        FakeTelegram() as telegram,
        run_on_telegram(tmp_path, telegram, reactions=True, allowedChats=[GROUP]) as talk,
    ):
        telegram.chats.without_reactions.add(GROUP)
        if fault is not None:
            telegram.fail("setMessageReaction", fault)
        text = await talk.ask("@mneme_bot My sister Vera lives in Porto.", chat=GROUP)

    assert "Porto" in text
    assert telegram.chats.reactions == {}


async def test_reactions_of_others_are_none_of_our_business(tmp_path: Path) -> None:
    """They are not asked for; one that comes all the same, of whatever kind, harms nothing."""
    change = {
        "chat": {"id": ANNA, "type": "private"},
        "message_id": 2,
        "user": {"id": ANNA, "is_bot": False, "first_name": "Anna"},
        "date": 1,
        "old_reaction": [],
        "new_reaction": [{"type": "emoji", "emoji": "👎"}],
    }
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.")
        telegram.updates.allow(["message", "message_reaction", "message_reaction_count"])
        await telegram.push({"message_reaction": change})
        await telegram.push({"message_reaction": {"chat": None, "new_reaction": 7}})
        answer = await talk.ask("Where does my sister Vera live?")
        asked = next(params["allowed_updates"] for method, params in telegram.calls if method == "getUpdates")

    assert "Porto" in answer
    assert "message_reaction" not in asked
