"""Edited messages: a question is answered again where its answer stands, a statement changes memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.application import ANNA, run_on_telegram
from harness.fakes.telegram import FakeTelegram


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """A fake that Anna has met."""
    async with FakeTelegram() as fake:
        fake.chats.meet(ANNA)
        yield fake


async def test_an_edited_question_is_answered_in_place(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The old answer becomes the new one, and no other message is sent."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.")
        await talk.ask("My brother Max lives in Oslo.")
        first = await talk.ask("Where does my sister live?", message_id=901)
        shown = len(telegram.texts(ANNA))
        await telegram.edits("Where does my brother live?", user=ANNA, message_id=901)
        await telegram.until(lambda: "Oslo" in telegram.texts(ANNA)[-1], seconds=30)
        await talk.taken()

    assert "Porto" in first
    assert len(telegram.texts(ANNA)) == shown
    assert not any("noted the change" in text for text in telegram.texts(ANNA))


async def test_an_edited_statement_changes_memory(tmp_path: Path, telegram: FakeTelegram) -> None:
    """It is said, and what is asked afterwards knows it."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.", message_id=901)
        before = len(telegram.texts(ANNA))
        await telegram.edits("My sister Vera lives in Lisbon.", user=ANNA, message_id=901)
        noted = await talk.next(ANNA, before)
        answer = await talk.ask("Where does my sister live?")

    assert "noted the change" in noted
    assert "Lisbon" in answer
    assert "Porto" not in answer


async def test_a_statement_edited_into_a_question_is_answered(tmp_path: Path, telegram: FakeTelegram) -> None:
    """What it said before is forgotten."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My brother Max lives in Oslo.")
        await talk.ask("My sister lives in Porto.", message_id=901)
        await telegram.edits("Where does my brother live?", user=ANNA, message_id=901)
        await telegram.until(lambda: any("You told me" in text for text in telegram.texts(ANNA)), seconds=30)
        answer = await talk.ask("Where does my sister live?")

    assert "Porto" not in answer


async def test_four_quick_edits_are_one(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The chat is told once, memory holds the last version, and nothing is left in the journal."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.", message_id=901)
        before = len(telegram.texts(ANNA))
        for town in ("Lisbon", "Faro", "Braga", "Evora"):
            await telegram.edits(f"My sister Vera lives in {town}.", user=ANNA, message_id=901)
        noted = await talk.next(ANNA, before)
        answer = await talk.ask("Where does my sister live?")
        pending = await talk.app.parts.journal.pending()

    assert "noted the change" in noted
    assert sum("noted the change" in text for text in telegram.texts(ANNA)) == 1
    assert "Evora" in answer
    assert pending == ()
