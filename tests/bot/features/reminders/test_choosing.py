"""Words choose among the times that are offered, and what orders an alarm moves no reminder that is set."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from harness.reminding import reminded
from tests.cases import each_row

pytestmark = pytest.mark.usefixtures("noon")

MONDAY = datetime(2026, 11, 23, 14, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("order", "answer", "hour"),
    [
        ("remind me next Tuesday at 7 of the gate", "1", "07:00"),
        ("remind me next Tuesday at 7 of the gate", "the second one", "19:00"),
        ("erinner mich nächsten Dienstag um 7 an das Tor", "die erste", "07:00"),
        ("erinner mich nächsten Dienstag um 7 an das Tor", "2", "19:00"),
        ("напомни в следующий вторник в 7 про ворота", "первое", "07:00"),
    ],
)
async def test_a_place_chooses_the_time(tmp_path: Path, order: str, answer: str, hour: str) -> None:
    """The place of a time that is offered sets the reminder for it."""
    async with reminded(tmp_path, MONDAY, timeZone="Europe/Berlin") as chat:
        await chat.say(order)
        await chat.say(answer)
        shown = await chat.say("/reminders")

    assert hour in shown


@each_row("answer", ("nee doch nicht", "no, never mind", "нет, не надо", "nein lass"))
async def test_a_no_asks_no_more(tmp_path: Path, answer: str) -> None:
    """A time that is said later sets nothing of what was dropped."""
    async with reminded(tmp_path / answer, MONDAY, timeZone="Europe/Berlin") as chat:
        await chat.say("remind me next Tuesday at 7 of the gate")
        await chat.say(answer)
        await chat.say("at 8 pm")
        shown = await chat.say("/reminders")

    assert "gate" not in shown


async def test_a_number_moves_nothing(tmp_path: Path) -> None:
    """A number alone behind a reminder that is set says no time."""
    async with reminded(tmp_path, MONDAY, timeZone="Europe/Berlin") as chat:
        await chat.say("remind me tomorrow at 11 am to call Oma")
        moved = await chat.say("1")
        shown = await chat.say("/reminders")

    assert "11:00" not in moved
    assert "01:00" not in moved
    assert "11:00" in shown


@pytest.mark.parametrize(
    ("order", "hour"),
    [
        ("wake me next Monday at 6:10 am", "06:10"),
        ("set an alarm for 6:10 am", "06:10"),
        ("weck mich übermorgen 6:10", "06:10"),
        ("weck uns am Samstag um 6:10 Uhr früh", "06:10"),
        ("stell wecker auf 6:10 früh", "06:10"),
        ("разбуди меня завтра в 6:10 утра", "06:10"),
        ("поставь будильник на 6:10 утра", "06:10"),
    ],
)
async def test_an_alarm_moves_no_other(tmp_path: Path, order: str, hour: str) -> None:
    """It is set beside what is set."""
    async with reminded(tmp_path, MONDAY, timeZone="Europe/Berlin") as chat:
        await chat.say("remind me tomorrow at 9:20 am to stir the paint")
        await chat.say("wake me tomorrow at 5:30 am")
        await chat.say(order)
        shown = await chat.say("/reminders")

    assert all(each in shown for each in ("09:20", "05:30", hour))


@pytest.mark.parametrize(
    ("order", "answer", "left"),
    [
        ("cancel the call reminder", "1", ("Tom",)),
        ("cancel the call reminder", "the second one", ("Vera",)),
        ("streich alle erinnerungen", "ja", ()),
        ("cancel all reminders", "yes please", ()),
        ("отмени все напоминания", "да", ()),
        ("cancel all reminders", "no thanks", ("Tom", "Vera")),
        ("cancel the call reminder", "yes", ("Tom", "Vera")),
    ],
)
async def test_words_choose_what_is_cancelled(tmp_path: Path, order: str, answer: str, left: tuple[str, ...]) -> None:
    """What they name of the reminders that are offered goes, and nothing where they name none."""
    async with reminded(tmp_path, MONDAY, timeZone="Europe/Berlin") as chat:
        for name in ("Vera", "Tom"):
            await chat.say(f"remind me on Friday at 10 am to call {name}")
        await chat.say(order)
        await chat.say(answer)
        shown = await chat.say("/reminders")

    assert tuple(name for name in ("Tom", "Vera") if f"call {name}" in shown.partition("Say for")[0]) == left
