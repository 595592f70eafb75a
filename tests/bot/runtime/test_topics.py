"""Topics: whatever belongs to an answer stands in the topic that asked, in groups and in direct chats alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.messages import Accepted, InboundMessage
from harness.application import ANNA, GROUP, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram

LONG = "\n\n".join(f"Paragraph {number} of the tale. " * 30 for number in range(40))
MODEL = {"model": "llama3.1:8b"}


@pytest.mark.parametrize("chat", [ANNA, GROUP])
async def test_everything_of_an_answer_stands_in_its_topic(tmp_path: Path, chat: int) -> None:
    """Typing, draft, the beginning and the file of a long answer; another topic of the same chat shows none of it."""
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        others = {"llm": MODEL | {"url": model.url}}
        async with run_on_telegram(tmp_path, telegram, others=others, allowedChats=[GROUP]) as talk:
            model.script.append(Says(LONG, pieces=5, pause_s=0.3))
            await telegram.says("@mneme_bot tell me a tale", user=ANNA, chat=chat, topic=5)
            await telegram.says("unheard", user=8, chat=GROUP, topic=6)
            await talk.taken()

    [shown] = telegram.chats.of(chat)
    assert shown.topic == 5
    assert shown.file is not None
    assert shown.file.content.decode().strip() == LONG.strip()
    assert shown.text.startswith("Paragraph 0")
    assert shown.file.name in shown.text
    threads = {
        params.get("message_thread_id")
        for method, params in telegram.calls
        if method in {"sendMessage", "sendDocument", "sendChatAction", "sendMessageDraft"}
    }
    assert threads == {5}


async def test_a_topic_that_its_owner_deleted_costs_no_answer(tmp_path: Path) -> None:
    """In a direct chat the answer stands beside it then; in a group it would be out of place."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as talk:
        await telegram.says("My sister Vera lives in Porto.", user=ANNA, topic=5)
        telegram.chats._topics.discard((ANNA, 5))
        await talk.taken()

    [shown] = telegram.chats.of(ANNA)
    assert shown.topic is None


async def test_an_album_is_one_turn_whichever_part_has_the_caption(tmp_path: Path) -> None:
    """Its words are read once, and one answer comes."""
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1}]
    async with FakeTelegram() as telegram, FakeOpenAi() as model:
        others = {"llm": MODEL | {"url": model.url}}
        async with run_on_telegram(tmp_path, telegram, others=others) as talk:
            for number in range(3):
                caption = "my cat Tom" if number == 1 else ""
                await telegram.says("", user=ANNA, media_group_id="9", photo=photo, caption=caption)
            await talk.taken()

    assert len(telegram.texts(ANNA)) == 1
    assert str(model.requests[0]["messages"]).count("my cat Tom") == 1


async def test_an_album_in_a_group_follows_the_part_that_calls_us(tmp_path: Path) -> None:
    """Its other parts do not name the bot and belong to the turn all the same; nobody else's do."""
    photo = [{"file_id": "f", "file_unique_id": "u", "width": 1, "height": 1}]
    taken: list[str] = []
    async with (
        FakeTelegram() as telegram,
        run_on_telegram(tmp_path, telegram, allowedUsers=[ANNA, 8], allowedChats=[GROUP]) as talk,
    ):
        accept = talk.app._acceptance._journal.accept

        async def noted(message: InboundMessage) -> Accepted | None:
            taken.append(f"{message.author.id} {message.text}".strip())
            return await accept(message)

        talk.app._acceptance._journal.accept = noted  # type: ignore[method-assign]  # watched
        caption = "@mneme_bot my cat Tom"
        mention = [{"type": "mention", "offset": 0, "length": 10}]
        await telegram.says(
            "", user=ANNA, chat=GROUP, media_group_id="9", photo=photo, caption=caption, caption_entities=mention
        )
        await telegram.says("", user=ANNA, chat=GROUP, media_group_id="9", photo=photo)
        await telegram.says("", user=8, chat=GROUP, media_group_id="9", photo=photo)
        await telegram.says("", user=ANNA, chat=GROUP, media_group_id="10", photo=photo)
        await talk.taken()

    assert taken == [f"{ANNA} my cat Tom", str(ANNA)]
