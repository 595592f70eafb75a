"""P17: what a message asked for or brought goes with the words that an edit has taken out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.memory.scope import Scope
from bot.messages import Address
from bot.turn import Exchange
from harness.application import ANNA, TelegramChats, run_on_telegram
from harness.fakes.openai import FakeOpenAi
from harness.fakes.telegram import FakeTelegram

MESSAGE, FIRST, SECOND = 901, 911, 912


def list_files_with(folder: Path, words: bytes) -> list[str]:
    """Return the files below a folder that hold these bytes."""
    return [file.name for file in folder.rglob("*") if file.is_file() and words in file.read_bytes()]


async def edit(chats: TelegramChats, text: str) -> None:
    """Let Anna edit her message, and wait until that is done."""
    await chats.telegram.edits(text, user=ANNA, message_id=MESSAGE)
    await chats.taken()


async def list_said(chats: TelegramChats) -> tuple[Exchange, ...]:
    """Return what holds of the conversation."""
    turns = chats.app.parts.turns
    session = await turns.session(Address("telegram", 42, ANNA))
    return await turns.history(Scope(f"tu{ANNA}"), session.id, 50)


@pytest.mark.parametrize("model", [False, True])
@pytest.mark.parametrize(
    "asked",
    [
        "Where does Otto live?",
        "What do you know about Otto?",
        "What did I tell you today?",
        "What has changed about Otto?",
        "Summarise what I told you about Otto.",
        "What is on tomorrow?",
    ],
)
async def test_a_message_that_becomes_a_question_is_not_answered_by_its_former_words(
    tmp_path: Path, asked: str, *, model: bool
) -> None:
    """Seen to fail: until the edit was stored its former words held, on the timeline and the day as well."""
    async with FakeTelegram() as telegram, FakeOpenAi(models=("scripted",)) as server:
        others = {"llm": {"url": server.url, "model": "scripted"}} if model else {}
        async with run_on_telegram(tmp_path, telegram, others=others) as chats:
            await chats.ask("Otto lives in Bern. Otto comes from Bern tomorrow at 5 pm.", message_id=MESSAGE)
            await chats.ask("/new")
            await edit(chats, asked)
            shown = "\n".join(each.text for each in telegram.chats.of(ANNA))

    assert "Bern" not in shown
    assert not server.requests or "Bern" not in str(server.requests[-1])
    assert model is bool(server.requests)


@pytest.mark.usefixtures("noon")
async def test_a_reminder_goes_when_its_message_asks_for_none(tmp_path: Path) -> None:
    """One that is asked for anew takes its place, one of another message stays, and /forget finds the newest."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        await chats.ask("/remind in two days at 10:00 feed the cat")
        await chats.ask("Remind me in two days at 9 am to call Vera", message_id=MESSAGE)
        listed = []
        for text in (
            "Remind me in two days at 11 am to call Vera",
            "My boat is blue.",
            "Remind me in two days at noon to row",
        ):
            await edit(chats, text)
            listed.append(await chats.ask("/reminders"))
        await chats.ask("/forget row")
        left = await chats.ask("/reminders")

    assert all("10:00: feed the cat" in each for each in (*listed, left))
    assert "11:00: call Vera" in listed[0]
    assert "Vera" not in listed[1] + listed[2]
    assert "row" in listed[2]
    assert "row" not in left


@pytest.mark.parametrize("slip", ["oops, 503917", "sorry, 503917 not 509317"])
async def test_what_puts_a_secret_right_by_an_edit_is_left_out(tmp_path: Path, slip: str) -> None:
    """As in a message of its own.  Seen to fail: the right one was stored, and told."""
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        await chats.ask("my card pin is 509317")
        await chats.ask("oops, wait a sec", message_id=MESSAGE)
        await edit(chats, slip)
        await chats.ask("/new")
        told = await chats.ask("what is my card pin?")

    assert "503917" not in told
    assert not list_files_with(tmp_path, b"503917")


async def test_a_document_goes_when_its_message_brings_another(tmp_path: Path) -> None:
    """That it cannot be fetched again below a new caption takes nothing away, nor from the rest of an album.

    The parts of an album and edits of them that arrive at once are told apart.
    """
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        names = ("plan", "other", "third", "fourth")
        files = {
            name: telegram.files.attach("document", f"# {name}\nIt is about {name}.\n".encode(), name=f"{name}.md")
            for name in names
        }
        alone = telegram.message("", user=ANNA, message_id=MESSAGE)
        parts = [telegram.message("", user=ANNA, message_id=each, media_group_id="7") for each in (FIRST, SECOND)]
        await telegram.push({"message": alone | files["plan"]})
        await chats.taken()
        swapped = alone | files["other"]
        await telegram.push({"edited_message": swapped})
        await chats.taken()
        listed = [await chats.ask("/docs")]
        telegram.files.lose(files["other"]["document"]["file_id"])
        await telegram.push({"edited_message": swapped | {"caption": "My boat is blue."}})
        await telegram.push({"message": parts[0] | files["plan"] | {"caption": "My car is green."}})
        await telegram.push({"message": parts[1] | files["third"]})
        await telegram.push({"edited_message": parts[0] | files["plan"] | {"caption": "My car is red."}})
        await chats.taken()
        listed.append(await chats.ask("/docs"))
        colour = await chats.ask("What colour is my car?")
        await telegram.push({"edited_message": parts[0] | files["plan"] | {"caption": "My car is blue."}})
        await telegram.push({"edited_message": parts[1] | files["fourth"]})
        await chats.taken()
        listed.append(await chats.ask("/docs"))

    shown = [{name for name in names if f"{name}.md" in each} for each in listed]
    assert shown == [{"other"}, {"other", "plan", "third"}, {"other", "plan", "fourth"}]
    assert "red" in colour
    assert "green" not in colour


async def test_one_of_several_messages_is_edited_in_its_place(tmp_path: Path) -> None:
    """The other part of a paste, or caption of an album, stays with it, after a restart too, whichever is edited.

    What was corrected since stays so, and forgotten parts come back with none.
    """
    filling = ("We spoke of trams. " * 200).strip()
    paste, album = (FIRST, SECOND), (921, 922)
    async with FakeTelegram() as telegram:
        photo = telegram.files.attach("photo", b"\xff\xd8\xff" + bytes(100)) | {"media_group_id": "7"}

        async def send(kind: str, number: int, text: str) -> None:
            told = telegram.message("" if number in album else text, user=ANNA, message_id=number)
            await telegram.push({kind: told | ({"caption": text} | photo if number in album else {})})

        async with run_on_telegram(tmp_path, telegram) as chats:
            await send("message", paste[0], f"My vet is Dr. Lind. {filling}")
            await send("message", paste[1], "My boat is called Marlin.")
            await chats.taken()
            await send("message", album[0], "My bike is red. My tailor is Mr. Lind.")
            await send("message", album[1], "My car is red.")
            await chats.taken()
            await chats.ask("Not Lind, Kovacs")
        async with run_on_telegram(tmp_path, telegram) as chats:
            await send("edited_message", paste[1], "My boat is called Herring.")
            await send("edited_message", paste[0], f"My vet is Dr. Novak. {filling}")
            await send("edited_message", album[1], "My car is blue.")
            await send("edited_message", album[0], "My bike is blue. My tailor is Mr. Lind.")
            await chats.taken()
            edited = await list_said(chats)
            forgotten = next(each for each in edited if "Herring" in each.said)
            await chats.ask(f"/forget turn:{forgotten.uid}")
            await send("edited_message", paste[1], "My boat is green.")
            await chats.taken()
            left = await list_said(chats)

    said, after = [each.said for each in edited], [each.said for each in left]
    assert f"My vet is Dr. Novak. {filling}\nMy boat is called Herring." in said
    assert "My bike is blue.\nMy car is blue." in said
    assert not any(word in each for each in said for word in ("Mr. Lind", "Marlin", "red."))
    assert "My boat is green." in after
    assert not any("Novak" in each for each in after)


async def test_what_was_spoken_stays_below_a_new_caption_while_nobody_listens(tmp_path: Path) -> None:
    """The endpoint is gone, after a restart, when the caption is edited: it is not asked again for what was heard."""
    async with FakeTelegram() as telegram, FakeOpenAi(models=("whisper-1",)) as server:
        server.transcripts.append("My dentist is Doctor Lind.")
        voice = {"voice": {"url": server.url, "model": "whisper-1"}}
        file = telegram.files.attach("voice", b"OggS" + bytes(2000), media_type="audio/ogg")
        sent = telegram.message("", user=ANNA, message_id=MESSAGE, **file)
        async with run_on_telegram(tmp_path, telegram, others=voice) as chats:
            await telegram.push({"message": sent | {"caption": "My boat is called Marlin."}})
            await chats.taken()
        async with run_on_telegram(tmp_path, telegram) as chats:
            for colour in ("red", "blue"):
                await telegram.push({"edited_message": sent | {"caption": f"My boat is {colour}."}})
                await chats.taken()
            told = await chats.ask("Who is my dentist?"), await chats.ask("What colour is my boat?")

    assert "Lind" in told[0]
    assert "blue" in told[1]
    assert "red" not in told[1]
    assert len(server.recordings) == 1


@pytest.mark.parametrize("since", ["I like tea.", "/new"])
async def test_an_edited_correction_corrects_what_its_message_says_now(tmp_path: Path, since: str) -> None:
    """It held as it was first said, whatever became of the message; edited into something else it is put back.

    In the next conversation, too: red where the message was looked for in this one alone.
    """
    async with FakeTelegram() as telegram, run_on_telegram(tmp_path, telegram) as chats:
        await chats.ask("My boat is called Marlin.")
        await chats.ask("No wait, Herring, I mixed them up", message_id=MESSAGE)
        await chats.ask(since)
        told = []
        for text in ("No wait, Sardine, I mixed them up", "The harbour is full of seals."):
            await edit(chats, text)
            told.append(telegram.texts(ANNA)[-1])
            told.append(await chats.ask("What is my boat called?") + await chats.ask("/memory"))

    assert told[0].startswith("Corrected: “My boat is called Sardine.”")
    assert "Sardine" in told[1]
    assert "Corrected: “My boat is called Marlin.”" in told[2]
    assert "Marlin" in told[3]
    assert not any("Herring" in each for each in told)
    assert "Sardine" not in told[3]
