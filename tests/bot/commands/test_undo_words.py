"""Plain words take back what was done or told last, and offer to forget what was told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from harness.application import NO_RAG, run_console
from harness.samples import HeldClock
from tests.cases import each_row

NOW = datetime(2026, 11, 25, 14, 30, tzinfo=UTC)


async def _talk(folder: Path, *messages: str) -> list[str]:
    """Return what is answered to messages of a new chat, one a second."""
    clock, answers = HeldClock(NOW), []
    async with run_console(folder, NO_RAG, clock=clock) as chat:
        for message in messages:
            clock.at += timedelta(seconds=1)
            answers.append(await chat.say(message, at=clock.now()))
    return answers


@each_row("words", ["undo that", "Please take that back.", "mach das bitte rückgängig", "отмени это"])
async def test_what_was_told_last_is_offered(tmp_path: Path, words: str) -> None:
    """A change that was told is not an edit: it is shown, and the one before stays."""
    told = ("The baker comes on Tuesdays.", "No the baker comes on Fridays.", "My locker is number 58.")
    *_, offered = await _talk(tmp_path / words, *told, words)

    assert "My locker is number 58." in offered
    assert "baker" not in offered


async def test_a_correction_is_taken_back(tmp_path: Path) -> None:
    """It was the last thing that was done; "no the baker" corrects without a comma."""
    _, corrected, back, answer = await _talk(
        tmp_path,
        "The baker comes on Tuesdays.",
        "no the baker comes on Fridays",
        "undo that",
        "When does the baker come?",
    )

    assert "Before: “The baker comes on Tuesdays.”" in corrected
    assert "Before: “The baker comes on Fridays" in back
    assert "Tuesdays" in answer
    assert "Fridays" not in answer


async def test_what_was_forgotten_comes_back(tmp_path: Path) -> None:
    """As by /undo."""
    *_, answer = await _talk(
        tmp_path, "My sister Vera lives in Porto.", "/forget Porto", "undo that", "Where does my sister live?"
    )

    assert "Porto" in answer


async def test_questions_are_not_offered_beside_facts(tmp_path: Path) -> None:
    """They are where nothing else is left."""
    asked = "When was the oven fixed?"
    _, _, offered, _, again = await _talk(
        tmp_path, "The oven is broken again.", asked, "forget about the oven", "/forget 1", "forget about the oven"
    )

    assert "The oven is broken again." in offered
    assert asked not in offered
    assert asked in again
