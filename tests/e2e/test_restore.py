"""Export, erase everything, import: the same answers, here and elsewhere; and what a stranger's file cannot do."""

from __future__ import annotations

import asyncio
import json
import random
import re
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from bot.cli.commands import app
from bot.errors import ImportRefused
from bot.runtime.installation import only_mneme
from harness.application import ANNA, NO_RAG, RunningChats, TelegramChats, run_chats, run_on_telegram, tag_of
from harness.archives import forge, read_texts
from harness.fakes.telegram import FakeTelegram
from harness.samples import WordEmbedder

TURNS: Final = 45
THINGS: Final = ("violin", "parcel", "locker", "garage", "ferry", "cellar", "bicycle", "kennel", "telescope", "kayak")
PEOPLE: Final = ("Vera", "Paul", "Nadia", "Tomas", "Ines", "Karl", "Lena", "Hugo", "Marta", "Olaf")
TOWNS: Final = ("Porto", "Ghent", "Lviv", "Turin", "Bergen", "Graz", "Cork", "Riga", "Basel", "Varna")


def list_statements() -> list[str]:
    """Return forty-five made-up statements: facts, changes of facts, a wish, and talk between them."""
    dice = random.Random(20260207)
    said = [f"My {thing} is kept in {town}." for thing, town in zip(THINGS, TOWNS, strict=True)]
    said += [f"My friend {person} lives in {town}." for person, town in zip(PEOPLE, reversed(TOWNS), strict=True)]
    said += ["Always answer in metric units.", "My friend Vera lives in Oslo.", "I prefer tea to coffee."]
    while len(said) < TURNS:
        number = len(said)
        said.append(f"On trip {number} we saw {dice.choice(THINGS)} number {number} near {dice.choice(TOWNS)}.")
    dice.shuffle(said)
    return said


QUESTIONS: Final = [
    *(f"Where is my {thing} kept?" for thing in THINGS[:6]),
    *(f"Where does my friend {person} live?" for person in PEOPLE[:4]),
    "What did we see on trip 37?",
    "What do I prefer to coffee?",
]


async def ask_all(chats: RunningChats, chat: int) -> list[str]:
    """Ask a dozen questions in a new conversation, which then is forgotten."""
    await chats.say(chat, "/new")
    return [await chats.say(chat, question) for question in QUESTIONS]


async def run(*arguments: str) -> dict[str, Any]:  # Any: JSON
    """Run a command of the terminal with ``--json`` on a thread of its own."""
    done = await asyncio.to_thread(CliRunner().invoke, app, [*arguments, "--json"], catch_exceptions=False)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def options(folder: Path) -> tuple[str, ...]:
    return ("--data", str(folder / "data"), "--preferences", str(folder / "preferences"))


@pytest.mark.usefixtures("away")
async def test_the_same_answers_after_export_erase_and_import(tmp_path: Path) -> None:
    """A dozen questions to forty-five turns, byte for byte: restored here while Mneme runs, and elsewhere."""
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "mine.zip"
    here.mkdir()
    there.mkdir()
    async with run_chats(here, NO_RAG, WordEmbedder()) as chats:
        for line in list_statements():
            await chats.say(0, line)
        await chats.say(0, "/export")
        (written,) = chats.folders.exports.iterdir()
        file.write_bytes(written.read_bytes())
        before = await ask_all(chats, 0)
        memories = await chats.say(0, "/memory all")
        await chats.say(0, "/forget everything yes")
        empty = await ask_all(chats, 0)
        await chats.say(0, "/forget everything yes")
        with only_mneme(chats.folders):  # as a running Mneme does: the terminal hands in, and it is done here
            told = await run("import", str(file), "--scope", tag_of(0), *options(here))
            after = await ask_all(chats, 0)
            again = await run("import", str(file), "--scope", tag_of(0), *options(here))

        assert sum("Porto" in answer or "kept in" in answer for answer in before) >= 5
        assert empty != before
        assert (told["added"], told["known"]) == (told["messages"] + told["memories"], 0)
        assert after == before
        assert again["added"] == 0
        assert (await chats.say(0, "/memory all")) == memories

    async with run_chats(there, NO_RAG, WordEmbedder()) as chats:
        told = await run("import", str(file), "--scope", tag_of(0), "--trust", *options(there), "--as", "nobody")
        assert told["added"] > TURNS
        assert await ask_all(chats, 0) == before


def write_statements(tmp_path: Path) -> Path:
    """Return the export of a small memory of a Telegram user's."""

    async def talk() -> Path:
        async with run_chats(tmp_path / "other", NO_RAG, WordEmbedder()) as chats:
            for line in ("My sister Vera lives in Porto.", "Always answer in metric units.", "My PIN hint is the dog."):
                await chats.say(0, line)
            await chats.say(0, "/remind in 3 days water the ferns")
            await chats.say(0, "/export")
            (written,) = chats.folders.exports.iterdir()
            assert "water the ferns" in read_texts(written)
            return written

    (tmp_path / "other").mkdir()
    return asyncio.run(talk())


def read_trusts(data: Path) -> set[tuple[int, int]]:
    """Return author and trust of everything that is kept, of exchanges and of memories."""
    with closing(sqlite3.connect(data / "mneme.db")) as connection:
        return set(
            connection.execute("SELECT author_id, trust FROM exchanges UNION SELECT author_id, trust FROM items")
        )


@pytest.mark.usefixtures("away")
def test_an_export_of_a_stranger_is_believed_no_further_than_who_brings_it(tmp_path: Path) -> None:
    """As nobody: all is passed on, nothing learned.  As its author: the words become the user's, with their trust.

    Mutation check: without the cap in ``_claim`` and ``_build_outside`` the file's own trust comes in.
    """
    forged = forge(write_statements(tmp_path), tmp_path / "forged.zip", b'"trust":"user"', b'"trust":"owner"')
    told = {
        name: json.loads(
            CliRunner()
            .invoke(
                app,
                ["import", str(forged), "--json", "--user", "7", "--as", who, "--data", str(tmp_path / name)],
                catch_exceptions=False,
            )
            .stdout
        )
        for name, who in (("passed", "nobody"), ("own", "1000"))
    }

    assert (told["passed"]["added"], told["passed"]["memories"]) == (3, 0)
    assert told["passed"]["leftOut"].keys() == {"NOT_YOURS"}
    assert told["own"]["memories"] >= 2
    assert read_trusts(tmp_path / "passed") == {(7, 3)}
    with closing(sqlite3.connect(tmp_path / "passed" / "mneme.db")) as connection:
        assert all("forwarded" in parts for (parts,) in connection.execute("SELECT parts FROM exchanges"))
        assert connection.execute("SELECT count(*) FROM items").fetchone() == (0,)
    assert read_trusts(tmp_path / "own") == {(7, 3)}
    for name in told:
        with closing(sqlite3.connect(tmp_path / name / "mneme.db")) as connection:
            assert connection.execute("SELECT count(*) FROM reminders").fetchone() == (0,)


def swell(archive: zipfile.ZipFile) -> None:
    archive.writestr("result.json", b'{"messages": [' + b" " * 50_000_000)


def crowd(archive: zipfile.ZipFile) -> None:
    for number in range(9_000):
        archive.writestr(zipfile.ZipInfo(f"{number:0500}/x"), b"")


def climb(archive: zipfile.ZipFile) -> None:
    archive.writestr("../../etc/passwd.md", b"root")


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize(("fill", "said"), [(swell, "swells"), (crowd, "more files"), (climb, "no conversations")])
def test_a_hostile_zip_is_refused_and_leaves_nothing(tmp_path: Path, fill: Any, said: str) -> None:
    """Bombs, a crowd of files and names that climb out of the folder; nothing is unpacked, no database is made."""
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        fill(archive)

    with pytest.raises(ImportRefused, match=said):
        CliRunner().invoke(app, ["import", str(file), "--data", str(tmp_path / "data")], catch_exceptions=False)
    assert not (tmp_path / "data" / "mneme.db").exists()
    assert {path.name for path in tmp_path.iterdir()} <= {"bad.zip", "data"}


@pytest.mark.usefixtures("away")
def test_a_changed_or_cut_export_is_refused(tmp_path: Path) -> None:
    """Another word, a missing file, half of the zip: the error says which, and nothing is stored."""
    file = write_statements(tmp_path)
    changed, lacking, cut = (tmp_path / name for name in ("changed.zip", "lacking.zip", "cut.zip"))
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    for path, left_out in ((changed, ""), (lacking, "data/items.jsonl")):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in contents.items():
                if name != left_out:
                    archive.writestr(name, content.replace(b"Porto", b"Lisbo") if path is changed else content)
    cut.write_bytes(file.read_bytes()[:-400])

    for path, said in ((changed, "was changed"), (lacking, "lacks"), (cut, "no end")):
        with pytest.raises(ImportRefused, match=said):
            CliRunner().invoke(app, ["import", str(path), "--data", str(tmp_path / "data")], catch_exceptions=False)
    assert not (tmp_path / "data" / "mneme.db").exists()


@pytest.mark.usefixtures("away")
def test_conversations_are_read_out_of_the_zip_they_came_in(tmp_path: Path) -> None:
    """Whatever else stands in it."""
    said = {"uuid": "m", "sender": "human", "created_at": "2026-02-07T14:30:00Z", "text": "My dog is called Rex."}
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("users.json", "[]")
        archive.writestr("conversations.json", json.dumps([{"uuid": "k", "name": "T", "chat_messages": [said]}]))
    done = CliRunner().invoke(
        app, ["import", str(tmp_path / "data.zip"), "--json", "--data", str(tmp_path / "data")], catch_exceptions=False
    )
    assert json.loads(done.stdout)["added"] == 1
    assert not list((tmp_path / "data" / "imports").iterdir())


@pytest.mark.usefixtures("away")
async def test_documents_come_back_too(tmp_path: Path) -> None:
    """With their sections: the same passage is quoted before and after; a second import keeps one of each."""
    report = b"# Harbour report\n\n## Tides\n\nThe highest tide was 3.2 metres on 4 March 2025.\n"
    question = "How high was the highest tide?"
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ANNA)
        async with run_on_telegram(tmp_path, telegram) as talk:
            await telegram.sends(report, user=ANNA, name="report.md")
            await talk.next(ANNA, 0)
            before = await talk.ask(question)
            await run_export(talk, tmp_path / "mine.zip")
            await talk.ask("/forget everything yes")
            empty = await talk.ask(question)
            await talk.ask("/forget everything yes")
            for _ in range(2):
                told = await run("import", str(tmp_path / "mine.zip"), "--scope", f"tu{ANNA}", *options(tmp_path))
            after = await talk.ask(question)
            listed = await talk.ask("/docs")

    assert "3.2 metres" in before
    assert "3.2 metres" not in empty
    assert after == before
    assert told["added"] == 0
    assert listed.count("report.md") == 1
    assert "> The highest tide was 3.2 metres" in read_texts(tmp_path / "mine.zip")


async def run_export(talk: TelegramChats, out: Path) -> None:
    """Export Anna's memory in the terminal, while the bot runs."""
    data = talk.app.parts.places
    arguments = ["export", "--scope", f"tu{ANNA}", "--out", str(out), "--data", str(data.data)]
    await asyncio.to_thread(CliRunner().invoke, app, arguments, catch_exceptions=False)


@pytest.mark.usefixtures("away")
async def test_reminders_and_conversations_come_back_once(tmp_path: Path) -> None:
    """A title, when and where it was said, what is still to come: there as before, and twice imported no more of it.

    Mutation check: red where reminders that are there already, or over, are kept again.
    """
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ANNA)
        async with run_on_telegram(tmp_path, telegram) as talk:
            for text in (
                "/new Boats",
                "My sister Vera lives in Porto.",
                "/remind in 3 days water the ferns",
                "/remind every day at 8:00 take the pills",
                "/remind every day at 20:00 take the pills",
                "/new",
                "My dentist is Dr. Almeida.",
            ):
                await talk.ask(text)
            before = [await look(talk, command) for command in ("/sessions", "/remind")]
            await run_export(talk, tmp_path / "mine.zip")
            await talk.ask("/forget everything yes")
            empty = [await look(talk, command) for command in ("/sessions", "/remind")]
            after = []
            for _ in range(2):
                told = await run("import", str(tmp_path / "mine.zip"), "--scope", f"tu{ANNA}", *options(tmp_path))
                after.append([await look(talk, command) for command in ("/sessions", "/remind")])

    assert "Boats" in before[0]
    assert "Boats" not in empty[0]
    assert before[1].count("take the pills") == 2
    assert "ferns" not in empty[1]
    assert after == [before, before]
    assert told["added"] == 0


@pytest.mark.usefixtures("away")
async def test_what_a_chat_chose_comes_back_where_it_has_chosen_nothing(tmp_path: Path) -> None:
    """On a new machine, by the operator's word alone; what was chosen there stays.

    Mutation check: red where a file's choices take the place of a chat's own, or need no word.
    """
    there = tmp_path / "there"
    there.mkdir()
    bring = ["import", str(tmp_path / "mine.zip"), "--scope", f"tu{ANNA}", "--as", "nobody"]
    async with FakeTelegram() as telegram:
        telegram.chats.meet(ANNA)
        async with run_on_telegram(tmp_path, telegram) as talk:
            for text in ("My dog is Rex.", "/settings zone Asia/Tokyo", "/settings quiet 22:00-7:00"):
                await talk.ask(text)
            chosen = talk.app.parts.chat_settings.list_chats()
            await run_export(talk, tmp_path / "mine.zip")
        async with run_on_telegram(there, telegram) as talk:
            settings = talk.app.parts.chat_settings
            with only_mneme(talk.app.parts.places):  # so that it is done by who runs
                await run(*bring, *options(there))
                doubted = settings.list_chats()
                await run(*bring, "--trust", *options(there))
                brought = settings.list_chats()
                await talk.ask("/settings zone Europe/Oslo")
                await run(*bring, "--trust", *options(there))
                after = settings.list_chats()

    assert [each.time_zone for _, each in chosen] == ["Asia/Tokyo"]
    assert chosen[0][1].quiet_from is not None
    assert doubted == ()
    assert brought == chosen
    assert [each.time_zone for _, each in after] == ["Europe/Oslo"]


async def look(talk: TelegramChats, command: str) -> str:
    """Return what a command shows, without the numbers that are never given twice and the mark of the open session."""
    return re.sub(r"(?m)^\d+\. | \(now\)", "", await talk.ask(command))
