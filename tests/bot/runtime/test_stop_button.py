"""The button under a growing answer: its asker ends it with a touch, nobody else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.runtime import application
from harness.application import ANNA, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram, Shown

BERT = 8
TALE = Says("Once upon a time there was a sea. " * 40, pieces=200, pause_s=0.05)


def growing(telegram: FakeTelegram, chat: int) -> Shown | None:
    """The message of a chat that has a button."""
    return next((shown for shown in telegram.chats.of(chat) if shown.keyboard), None)


def data_of(shown: Shown) -> tuple[str, str]:
    """Label and data of its only button."""
    assert shown.keyboard is not None
    [[button]] = shown.keyboard["inline_keyboard"]
    return button["text"], button["callback_data"]


async def test_the_asker_ends_the_answer(tmp_path: Path) -> None:
    """What was written stays, the button goes, and no second message tells of it; a stranger's touch does nothing.

    Red when the asker was not compared: Bert ended Anna's answer.
    """
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        others = {"llm": {"url": model.url, "model": "llama3.1:8b"}}
        async with run_on_telegram(tmp_path, telegram, others=others, allowedUsers=[ANNA, BERT], drafts=False) as talk:
            model.script.append(TALE)
            await telegram.says("tell me a tale", user=ANNA)
            await telegram.until(lambda: growing(telegram, ANNA))
            shown = growing(telegram, ANNA)
            assert shown is not None
            label, data = data_of(shown)
            await telegram.presses(data, user=BERT, shown=shown)
            await telegram.until(lambda: telegram.methods.answered)
            refused = telegram.methods.answered[-1].get("text", "")
            still = growing(telegram, ANNA) is not None
            await telegram.presses(data, user=ANNA, shown=shown)
            await talk.taken()

    [answer] = telegram.chats.of(ANNA)
    assert label == "■ Stop"
    assert refused
    assert still
    assert answer.keyboard is None
    assert answer.text.startswith("Once upon a time")
    assert len(answer.text) < len(TALE.text)
    assert len(model.requests) == 1


async def test_a_whole_answer_has_no_button(tmp_path: Path) -> None:
    """The last text takes it away; what is pressed afterwards ends nothing and says so."""
    short = Says("The sea is wide and the way is long.", pieces=8, pause_s=0.3)
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        others = {"llm": {"url": model.url, "model": "llama3.1:8b"}}
        async with run_on_telegram(tmp_path, telegram, others=others, drafts=False, editIntervalSeconds=0.3) as talk:
            model.script.append(short)
            await telegram.says("tell me", user=ANNA)
            await telegram.until(lambda: growing(telegram, ANNA))
            shown = growing(telegram, ANNA)
            assert shown is not None
            _, data = data_of(shown)
            await talk.taken()
            ended = growing(telegram, ANNA)
            await telegram.presses(data, user=ANNA, shown=telegram.chats.of(ANNA)[0])
            await telegram.until(lambda: telegram.methods.answered)

    assert ended is None
    assert telegram.texts(ANNA) == [short.text]
    assert telegram.methods.answered[-1]["text"]


async def test_a_process_that_died_leaves_a_button_that_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process finishes the answer in the same message, without its button."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        others = {"llm": {"url": model.url, "model": "llama3.1:8b"}}
        async with run_on_telegram(tmp_path, telegram, others=others, drafts=False):
            model.script.append(TALE)
            await telegram.says("tell me a tale", user=ANNA)
            await telegram.until(lambda: growing(telegram, ANNA))
            monkeypatch.setattr(application, "_GRACE_S", 0.01)  # cut off in the middle
        left = growing(telegram, ANNA)
        model.script.clear()
        model.script.append(Says("The end."))
        async with run_on_telegram(tmp_path, telegram, others=others, drafts=False):
            await telegram.until(lambda: telegram.texts(ANNA)[-1] == "The end.")

    [answer] = telegram.chats.of(ANNA)
    assert left is not None
    assert answer.keyboard is None
