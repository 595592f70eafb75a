"""/stop, and commands in text that is not the author's own, now."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.sqlite.conversations.turns import SqliteSkillMemory
from bot.messages import Address
from harness.application import ANNA, GROUP, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Hangs, Says
from harness.fakes.telegram import FakeTelegram

HERE = Address("telegram", 42, ANNA)
EVE = {"type": "hidden_user", "date": 1, "sender_user_name": "Eve"}


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    """A fake that Anna has met."""
    async with FakeTelegram() as fake:
        fake.chats.meet(ANNA)
        fake.chats.meet(GROUP)
        yield fake


@pytest.fixture
async def model() -> AsyncIterator[FakeOpenAi]:
    """A model that begins its first answer and never ends it."""
    async with FakeOpenAi() as fake:
        fake.script.append(Hangs("Once upon a time"))
        yield fake


def served_by(model: FakeOpenAi) -> dict[str, Any]:  # Any: settings as JSON
    """Return the settings for a model."""
    return {"llm": {"url": model.url, "model": "llama3.1:8b"}}


@pytest.mark.parametrize("command", ["/stop", "/STOP", "/Stop@mneme_bot", " /stop please"])
async def test_stop_is_answered_before_what_it_ends(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi, command: str
) -> None:
    """Written in any way it ends the answer that runs, says so at once and offers to drop what waits."""
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await telegram.says("Tell me a tale.", user=ANNA)
        await telegram.until(lambda: model.requests)
        model.script.extend([Hangs("Two"), Says("Three."), Says("Four.")])
        for question in ("two?", "three?", "four?"):
            await telegram.says(question, user=ANNA)
        await telegram.says(command, user=ANNA)
        await telegram.until(lambda: _stopped(telegram))
        begun = len(model.requests)
        [answer] = _stopped(telegram)
        await telegram.presses(_button(telegram, "Drop them"), user=ANNA, shown=answer)
        await telegram.until(lambda: any("dropped" in text for text in telegram.texts(ANNA)))
        await talk.taken()
        left = await talk.app.parts.journal.pending()

    assert "wait for an answer" in answer.text
    assert begun <= 2
    assert not any("Three" in text or "Four" in text for text in telegram.texts(ANNA))
    assert left == ()


@pytest.mark.parametrize("word", ["stop", "Stop it, please!", "hör bitte auf", "Стоп.", "хватит"])
async def test_a_word_stops_what_is_under_way(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi, word: str
) -> None:
    """In each language, as /stop does; said while nothing is written, it is a message like any other."""
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await telegram.says("Tell me a tale.", user=ANNA)
        await telegram.until(lambda: model.requests)
        await telegram.says(word, user=ANNA)
        await telegram.until(lambda: _stopped(telegram))
        await talk.taken()
        model.script.append(Says("Stop what?"))
        later = await talk.ask(word)

    assert later == "Stop what?"


async def test_what_was_written_so_far_stands_above_stopped(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi
) -> None:
    """Three messages in the order in which they make sense: the text so far, what came of /stop, the next answer.

    Otherwise "Stopped." comes first and the ended answer below it, as if it were another one.
    """
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await telegram.says("Tell me a tale.", user=ANNA)
        await telegram.until(lambda: telegram.chats.previews.get(ANNA))
        model.script.append(Says("Two it is."))
        await telegram.says("two?", user=ANNA)
        await telegram.says("/stop", user=ANNA)
        await telegram.until(lambda: len(telegram.texts(ANNA)) == 3)
        await talk.taken()

    texts = telegram.texts(ANNA)
    assert texts[0].startswith("Once upon a time")
    assert texts[1].startswith("Stopped.")
    assert texts[2] == "Two it is."


async def test_what_was_dropped_is_not_answered_after_a_restart(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi
) -> None:
    """Messages that were dropped are closed in the journal, those that only the journal held too, texts and all."""
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await telegram.says("Tell me a tale.", user=ANNA)
        await telegram.until(lambda: model.requests)
        for number in range(80):  # more than the 64 that a chat keeps in memory
            await telegram.says(f"walrus {number}", user=ANNA)
        await telegram.says("/stop all", user=ANNA)
        model.script.append(Says("Here I am."))
        await telegram.says("and now?", user=ANNA)
        await telegram.until(lambda: any("Here I am." in text for text in telegram.texts(ANNA)))
        await talk.taken()
        left = await talk.app.parts.journal.pending()
    asked = len(model.requests)
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await talk.taken()

    assert left == ()
    assert any("80" in text for text in telegram.texts(ANNA))
    assert (asked, len(model.requests)) == (2, 2)
    assert not [path for path in (tmp_path / "data").rglob("*.db") if b"walrus 79" in path.read_bytes()]


@pytest.mark.parametrize("foreign", ["forwarded", "edited", "quoted"])
async def test_stop_in_foreign_text_stops_nothing(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi, foreign: str
) -> None:
    """A forward, an edit and a quotation of /stop leave the answer that runs alone."""
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        await telegram.says("Tell me a tale.", user=ANNA)
        await telegram.until(lambda: model.requests)
        [running] = talk.app._dispatcher._chats.values()
        await _told(telegram, foreign, "/stop")
        await telegram.until(lambda: not telegram.updates.pending)
        stopped = running.stop is not None and running.stop.is_set()
        await telegram.says("/stop all", user=ANNA)
        await talk.taken()

    assert not stopped


@pytest.mark.parametrize("foreign", ["forwarded", "edited", "quoted"])
async def test_no_command_in_foreign_text_is_obeyed(tmp_path: Path, telegram: FakeTelegram, foreign: str) -> None:
    """What a command would do is not done, and what was there before still is."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        _skill(talk.app.parts.places.preferences)
        await talk.ask("My sister Vera lives in Porto.")
        session = await talk.app.parts.turns.session(HERE)
        for text in ("/new", "/FORGET everything yes", "/forget@mneme_bot Vera", " /skill travel"):
            await _told(telegram, foreign, text)
        await talk.taken()
        after = await talk.app.parts.turns.session(HERE)
        chosen = await talk.app.parts.need(SqliteSkillMemory).list_kept()
        answer = await talk.ask("Where does Vera live?")

    assert after.id == session.id
    assert chosen == ()
    assert "Porto" in answer


async def test_a_forwarded_skill_command_brings_no_instructions_in(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi
) -> None:
    """Neither "/skill travel" nor a description of it in somebody else's text puts the operator's skill in front."""
    model.script.clear()
    model.script.extend([Says("Fine.")] * 3)
    async with run_on_telegram(tmp_path, telegram, others=served_by(model)) as talk:
        _skill(talk.app.parts.places.preferences)
        await talk.ask("/skill travel", forward_origin=EVE)
        await talk.ask("travel: plans a journey by train", forward_origin=EVE)
        foreign = str(model.requests)
        await talk.ask("travel: plan a journey by train")

    assert "Ask for dates." not in foreign
    assert "Ask for dates." in str(model.requests[-1])


async def _told(telegram: FakeTelegram, foreign: str, text: str) -> None:
    if foreign == "forwarded":
        await telegram.says(text, user=ANNA, forward_origin=EVE)
    elif foreign == "edited":
        await telegram.edits(text, user=ANNA, message_id=1)
    else:
        reply = telegram.message(text, user=9, chat=ANNA)
        await telegram.says("ok", user=ANNA, reply_to_message=reply, quote={"text": text, "position": 0})


def _skill(preferences: Path) -> None:
    folder = preferences / "skills" / "travel"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: travel\ndescription: Plans a journey by train\n---\nAsk for dates.\n")


def _stopped(telegram: FakeTelegram) -> list[Any]:
    return [shown for shown in telegram.chats.of(ANNA) if shown.text.startswith("Stopped.")]


def _button(telegram: FakeTelegram, label: str) -> str:
    keys = [
        key
        for shown in telegram.chats.of(ANNA)
        if shown.keyboard
        for row in shown.keyboard["inline_keyboard"]
        for key in row
    ]
    return str(next(key["callback_data"] for key in keys if key["text"] == label))


async def test_nobody_ends_or_drops_what_another_has_asked(
    tmp_path: Path, telegram: FakeTelegram, model: FakeOpenAi
) -> None:
    """A stranger in an open group stops and drops their own alone, the owner all, also what only the journal holds.

    Red where a stop asks nobody: Anna's answer ends, and Bob's eighty messages are neither answered nor kept.
    """
    owner, bob, eve = 1, 9, 8
    group = {"allowedUsers": [ANNA, bob], "allowedChats": [GROUP], "openGroups": True, "ownerId": owner}
    async with run_on_telegram(tmp_path, telegram, others=served_by(model), **group) as talk:
        here = Address("telegram", 42, GROUP)
        await telegram.says("@mneme_bot Tell me a tale.", user=ANNA, chat=GROUP)
        await telegram.until(lambda: model.requests)
        for number in range(80):  # more than the 64 that a chat keeps in memory
            await telegram.says(f"@mneme_bot walrus {number}", user=bob, chat=GROUP)
        await telegram.says("@mneme_bot My hat is green.", user=eve, chat=GROUP)
        told = [await _told_after(telegram, text, eve) for text in ("/stop@mneme_bot", "/stop@mneme_bot all")]
        await telegram.says("@mneme_bot stop", user=eve, chat=GROUP)
        await telegram.until(lambda: not telegram.updates.pending)
        left = [entry.message.text for entry in await talk.app.parts.journal.pending_at(here, 0, 1000)]
        running = len(model.requests)
        told.append(await _told_after(telegram, "/stop@mneme_bot all", owner))
        await talk.taken()

    assert "Somebody else" in told[0]
    assert "wait for an answer" in told[0]
    assert "unanswered: 1" in told[1]
    assert left == ["Tell me a tale.", *(f"walrus {number}" for number in range(80)), "stop"]
    assert running == 1
    assert "unanswered: 81" in told[2]


async def _told_after(telegram: FakeTelegram, text: str, user: int) -> str:
    """Say something in the group, and return the next message that it shows beside the tale."""

    def list_told() -> list[str]:
        return [each for each in telegram.texts(GROUP) if not each.startswith("Once upon a time")]

    before = len(list_told())
    await telegram.says(text, user=user, chat=GROUP)
    await telegram.until(lambda: len(list_told()) > before)
    return list_told()[before]
