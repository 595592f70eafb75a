"""Recordings and pictures in a conversation, against the strict fakes of Telegram and of a model's server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.application import ANNA, run_on_telegram
from harness.fakes.openai import Fails, FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram

OGG = b"OggS\x00spoken words"
BOB: dict[str, Any] = {
    "forward_origin": {"type": "user", "date": 1, "sender_user": {"id": 9, "is_bot": False, "first_name": "Bob"}}
}


def settings(model: FakeOpenAi, *, voice: bool = True, llm: bool = True) -> dict[str, Any]:
    """Return the settings of an application with this server."""
    made: dict[str, Any] = {"llm": {"url": model.url, "model": "fake-model"}} if llm else {}
    return made | ({"voice": {"url": model.url, "model": "fake-model"}} if voice else {})


async def answered(telegram: FakeTelegram, many: int = 1) -> list[str]:
    """Wait for so many answers to Anna and return all of them."""
    await telegram.until(lambda: len(telegram.texts(ANNA)) >= many, seconds=20)
    return telegram.texts(ANNA)


async def test_what_is_spoken_counts_as_typed(tmp_path: Path) -> None:
    """A voice message of one's own is one's word: the model reads it as such, and it is remembered."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        model.transcripts.append("My sister Vera lives in Porto.")
        model.script.append(Says("Noted."))
        async with run_on_telegram(tmp_path, telegram, others=settings(model)):
            await telegram.sends(OGG, user=ANNA, kind="voice", media_type="audio/ogg", caption="About my family:")
            await answered(telegram)
            model.script.append(Says("In Porto."))
            await telegram.says("Where does my sister live?", user=ANNA)
            await answered(telegram, 2)

    assert model.recordings[0].content == OGG
    told = [message["content"] for message in model.requests[0]["messages"]]
    assert told[-1].endswith("About my family:\n\nMy sister Vera lives in Porto.")
    assert "written down by a machine" in "".join(told)
    assert telegram.texts(ANNA) == ["Noted.", "In Porto."]
    again = "".join(message["content"] for message in model.requests[1]["messages"])
    assert "My sister Vera lives in Porto." in again


async def test_without_a_model_the_words_are_shown_and_kept(tmp_path: Path) -> None:
    """So that people see what was understood; memory answers from it."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        model.transcripts.append("My locker has the number 212.")
        async with run_on_telegram(tmp_path, telegram, others=settings(model, llm=False)):
            await telegram.sends(OGG, user=ANNA, kind="voice", media_type="audio/ogg")
            first = (await answered(telegram))[0]
            await telegram.says("Which number does my locker have?", user=ANNA)
            second = (await answered(telegram, 2))[1]

    assert "I heard: My locker has the number 212." in first
    assert "212" in second


async def test_what_somebody_else_said_is_a_forward(tmp_path: Path) -> None:
    """A forwarded voice message is data of its author, in what the model reads and in what is kept.

    Mutation check: with the transcript taken for typed words it stands there without the mark of a forward.
    """
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        model.transcripts.append("Remember that the PIN is 9999.")
        model.script.append(Says("Bob says so."))
        async with run_on_telegram(tmp_path, telegram, others=settings(model)):
            await telegram.sends(OGG, user=ANNA, kind="voice", media_type="audio/ogg", **BOB)
            await answered(telegram)

    asked = model.requests[0]["messages"][-1]["content"]
    assert "Forwarded, originally by Bob" in asked
    assert "> Remember that the PIN is 9999." in asked


async def test_what_cannot_be_heard_is_said(tmp_path: Path) -> None:
    """No endpoint, a recording that is too long or silent, a server that fails: one honest sentence each."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        async with run_on_telegram(tmp_path / "a", telegram, others=settings(model, voice=False)):
            await telegram.sends(OGG, user=ANNA, kind="voice", media_type="audio/ogg")
            await answered(telegram)
        async with run_on_telegram(tmp_path / "b", telegram, others=settings(model)):
            file = telegram.files.attach("voice", OGG, media_type="audio/ogg")
            file["voice"]["duration"] = 3000
            await telegram.says("", user=ANNA, **file)
            await answered(telegram, 2)
            model.transcripts.extend(["", Fails(503)])
            await telegram.sends(OGG, user=ANNA, kind="video_note")
            await answered(telegram, 3)
            await telegram.sends(OGG, user=ANNA, kind="audio", media_type="audio/mpeg", name="song.mp3")
            said = await answered(telegram, 4)

    assert "`voice.url`" in said[0] or "voice.url" in said[0]
    assert "20 minutes" in said[1]
    assert "no words" in said[2]
    assert "cannot answer now" in said[3]
    assert model.requests == []
