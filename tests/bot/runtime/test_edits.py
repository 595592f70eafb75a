"""Edited messages: a question is answered again where its answer stands, a statement changes memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.embedding.e5 import E5Embedder
from harness.application import ANNA, NO_RAG, run_console, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram

pytestmark = pytest.mark.usefixtures("noon")


async def test_an_edited_question_is_answered_in_place(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The old answer becomes the new one, and no other message is sent."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.")
        await talk.ask("My brother Max lives in Oslo.")
        first = await talk.ask("Where does my sister live?", message_id=901)
        shown = len(telegram.texts(ANNA))
        await telegram.edits("Where does my brother live?", user=ANNA, message_id=901)
        await telegram.until(lambda: "Oslo" in telegram.texts(ANNA)[-1])
        await talk.taken()

    assert "Porto" in first
    assert len(telegram.texts(ANNA)) == shown
    assert not any("noted the change" in text for text in telegram.texts(ANNA))


async def test_an_edit_is_acknowledged_as_what_it_is(tmp_path: Path, telegram: FakeTelegram) -> None:
    """That a secret was left out is said, and where memory is off that nothing is kept; the old words are gone."""
    told = []
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.", message_id=901)
        for text in (
            "My sister's key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD.",
            "My sister lives in Cork.",
        ):
            await telegram.edits(text, user=ANNA, message_id=901)
            await talk.taken()
            told.append(telegram.texts(ANNA)[-1])
            await talk.ask("/settings memory off")
        await talk.ask("/settings memory on")
        listed = await talk.ask("/memory sister")

    assert "noted the change" in told[0]
    assert "left the secret out" in told[0]
    assert "keep nothing" in told[1]
    assert not any(word in listed for word in ("Porto", "key", "Cork"))


async def test_with_a_model_every_edit_of_the_newest_message_is_answered_in_place(
    tmp_path: Path, telegram: FakeTelegram
) -> None:
    """Whatever its form, and as if the message had never said anything else; an older statement changes memory."""
    said = ("My sister Vera lives in Lisbon.", "Thank you", "Привет!", "Und jetzt auf Deutsch, bitte")
    async with FakeOpenAi(default=lambda body: Says(f"Answer {len(server.requests)}.")) as server:
        model = {"llm": {"url": server.url, "model": "gpt-4o"}}
        async with run_on_telegram(tmp_path, telegram, others=model) as talk:
            await talk.ask("The dog is called Bello.", message_id=900)
            first = await talk.ask("My sister Vera lives in Porto.", message_id=901)
            shown = len(telegram.texts(ANNA))
            for text in said:
                before, asked = telegram.texts(ANNA)[-1], len(server.requests)
                await telegram.edits(text, user=ANNA, message_id=901)
                await telegram.until(lambda: telegram.texts(ANNA)[-1] != before)  # noqa: B023 - at once
                await talk.taken()

                assert len(telegram.texts(ANNA)) == shown
                bodies = ([each["content"] for each in body["messages"]] for body in server.requests[asked:])
                told = next(each for each in bodies if text in each[-1])
                assert not any("Porto" in each or first in each for each in told)
                assert any("Bello" in each for each in told)
            await telegram.edits("The dog is called Rex.", user=ANNA, message_id=900)
            noted = await talk.next(ANNA, shown)
            last = await talk.ask("So, what is it called?")

    assert "noted the change" in noted
    assert last.startswith("Answer")


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
        await telegram.until(lambda: any("(You told me" in text for text in telegram.texts(ANNA)))
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


async def test_an_older_edit_that_comes_later_changes_nothing(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A delivery that failed is repeated, and others have come before it then."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My sister Vera lives in Porto.", message_id=901)
        before = len(telegram.texts(ANNA))
        await telegram.edits("My sister Vera lives in Lisbon.", user=ANNA, message_id=901)
        await talk.next(ANNA, before)
        await telegram.edits("My sister Vera lives in Braga.", user=ANNA, message_id=901, ago_s=10)
        answer = await talk.ask("Where does my sister live?")

    assert "Lisbon" in answer
    assert "Braga" not in answer


async def test_the_numbers_of_a_listing_are_those_to_type(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Newest first: as a list of Markdown they would be counted from the first on, and /remind cancel hit another."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        for hour in (8, 9, 10):
            await talk.ask(f"/remind in two days at {hour} thing {hour}")
        await talk.ask("/remind cancel 2")
        listed = await talk.ask("/reminders")

    assert [line.partition(".")[0] for line in listed.splitlines() if "thing" in line] == ["1", "3"]
    assert "3. " in next(line for line in listed.splitlines() if "thing 10" in line)


async def test_a_memory_put_right_stays_about_whom_it_was(tmp_path: Path, model_dir: Path) -> None:
    """She is whom the former words meant, though others were spoken of since; /why tells both messages."""
    embedder = E5Embedder(model_dir, niceness=0)
    embedder.load()
    async with run_console(tmp_path, NO_RAG, embedder=embedder) as talk:
        for told in ("My sister Vera lives in Porto.", "Her birthday is 4 May"):
            await talk.say(told)
        for told in ("My brother Karl lives in Graz.", "He works at the brewery"):
            await talk.say(told)
        for day in ("5 May", "6 May"):
            await talk.say(f"/memory edit 2 Her birthday is {day}")
        answer = await talk.say("When is Vera's birthday?")
        why = await talk.say("/why")
        receipt = await talk.say("/forget 2")
    embedder.close()

    assert ["6 May" in answer, "brewery" in answer] == [True, False]
    assert ["Vera lives in Porto" in why, "6 May" in why] == [True, True]
    assert "Memories removed: 1" in receipt
    assert "gone, too" not in receipt
