"""Reminders as people press them: the whole application behind a Telegram that keeps its rules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.features.reminders.clock import ReminderClock
from harness.application import ANNA
from harness.fakes.telegram import FakeTelegram
from harness.fakes.telegram.chats import Shown
from tests.bot.runtime.test_buttons import BOB, GROUP, Talk, data_of, labels_of, talking

pytestmark = pytest.mark.usefixtures("noon")


async def due(talk: Talk, chat: int = ANNA) -> Shown:
    """Let everything that is open be due now, and return the message that comes of it."""
    before = len(talk.telegram.texts(chat))
    now = datetime.now(UTC).timestamp()
    await talk.app.parts.housekeeping.database.write(
        lambda connection: connection.execute("UPDATE reminders SET due_at = ?1, wake_at = ?1", (now,)).rowcount
    )
    talk.app.parts.need(ReminderClock)._woken.set()
    await talk.telegram.until(lambda: len(talk.telegram.texts(chat)) > before)
    return talk.telegram.chats.of(chat)[-1]


async def test_a_time_that_means_two_is_chosen_by_a_button(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The press stores exactly the time on the button."""
    async with talking(tmp_path, telegram) as talk:
        asked = await talk.say("remind me tomorrow at 5 to leave")
        labels = labels_of(asked)
        await talk.press(asked, 1)
        told = talk.telegram.texts(ANNA)[-1]
        listed = await talk.say("/reminders")

    assert len(labels) == 2
    assert labels[0].endswith("05:00")
    assert labels[1].endswith("17:00")
    assert labels[1] in told
    assert "Reminders: 1" in listed.text


async def test_a_reminder_is_put_off_and_done_under_its_own_message(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Each press works once, and says in place what it did."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("remind me tomorrow at 9 to call Vera")
        said = await due(talk)
        text, labels = said.text, labels_of(said)
        await talk.choose(said, "10 min")
        put_off = talk.telegram.chats.of(ANNA)[-1].text
        again = await due(talk)
        token = data_of(again)[0]
        await talk.choose(again, "✓ Done")
        done = talk.telegram.chats.of(ANNA)[-1].text
        late = await talk.send(token, again)
        listed = await talk.say("/reminders")

    assert text == "⏰ call Vera"
    assert labels == ["✓ Done", "10 min", "1 h", "Tomorrow"]
    assert put_off.startswith("I will remind you again on ")
    assert done == "Done: call Vera"
    assert late == "This button has expired."
    assert "There are no reminders." in listed.text


async def test_in_a_group_only_who_asked_presses(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The message names them by a link to their number; another member's press changes nothing."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remind@mneme_bot every day at 9 standup", chat=GROUP)
        said = await due(talk, GROUP)
        text, entities = said.text, str(said.entities)
        bobs = await talk.choose(said, "✕ Cancel", user=BOB)
        await talk.choose(said, "✕ Cancel")
        listed = await talk.say("/reminders@mneme_bot", chat=GROUP)

    assert "standup" in text
    assert f"tg://user?id={ANNA}" in entities
    assert bobs == "Only the one who asked can press this."
    assert "There are no reminders." in listed.text


async def test_the_list_opens_one_and_cancels_it_in_place(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Seven reminders are two pages; a press leads to one of them, and from there to the end of it."""
    async with talking(tmp_path, telegram) as talk:
        for hour in range(10, 17):
            await talk.say(f"/remind tomorrow at {hour}:00 thing {hour}")
        listed = await talk.say("/reminders")
        shown = [listed.text]
        for label in ("›", "No. 7", "✕ Cancel"):
            await talk.choose(listed, label)
            shown.append(listed.text)
        left = await talk.say("/reminders")

    assert "Reminders: 7" in shown[0]
    assert "thing 16" in shown[1]
    assert "thing 16" in shown[2]
    assert shown[3] == "Cancelled: thing 16"
    assert "Reminders: 6" in left.text


async def test_a_reminder_comes_by_itself_at_its_second(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Nobody looks but the application itself."""
    async with talking(tmp_path, telegram) as talk:
        asked = datetime.now(UTC)
        told = await talk.say("remind me in 2 seconds to breathe")
        await talk.telegram.until(lambda: telegram.texts(ANNA)[-1] == "⏰ breathe")
        waited = datetime.now(UTC) - asked

    assert "breathe" in told.text
    assert waited > timedelta(seconds=0.5)
