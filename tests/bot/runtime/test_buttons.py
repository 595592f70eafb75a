"""Buttons as people press them: the whole application behind a Telegram that keeps its rules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ButtonRefused
from bot.memory.scope import Scope
from bot.messages import Address, Author, InboundMessage, MessageKind
from bot.ports.embedder import Embedder
from bot.ports.memory_store import Selector
from bot.runtime.acceptance import Keyboards
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from harness.fakes.telegram.chats import Shown, user_json
from harness.samples import NOON

BOB, GROUP = 8, -100
EVERYTHING = "Everything of this chat is forgotten."


class Talk(TelegramChats):
    """A running application, and buttons pressed in its Telegram."""

    async def say(self, text: str, *, user: int = ANNA, chat: int | None = None) -> Shown:
        """Write and return the message that answers."""
        place = user if chat is None else chat
        before = len(self.telegram.texts(place))
        await self.telegram.says(text, user=user, chat=chat)
        await self.telegram.until(lambda: len(self.telegram.texts(place)) > before)
        await self.app.answered()
        return self.telegram.chats.of(place)[-1]

    async def press(self, shown: Shown, number: int = 0, *, user: int = ANNA) -> str:
        """Press a button and return what the presser is told at once, "" for nothing."""
        return await self.send(data_of(shown)[number], shown, user=user)

    async def send(self, data: str, shown: Shown, *, user: int = ANNA) -> str:
        """Press a button with this data."""
        before = len(self.telegram.methods.answered)
        await self.telegram.presses(data, user=user, shown=shown)
        await self.telegram.until(lambda: len(self.telegram.methods.answered) > before)
        await self.app.answered()
        return str(self.telegram.methods.answered[-1].get("text", ""))

    async def choose(self, shown: Shown, label: str, *, user: int = ANNA) -> str:
        """Press the button with this label and return what the presser is told at once."""
        return await self.press(shown, labels_of(shown).index(label), user=user)

    async def known(self, scope: str = "tu7") -> int:
        """Return how many memories a scope has."""
        return (await self.app.parts.editor.page(Scope(scope), Selector.ALL)).total

    async def age(self, seconds: float) -> None:
        """Let everything that was shown be older."""
        await self.app.parts.housekeeping.database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE tickets SET made_at = made_at - ?1, expires_at = expires_at - ?1", (seconds,)
                ).rowcount
            )
        )


def data_of(shown: Shown) -> list[str]:
    """Return the data of the buttons under a message."""
    rows = (shown.keyboard or {}).get("inline_keyboard", [])
    return [button["callback_data"] for row in rows for button in row]


def labels_of(shown: Shown) -> list[str]:
    """Return what is written on the buttons under a message."""
    rows = (shown.keyboard or {}).get("inline_keyboard", [])
    return [button["text"] for row in rows for button in row]


@asynccontextmanager
async def talking(folder: Path, telegram: FakeTelegram, embedder: Embedder | None = None) -> AsyncIterator[Talk]:
    """Run an application that serves Anna, Bob and a group that Anna runs."""
    telegram.chats.admins.add((GROUP, ANNA))
    allowed: dict[str, Any] = {"allowedUsers": [ANNA, BOB], "allowedChats": [GROUP]}  # settings as JSON
    async with run_on_telegram(folder, telegram, embedder=embedder, **allowed) as chats:
        yield Talk(chats.app, chats.telegram)


async def test_only_who_asked_may_press_and_only_once(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Another member's press says so and erases nothing; after the asker's the buttons are gone and say no more.

    Before buttons were bound, Bob's press had erased the memory of the group.
    """
    async with talking(tmp_path, telegram) as talk:
        await talk.say("@mneme_bot /remember the door code is green", chat=GROUP)
        await talk.say("/remember@mneme_bot our team lunch is at Lumen", chat=GROUP)
        asked = await talk.say("/forget@mneme_bot everything", chat=GROUP)
        token = data_of(asked)[0]
        bobs = await talk.press(asked, user=BOB)
        kept = await talk.known("tcn100")
        annas = await talk.press(asked)
        left = await talk.known("tcn100")
        again = await talk.send(token, asked)

    assert bobs == "Only the one who asked can press this."
    assert kept > 0
    assert (annas, left) == ("", 0)
    assert any(EVERYTHING in text for text in telegram.texts(GROUP))
    assert again == "This button has expired."
    assert data_of(asked) == []
    assert sum(EVERYTHING in text for text in telegram.texts(GROUP)) == 1


async def test_a_button_expires_and_is_taken_away(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Ten minutes later nothing is erased; one that nobody presses is taken away by itself."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember the door code is green")
        pressed, unpressed = await talk.say("/forget everything"), await talk.say("/forget everything")
        await talk.age(400)
        await Keyboards(talk.app.parts.buttons, talk.app.parts.messengers, talk.app.parts.clock).sweep()
        still = data_of(unpressed)
        await talk.age(201)
        told = await talk.press(pressed)
        await telegram.until(lambda: not data_of(pressed))
        await Keyboards(talk.app.parts.buttons, talk.app.parts.messengers, talk.app.parts.clock).sweep()
        left = await talk.known()

    assert told == "This button has expired."
    assert left == 1
    assert still
    assert data_of(unpressed) == []


async def test_a_button_holds_to_what_it_showed(tmp_path: Path, telegram: FakeTelegram) -> None:
    """What was said after the question is not erased by its answer."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember the door code is green")
        asked = await talk.say("/forget everything")
        await talk.say("/remember my locker is number 12")
        told = await talk.press(asked)
        left = await talk.known()

    assert told == "Memory has changed since I asked. Ask me again."
    assert left == 2


async def test_what_others_say_does_not_spoil_a_button(tmp_path: Path, telegram: FakeTelegram) -> None:
    """In a group that goes on talking an admin could never press "Yes" in time."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("@mneme_bot /remember the door code is green", chat=GROUP)
        asked = await talk.say("/forget@mneme_bot everything", chat=GROUP)
        await talk.say("@mneme_bot our team lunch is at Lumen", chat=GROUP, user=BOB)
        told = await talk.press(asked)
        left = await talk.known("tcn100")

    assert (told, left) == ("", 0)


async def test_data_that_was_never_given_out_does_nothing(tmp_path: Path, telegram: FakeTelegram) -> None:
    """A command as data, as messages before the upgrade had it, a guess, and another chat's token are refused."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember the door code is green")
        asked = await talk.say("/forget everything")
        elsewhere = await talk.say("/help@mneme_bot", chat=GROUP)
        told = [
            await talk.send("/forget everything yes", asked),
            await talk.send("guess", asked),
            await talk.send(data_of(asked)[0] if data_of(asked) else "gone", elsewhere),
        ]
        left = await talk.known()

    assert told == ["This button has expired."] * 3
    assert left == 1


async def test_a_button_acts_where_it_was_shown_though_its_message_is_out_of_reach(
    tmp_path: Path, telegram: FakeTelegram
) -> None:
    """Of a message that was deleted meanwhile Telegram tells the chat and the number alone, and no topic.

    Red where the press was taken for one outside all topics: it erased the memory that everybody else shares.
    """
    async with talking(tmp_path, telegram) as talk:
        await talk.say("@mneme_bot /remember the door code is green", chat=GROUP)
        await talk.say("/settings@mneme_bot scope topic", chat=GROUP)
        for text in ("@mneme_bot /remember the lunch is at Lumen", "/forget@mneme_bot everything"):
            await talk.ask(text, chat=GROUP, topic=5)
        asked = telegram.chats.of(GROUP)[-1]
        gone = {"message_id": asked.message_id, "date": 0, "chat": telegram.chats.chat_json(GROUP)}
        query = {"id": "gone", "from": user_json(ANNA), "chat_instance": "1", "data": data_of(asked)[0]}
        await telegram.push({"callback_query": query | {"message": gone}})
        await talk.taken()
        left = await talk.known("tcn100"), await talk.known("ttn100_5")
        told = telegram.chats.of(GROUP)[-1]

    assert left == (1, 0)
    assert EVERYTHING in told.text
    assert told.topic == 5


async def test_pages_turn_in_place(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The next page takes the place of the one before, with a way back, and no message is added."""
    async with talking(tmp_path, telegram) as talk:
        for number in range(9):
            await talk.say(f"/remember shelf {number} holds {number} jars")
        page = await talk.say("/memory")
        first, before = page.text, len(telegram.texts(ANNA))
        await talk.choose(page, "›")
        second = page.text
        back = labels_of(page)
        await talk.choose(page, "‹")

    assert "shelf 0" in second
    assert "shelf 0" not in first
    assert "‹" in back
    assert "›" not in back
    assert [line for line in page.text.splitlines() if "shelf" in line] == [
        line for line in first.splitlines() if "shelf" in line
    ]
    assert "›" in labels_of(page)
    assert len(telegram.texts(ANNA)) == before


async def test_a_press_delivered_twice_acts_once(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Telegram repeats an update whose confirmation was lost: it is the same press, and it is answered once."""
    async with talking(tmp_path, telegram) as talk:
        for number in range(9):
            await talk.say(f"/remember shelf {number} holds {number} jars")
        page = await talk.say("/memory")
        press = InboundMessage(
            Address("telegram", 42, ANNA),
            900_001,
            page.message_id,
            Author(ANNA, "Anna"),
            data_of(page)[labels_of(page).index("›")],
            NOON,
            kind=MessageKind.BUTTON,
        )
        versions = []
        for _ in range(2):
            await talk.app.accept(press)
            await talk.app.answered()
            versions.append((page.text, len(page.versions)))
        with pytest.raises(ButtonRefused):
            await talk.app.accept(replace(press, update_id=900_002))

    assert "shelf 0" in versions[0][0]
    assert versions[0] == versions[1]


async def test_a_question_asked_before_a_restart_can_be_answered_after_it(
    tmp_path: Path, telegram: FakeTelegram
) -> None:
    """Buttons and what they stand for are on disk, not in the process that showed them."""
    async with talking(tmp_path, telegram) as talk:
        await talk.say("/remember the door code is green")
        asked = await talk.say("/forget everything")
    async with talking(tmp_path, telegram) as talk:
        told = await talk.press(asked)
        left = await talk.known()

    assert (told, left) == ("", 0)
