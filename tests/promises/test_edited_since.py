"""P17: an edit reaches every reader of memory, whatever was forgotten, put right or brought back before it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.memory.scope import Scope
from bot.messages import Address
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.openai import FakeOpenAi, Hangs, Says
from harness.fakes.telegram import FakeTelegram

MESSAGE = 901


@dataclass
class Talk:
    """Anna's chat with the bot."""

    chats: TelegramChats

    async def say(self, text: str, *, message_id: int | None = None) -> str:
        """Return the answer."""
        return await self.chats.ask(text, **({} if message_id is None else {"message_id": message_id}))

    async def edit(self, text: str, message_id: int = MESSAGE) -> None:
        """Let Anna edit a message, and wait until that is done."""
        await self.chats.telegram.edits(text, user=ANNA, message_id=message_id)
        await self.chats.taken()

    async def list_answers(self, question: str) -> list[str]:
        """Return what is answered, listed, and repeated of the conversation to a model."""
        parts = self.chats.app.parts
        session = await parts.turns.session(Address("telegram", 42, ANNA))
        history = await parts.turns.history(Scope(f"tu{ANNA}"), session.id, 50)
        repeated = "\n".join(f"{each.user_text}\n{each.assistant_text}" for each in history)
        return [await self.say(question), await self.say("/memory"), repeated]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Talk]:
    """Run the application on a folder, with a chat of Anna's."""
    async with FakeTelegram() as telegram, run_on_telegram(folder, telegram) as chats:
        telegram.chats.meet(ANNA)
        yield Talk(chats)


@pytest.mark.parametrize("told", ["/remember My tailor is Mr. Lind.", "My tailor is Mr. Lind."])
async def test_an_edited_command_that_is_not_carried_out_is_kept_as_nothing(tmp_path: Path, told: str) -> None:
    """What it says is in no answer; it was told as said, though the reply says that nothing is done."""
    async with opened(tmp_path) as talk:
        await talk.say(told, message_id=MESSAGE)
        await talk.edit("/remember My tailor is Mr. Lund.")
        shown = [await talk.say("Who is my tailor?"), await talk.say("/memory")]

    assert "Lund" not in "".join(shown)
    assert all(("Lind" in each) == told.startswith("/") for each in shown)


@pytest.mark.parametrize("change", ["/memory edit 1 My boat is called Herring.", "No wait, Herring, I mixed them up"])
async def test_what_was_put_right_does_not_come_back_with_an_edit_of_the_rest(tmp_path: Path, change: str) -> None:
    """Its other sentence is edited twice; the one that was corrected is still in it, and holds no more."""
    async with opened(tmp_path) as talk:
        await talk.say("My car is red. My boat is called Marlin.", message_id=MESSAGE)
        number = re.findall(r"• (\d+): “My boat", await talk.say("/memory"))[0]
        await talk.say(change.replace("edit 1", f"edit {number}"))
        await talk.edit("My car is blue. My boat is called Marlin.")
        await talk.edit("My car is green. My boat is called Marlin.")
        answer, listed, _ = await talk.list_answers("What is my boat called?")
        colour = await talk.say("What colour is my car?")

    assert "Herring" in answer
    assert "Herring" in listed
    assert "Marlin" not in answer + listed
    assert "green" in colour


async def test_an_edit_behind_an_edit_by_command_holds_for_every_reader(tmp_path: Path) -> None:
    """Telegram's times have whole seconds and ours have not: of two within a second the later one holds."""
    async with opened(tmp_path) as talk:
        await talk.say("My dentist is Dr. Lind.", message_id=MESSAGE)
        await talk.say("/memory edit 1 My dentist is Dr. Kovacs.")
        await talk.edit("My dentist is Dr. Novak.")
        answer, listed, _ = await talk.list_answers("Who is my dentist?")

    assert "Novak" in answer.partition("\n")[0]
    assert "Novak" in listed
    assert "Kovacs" not in listed


async def test_a_sentence_that_goes_on_is_told_without_its_earlier_versions(tmp_path: Path) -> None:
    """What stands right before it is told with it, and no word that an edit has taken the place of.

    Red where its own former versions are taken for what was said before it: "It is blue. It is red. It is red."
    """
    async with opened(tmp_path) as talk:
        await talk.say("My bike is in the cellar.")
        await talk.say("It is red.")
        await talk.say("/memory edit 2 It is blue.")
        await talk.say("/undo")
        await talk.say("/new")
        answer = await talk.say("What colour is my bike?")

    assert "My bike is in the cellar. It is red." in answer.replace("Your", "My")
    assert answer.count("It is") == 1


async def test_an_undone_erase_brings_an_edited_message_back_as_it_is_now(tmp_path: Path) -> None:
    """It was edited while it was forgotten: its first version comes back as that, and is told by nobody."""
    async with opened(tmp_path) as talk:
        await talk.say("My cat is called Tom.", message_id=MESSAGE)
        await talk.say("/forget 1")
        await talk.edit("My cat is called Tim.")
        back = await talk.say("/undo")
        shown = await talk.list_answers("What is my cat called?")
        history = await talk.say("/memory history")

    assert "It is back." in back
    assert all("Tim" in each and "Tom" not in each for each in shown)
    assert "Tom" in history


async def test_an_undone_erase_brings_nothing_back_that_was_put_right_since(tmp_path: Path) -> None:
    """An answer that told two things was blanked for one of them, and the other was edited meanwhile."""
    async with opened(tmp_path) as talk:
        await talk.say("My vet is Dr. Lind.")
        await talk.say("My cat is called Tom.")
        await talk.say("Who is my vet, and what is my cat called?")
        await talk.say("/forget 2")
        since = datetime.fromtimestamp(0, UTC)
        (erase,) = await talk.chats.app.parts.undo.list_erases(Scope(f"tu{ANNA}"), ANNA, since)
        await talk.say("/memory edit 1 My vet is Dr. Kovacs.")
        await talk.say(f"/undo {erase.uid}")  # without a name it is the edit that was made a second later
        shown = await talk.list_answers("Who is my vet?")

    assert all("Kovacs" in each and "Lind" not in each for each in shown)
    assert "Tom" in shown[2]


async def test_what_was_replaced_is_forgotten_without_what_holds(tmp_path: Path) -> None:
    """The memory was listed no more while its words were still told."""
    async with opened(tmp_path) as talk:
        await talk.say("My vet is Dr. Lind.")
        await talk.say("/memory edit 1 My vet is Dr. Kovacs.")
        gone = await talk.say("/forget Lind")
        shown = await talk.list_answers("Who is my vet?")
        history = await talk.say("/memory history")

    assert "Forgotten." in gone
    assert all("Kovacs" in each for each in shown)
    assert "Lind" not in "".join((*shown, history))


async def test_what_was_put_right_in_between_is_forgotten_with_an_edited_message(tmp_path: Path) -> None:
    """It held in the place of the message until the next edit.  Red before: it was what holds again."""
    async with opened(tmp_path) as talk:
        await talk.say("My vet is Dr. Lind.", message_id=MESSAGE)
        await talk.say("No wait, my vet is Dr. Kovacs.")
        await talk.edit("My vet is Dr. Novak.")
        gone = await talk.say("/forget Novak")
        shown = [await talk.say("Who is my vet?"), await talk.say("/memory")]
        await talk.say("/undo")
        back = await talk.say("Who is my vet?")

    assert "Forgotten." in gone
    assert not any(name in "".join(shown) for name in ("Lind", "Kovacs", "Novak"))
    assert "Novak" in back.partition("\n")[0]


async def test_a_message_to_us_is_edited_without_our_name(tmp_path: Path) -> None:
    """In a group: what it says now holds, and other talk that is edited is still none of our business."""
    group = -100
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram, allowedChats=[group]) as chats:
        telegram.chats.meet(group)
        await chats.ask("@mneme_bot My door code is 4711.", user=ANNA, chat=group, message_id=MESSAGE)
        await telegram.says("The walrus is in the cellar.", user=ANNA, chat=group, message_id=902)
        await telegram.edits("The walrus is in the attic.", user=ANNA, chat=group, message_id=902)
        shown = len(telegram.texts(group))
        await telegram.edits("My door code is 4712.", user=ANNA, chat=group, message_id=MESSAGE)
        noted = await chats.next(group, shown)
        code = await chats.ask("@mneme_bot What is my door code?", user=ANNA, chat=group)
        walrus = await chats.ask("@mneme_bot Where is the walrus?", user=ANNA, chat=group)

    assert "noted the change" in noted
    assert "4712" in code
    assert "4711" not in code
    assert "attic" not in walrus


async def test_an_edited_caption_leaves_what_was_spoken(tmp_path: Path) -> None:
    """The recording is heard again with its new caption, and with none; the old caption is told no more."""
    spoken = "My dentist is Doctor Lind and she works in Kiel."
    async with FakeTelegram() as telegram, FakeOpenAi(models=("whisper-1",)) as server:
        server.transcripts.extend([spoken] * 3)
        voice = {"voice": {"url": server.url, "model": "whisper-1"}}
        async with run_on_telegram(tmp_path, telegram, others=voice) as chats:
            talk = Talk(chats)
            file = telegram.files.attach("voice", b"OggS" + bytes(2000), media_type="audio/ogg")
            sent = telegram.message("", user=ANNA, message_id=MESSAGE, **file)
            told = []
            for kind, caption in (("message", "My boat is called Marlin."), ("edited_message", "My boat is blue.")):
                await telegram.push({kind: sent | {"caption": caption}})
                await chats.taken()
                told.append(await talk.say("What is my boat called?") + await talk.say("Who is my dentist?"))
            await telegram.push({"edited_message": sent})
            await chats.taken()
            told.append(await talk.say("What colour is my boat?") + await talk.say("Who is my dentist?"))

    assert ["Marlin" in each for each in told] == [True, False, False]
    assert "blue" not in told[2]
    assert all("Lind" in each for each in told)


@pytest.mark.parametrize("command", ["/remember", "/memory edit 1"])
async def test_an_edit_takes_the_place_of_what_its_command_kept(tmp_path: Path, command: str) -> None:
    """Of a command's own words; one that is edited into another command is not carried out, and stays as it is."""
    async with opened(tmp_path) as talk:
        await talk.say("My tyre is flat.")
        await talk.say(f"{command} My tyre is worn.", message_id=MESSAGE)
        await talk.edit(f"{command} My tyre is gone.")
        before = await talk.list_answers("What about my tyre?")
        await talk.edit("My tyre is new.")
        after = await talk.list_answers("What about my tyre?")

    assert "worn" in before[0]
    assert "worn" in before[1]
    assert "gone" not in "".join(before[:2])
    assert all("new" in each and "worn" not in each for each in after)


async def test_an_edit_reaches_what_was_answered_and_summed_up_since(tmp_path: Path) -> None:
    """A model read the old words in its own answer and in the summary of the conversation."""
    async with opened(tmp_path) as talk:
        await talk.say("My vet is Dr. Lind. My car is red.", message_id=MESSAGE)
        told = await talk.say("Who is my vet, and what colour is my car?")
        parts = talk.chats.app.parts
        here = Address("telegram", 42, ANNA)
        session = await parts.turns.session(here)
        said = await parts.turns.history(Scope(f"tu{ANNA}"), session.id, 50)
        await parts.sessions.summarise(session, "Her vet is Dr. Lind.", said[:1])
        summed = (await parts.turns.session(here)).summary
        await talk.edit("My vet is Dr. Novak. My car is red.")
        repeated = (await talk.list_answers("Who is my vet?"))[2]
        left = (await parts.turns.session(here)).summary

    assert "Lind" in told
    assert "Lind" in summed
    assert "Lind" not in repeated + left
    assert "red" in repeated


async def test_an_edit_reaches_an_answer_under_way_in_another_topic(tmp_path: Path) -> None:
    """That is sent; what it told of the old words is not kept, and stands in no later prompt.

    Red where the turn does not say what its memory had heard when it began.
    """
    group, name = -100, "@mneme_bot"
    async with FakeTelegram() as telegram, FakeOpenAi(default=lambda _: Says("All right.")) as server:
        model = {"llm": {"url": server.url, "model": "fake-model"}}
        async with run_on_telegram(tmp_path, telegram, others=model, allowedChats=[group]) as chats:
            telegram.chats.meet(group)
            await chats.ask(f"{name} My vet is Dr. Lindqvist.", chat=group, message_id=MESSAGE)
            server.script.append(Hangs("Your vet is Dr. Lindqvist. The sky is blue. It "))
            await telegram.says(f"{name} Who is my vet?", user=ANNA, chat=group, topic=5)
            await telegram.until(lambda: len(server.requests) > 1)
            await telegram.edits(f"{name} My vet is Dr. Novak.", user=ANNA, chat=group, message_id=MESSAGE)
            await telegram.until(lambda: len(server.requests) > 2)
            await chats.app.answered(Address("telegram", 42, group))
            await telegram.says(f"/stop{name}", user=ANNA, chat=group, topic=5)
            await chats.taken()
            await telegram.says(f"{name} Who is it?", user=ANNA, chat=group, topic=5)
            await chats.taken()
            asked = json.dumps(server.requests[-1])

    assert "Who is it?" in asked
    assert "The sky is blue." in asked
    assert "Novak" in asked
    assert "Lindqvist" not in asked


async def test_an_edit_reaches_the_memory_that_its_chat_used_before(tmp_path: Path) -> None:
    """What the message said there is told no more, it reminds of nothing, and what it says now is in the new one."""
    async with opened(tmp_path) as talk:
        await talk.say("My vet is Dr. Lind.", message_id=MESSAGE)
        await talk.say("Remind me in two days at 9 to call Ludmila.", message_id=902)
        await talk.say("/settings scope chat")
        await talk.edit("My vet is Dr. Novak.")
        await talk.edit("Never mind.", 902)
        now = await talk.say("Who is my vet?")
        await talk.say("/settings scope default")
        before = [await talk.say(text) for text in ("Who is my vet?", "/memory", "/reminders")]

    assert "Novak" in now
    assert not any(word in each for each in before for word in ("Lind", "Novak", "Ludmila"))


async def test_an_edit_that_overtakes_its_message_holds(tmp_path: Path) -> None:
    """What the message said at first comes too late, after a restart too, and sets no reminder either."""
    reminder = "Remind me in two days at 9 to call Ludmila."
    async with FakeTelegram() as telegram:
        async with run_on_telegram(tmp_path, telegram) as chats:
            await Talk(chats).edit("My vet is Dr. Novak.")
            await Talk(chats).edit("Never mind.", 902)
        async with run_on_telegram(tmp_path, telegram) as chats:
            shown = len(telegram.texts(ANNA))
            for number, message_id, text in ((990, MESSAGE, "My vet is Dr. Lind."), (991, 902, reminder)):
                late = telegram.message(text, user=ANNA, message_id=message_id)
                await telegram.push({"message": late, "update_id": number})
            await chats.taken()
            told = telegram.texts(ANNA)[shown:]
            await telegram.push({"message": telegram.message("Good morning.", user=ANNA), "update_id": 2000})
            await chats.taken()
            answers = await Talk(chats).list_answers("Who is my vet?")
            reminders = await Talk(chats).say("/reminders")

    assert told == []
    assert all("Novak" in each and "Lind" not in each for each in answers)
    assert "Ludmila" not in reminders


@pytest.mark.parametrize("told", ["edit", "No wait, my plumber is Mr. Novak."])
async def test_an_edit_reaches_what_others_have_quoted_since(tmp_path: Path, told: str) -> None:
    """What Bob's reply brought along goes as the message says it no more; his words stay, and what another said.

    Red where answers alone were looked through: the model read the old words below "In reply to Anna".
    """
    group, bob = -100, 9
    async with FakeTelegram() as telegram, FakeOpenAi(default=lambda _: Says("All right.")) as server:
        model = {"llm": {"url": server.url, "model": "fake-model"}}
        people = {"allowedUsers": [ANNA, bob], "allowedChats": [group]}
        async with run_on_telegram(tmp_path, telegram, others=model, **people) as chats:
            telegram.chats.meet(group)

            async def say(text: str, user: int = ANNA, quoted: str = "", **more: Any) -> str:
                if quoted:
                    more["reply_to_message"] = telegram.message(quoted, user=ANNA, chat=group)
                return await chats.ask(f"@mneme_bot {text}", user=user, chat=group, **more)

            await say("My plumber is Mr. Kovacs. My car is blue.", message_id=MESSAGE)
            await say("I will call him on Monday.", bob, "@mneme_bot My plumber is Mr. Kovacs. My car is blue.")
            await say("I know that shop.", bob, "Kovacs repaired the bicycle of my aunt.")
            before = json.dumps(server.requests[-1]["messages"])
            if told == "edit":
                changed = "@mneme_bot My plumber is Mr. Novak. My car is blue."
                await telegram.edits(changed, user=ANNA, chat=group, message_id=MESSAGE)
                await chats.taken()
            else:
                await say(told)
            await say("Who calls whom?", bob)
            after = json.dumps(server.requests[-1]["messages"])

    assert "> My plumber is Mr. Kovacs." in before
    assert "> My plumber is Mr. Kovacs." not in after
    assert "Mr. Novak" in after
    assert "I will call him on Monday." in after
    assert "> My car is blue." in after
    assert "Kovacs repaired the bicycle" in after
