"""What was told at a time is listed by that time, whatever words it holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from harness.application import NO_RAG, ConsoleChat, run_console
from harness.samples import HeldClock
from tests.cases import each_row

NOW = datetime(2026, 11, 25, 14, 30, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Wednesday."""


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[ConsoleChat]:
    """A chat in which something was told last week, yesterday and today."""
    clock = HeldClock(NOW - timedelta(days=9))
    async with run_console(tmp_path, {**NO_RAG, "timeZone": "Europe/Berlin"}, clock=clock) as running:
        await running.say("My sister Vera lives in Lisbon.", at=clock.now())
        clock.at = NOW - timedelta(days=1)
        await running.say("I had my bike repaired today.", at=clock.now())
        await running.say("What is my shoe size?", at=clock.now())
        clock.at = NOW - timedelta(hours=2)
        await running.say("My dentist is Dr. Okafor.", at=clock.now())
        await running.say("What's 17 x 23?", at=clock.now())
        clock.at = NOW
        yield running


@each_row(
    ("question", "told"),
    [
        ("What did I tell you today?", "Your dentist is Dr. Okafor. (You told me today.)"),
        ("waht did i say yesterday", "You told me yesterday: “I had my bike repaired today.”"),
        ("What did I tell you last week?", "Your sister Vera lives in Lisbon. (You told me on 16 November.)"),
        ("what did I tell you on 16 November?", "Your sister Vera lives in Lisbon. (You told me on 16 November.)"),
        ("What did I tell you 9 days ago?", "Your sister Vera lives in Lisbon. (You told me on 16 November.)"),
        ("What was the last thing I told you?", "Your dentist is Dr. Okafor. (You told me today.)"),
        ("What did I tell you in October 2026?", "Nothing: you told me nothing then."),
        ("What did I tell you on Monday?", "Nothing: you told me nothing then."),
        (
            "What have I told you this week?",
            "You told me:\n• “I had my bike repaired today.” (yesterday)\n• Your dentist is Dr. Okafor. (today)",
        ),
    ],
)
async def test_what_was_told_then_is_listed(chat: ConsoleChat, question: str, told: str) -> None:
    """Statements of the asker's, no questions and no sums; the sentence that holds "today" only on its day."""
    answer = await chat.say(question, at=NOW)

    assert answer.partition("\n\n")[0] == told


@each_row(
    ("question", "told"),
    [
        ("Was habe ich dir heute erzählt?", "Dr. Okafor"),
        ("Was habe ich gestern gesagt?", "bike"),
        ("Was habe ich dir zuletzt erzählt?", "Dr. Okafor"),
        ("Что я тебе сегодня рассказал?", "Dr. Okafor"),
        ("Что я говорил вчера?", "bike"),
        ("Что я рассказывал тебе на прошлой неделе?", "Vera"),
    ],
)
async def test_and_in_other_languages(chat: ConsoleChat, question: str, told: str) -> None:
    """One sentence each."""
    answer = (await chat.say(question, at=NOW)).partition("\n\n")[0]

    assert told in answer
    assert "\n" not in answer


async def test_a_month_is_told_by_its_name(chat: ConsoleChat) -> None:
    """Seen to fail: nothing was told in it."""
    for asked in ("What did I tell you in November 2026?", "Was habe ich dir im November 2026 erzählt?"):
        answer = await chat.say(asked, at=NOW)

        assert ["Lisbon" in answer, "bike" in answer, "Okafor" in answer] == [True, True, True]


async def test_a_question_about_something_is_left_to_memory(chat: ConsoleChat) -> None:
    """It names what it is about, which a search finds."""
    assert "Lisbon" in await chat.say("What did I tell you about Vera?", at=NOW)


async def test_why_names_the_time(chat: ConsoleChat) -> None:
    """What is listed stands in the trace as any memory does."""
    await chat.say("What did I tell you today?", at=NOW)

    assert "Okafor" in await chat.say("/why", at=NOW)
