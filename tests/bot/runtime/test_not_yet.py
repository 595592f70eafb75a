"""What nobody looked at is said so, and what is promised is set: attachments and reminders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.application import ANNA, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram

pytestmark = pytest.mark.usefixtures("noon")

VIDEO = {"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1, "duration": 1}


def served_by(model: FakeOpenAi) -> dict[str, Any]:  # Any: settings as JSON
    """Return the settings for a model."""
    return {"llm": {"url": model.url, "model": "fake-model"}}


async def test_model_and_chat_know_of_an_attachment(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The model is told that there is a film which it cannot see, and the chat that nobody looked at it."""
    async with FakeOpenAi() as model, run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        model.script.append(Says("A cat, I guess."))
        answer = await talk.ask("", caption="What is in this film?", video=VIDEO)
        asked = model.requests[-1]["messages"][-1]["content"]

    assert "Came with: video" in asked
    assert "cannot read videos" in answer


async def test_without_a_model_an_attachment_is_not_passed_over(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The caption is answered, and the answer says what was not read."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        answer = await talk.ask("", caption="My flat in Porto.", video=VIDEO)

    assert "cannot read videos" in answer


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Remind me to call mum tomorrow.", "en", "I will remind you on"),
        ("Напомни мне завтра позвонить маме.", "ru", "Напомню: "),
        ("Erinnere mich morgen daran, Mama anzurufen.", "de", "Ich erinnere dich am"),
    ],
)
async def test_a_reminder_is_set_by_rule_with_a_model_and_without(
    tmp_path: Path, telegram: FakeTelegram, text: str, language: str, said: str
) -> None:
    """What the rules understand in full no model is asked about: it is told back with its date, time and zone."""
    anna: dict[str, Any] = {"from": {"id": ANNA, "is_bot": False, "first_name": "A", "language_code": language}}
    async with FakeOpenAi() as model, run_on_telegram(tmp_path / "with", telegram, others=served_by(model)) as talk:
        with_model = await talk.ask(text, **anna)
        asked = len(model.requests)
    async with run_on_telegram(tmp_path / "without", telegram) as talk:
        without = await talk.ask(text, **anna)

    assert with_model.startswith(said)
    assert without.startswith(said)
    assert "09:00" in without
    assert asked == 0


async def test_a_model_is_told_that_reminders_need_its_tool(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A request that the rules do not understand goes to the model, with the word that it promises nothing."""
    async with FakeOpenAi() as model, run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        model.script.append(Says("When is that?"))
        await talk.ask("Remind me to pack an hour before the train leaves.")
        asked = model.requests[-1]

    assert "promise nothing" in asked["messages"][-1]["content"]
    assert "remind" in {tool["function"]["name"] for tool in asked["tools"]}


@pytest.mark.parametrize("served", [False, True])
async def test_what_a_reminder_was_asked_for_is_kept_as_said(
    tmp_path: Path,
    telegram: FakeTelegram,
    served: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The chat is told to ask for it; so it is found, though it is no fact and makes no item."""
    async with FakeOpenAi() as model:
        settings = served_by(model) if served else {}
        async with run_on_telegram(tmp_path, telegram, others=settings) as talk:
            if served:
                model.script.append(Says("Sure, I will!"))
            first = await talk.ask("Remind me to call the dentist on Friday.")
            listed = await talk.ask("/memory")
        async with run_on_telegram(tmp_path, telegram) as talk:
            answer = await talk.ask("When do I call the dentist?")

    assert "remember:" not in first
    assert "dentist" not in listed
    assert "call the dentist on Friday" in answer
