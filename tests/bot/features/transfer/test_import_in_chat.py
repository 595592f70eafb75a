"""A conversation sent to the bot as a file: shown first, imported while it answers, once, whatever is killed when."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.sqlite.imported import SqliteImports
from bot.cli.commands import app
from bot.errors import StorageUnavailable
from bot.features.transfer.importing import ImportRules
from bot.features.transfer.source import ImportSource
from bot.memory.scope import Scope
from bot.ports.transfer import Imported, ImportedBatch, ImportProgress
from harness.application import ANNA, TelegramChats, run_console, run_on_telegram
from harness.archives import forge
from harness.fakes.telegram import FakeTelegram
from harness.fakes.telegram.chats import Shown
from tests.adapters.sqlite.test_erased_bytes import grep
from tests.adapters.sqlite.test_faults import files_end_at

MESSAGES = 120


def make_chat(total: int = MESSAGES, me: str = "user1") -> bytes:
    """Return a chat of Telegram Desktop between me and Bob."""
    said = {
        50: ("user2", "My sister Vera lives in Porto, near the river."),
        51: (me, "My dentist is Dr. Almeida on Rua Nova."),
    }
    messages: list[Any] = []
    for number in range(1, total + 1):
        author, text = said.get(number, (("user2", me)[number % 2], f"The parcel number {number} came in the morning."))
        name = "Bob" if author == "user2" else "Ann Other"
        when = str(1_672_531_200 + number * 60)
        messages.append(
            {"id": number, "type": "message", "date_unixtime": when, "from": name, "from_id": author, "text": text}
        )
    return json.dumps({"name": "Bob", "type": "personal_chat", "id": 2, "messages": messages}).encode()


async def send(talk: TelegramChats, content: bytes, caption: str = "/import", name: str = "result.json") -> Shown:
    """Send a file and return the message that the chat shows then."""
    before = len(talk.telegram.texts(ANNA))
    more: dict[str, Any] = {"caption": caption} if caption else {}  # Any: JSON
    await talk.telegram.sends(content, user=ANNA, name=name, **more)
    await talk.next(ANNA, before)
    return talk.telegram.chats.of(ANNA)[-1]


async def press(talk: TelegramChats, shown: Shown, label: str) -> None:
    """Press the button whose label holds a text."""
    rows = (shown.keyboard or {})["inline_keyboard"]
    buttons = [button for row in rows for button in row]
    (data,) = [button["callback_data"] for button in buttons if label in button["text"]]
    await talk.telegram.presses(data, user=ANNA, shown=shown)


async def until_told(talk: TelegramChats, words: str) -> str:
    """Return the newest message of the chat that holds these words, once there is one."""
    await talk.telegram.until(lambda: any(words in text for text in talk.telegram.texts(ANNA)))
    return next(text for text in reversed(talk.telegram.texts(ANNA)) if words in text)


def count(folder: Path) -> tuple[int, int]:
    """Return how many exchanges were imported, and how many of them are different."""
    with closing(sqlite3.connect(folder / "data" / "mneme.db")) as connection:
        found: tuple[int, int] = connection.execute(
            "SELECT count(*), count(DISTINCT uid) FROM exchanges WHERE uid LIKE 'i%'"
        ).fetchone()
        return found


async def test_a_full_disk_is_not_taken_for_a_file_that_did_not_come(tmp_path: Path, telegram: FakeTelegram) -> None:
    """To send it again would not help: red where it was asked for.  With room again it is shown."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        with files_end_at(0):
            refused = await send(talk, make_chat())
        shown = await send(talk, make_chat())

    assert "memory cannot be reached" in refused.text
    assert "messages: 120" in shown.text
    assert list((tmp_path / "data" / "imports").glob("*/*")) != []


async def test_a_file_is_shown_then_imported_for_whoever_is_named(tmp_path: Path, telegram: FakeTelegram) -> None:
    """Counts, people and dates before anything is stored; afterwards it answers, and a second time adds nothing."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        shown = await send(talk, make_chat())
        before = count(tmp_path)
        await press(talk, shown, "Ann Other")
        done = await until_told(talk, "is imported")
        dentist = await talk.ask("Who is my dentist?")
        vera = await talk.ask("Where does Vera live?")
        again = await send(talk, make_chat())
        await press(talk, again, "Ann Other")
        twice = await until_told(talk, "New: 0")

    assert f"messages: {MESSAGES}, chats: 1, from 1 January 2023 to 1 January 2023" in shown.text
    assert "Ann Other: " in shown.text
    assert "Which of these" not in shown.text
    assert before == (0, 0)
    assert f"New: {MESSAGES}" in done
    assert "Almeida" in dentist
    assert "Bob" in vera
    assert f"here already: {MESSAGES}" in twice
    assert not list((tmp_path / "data" / "imports").iterdir())


async def test_whoever_has_their_id_in_the_file_is_not_asked(tmp_path: Path, telegram: FakeTelegram) -> None:
    """And what was shown can be cancelled, which leaves nothing."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        shown = await send(talk, make_chat(me=f"user{ANNA}"))
        await press(talk, shown, "Cancel")
        cancelled = await until_told(talk, "was cancelled")

    assert "You are Ann Other." in shown.text
    assert "stays: 0" in cancelled
    assert count(tmp_path) == (0, 0)
    assert not list((tmp_path / "data" / "imports").iterdir())


async def test_a_file_that_is_none_is_refused_and_leaves_nothing(tmp_path: Path, telegram: FakeTelegram) -> None:
    """The chat is told why."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        shown = await send(talk, b'{"messages": [{"id": 1, "text": "cut')

    assert "cannot be imported" in shown.text
    assert "result.json" in shown.text
    assert not list((tmp_path / "data" / "imports").iterdir())


async def test_an_import_that_is_cut_off_five_times_is_there_once(
    tmp_path: Path, telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended around its batches, it goes on after each start by itself and tells its end; every message is there once.

    Mutation check: with new names for exchanges at every start there are several of each.
    """
    add, cut = SqliteImports.add, asyncio.Event()
    left = [2]

    async def cut_off(
        store: SqliteImports, scope: Scope, batch: Sequence[Imported], progress: ImportProgress
    ) -> ImportedBatch:
        left[0] -= 1
        if left[0] == 0:
            cut.set()
            raise StorageUnavailable("cut off")
        if left[0] < 0:
            await asyncio.sleep(3600)
        return await add(store, scope, batch, progress)

    monkeypatch.setattr(SqliteImports, "add", cut_off)
    async with run_on_telegram(tmp_path, telegram) as talk:
        shown = await send(talk, make_chat(400))
        await press(talk, shown, "Ann Other")
        await asyncio.wait_for(cut.wait(), 120)
    for number in range(3, 7):
        left[0] = number
        cut.clear()
        async with run_on_telegram(tmp_path, telegram) as talk:
            await asyncio.wait_for(cut.wait(), 120)
    monkeypatch.setattr(SqliteImports, "add", add)
    between = count(tmp_path)
    async with run_on_telegram(tmp_path, telegram) as talk:
        done = await until_told(talk, "is imported")

    assert 0 < between[0] < 400
    assert count(tmp_path) == (400, 400)
    assert "New: 400, here already: 0" in done


@pytest.mark.parametrize("what", ["everything yes", "Porto"])
async def test_an_erase_ends_an_import_under_way(
    tmp_path: Path, telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Nothing of the file comes in behind the erase, of all or of a word, and the file is gone before it is told so."""
    add, erased, begun = SqliteImports.add, asyncio.Event(), asyncio.Event()

    async def wait_between(
        store: SqliteImports, scope: Scope, batch: Sequence[Imported], progress: ImportProgress
    ) -> ImportedBatch:
        done = await add(store, scope, batch, progress)
        begun.set()
        await erased.wait()
        return done

    monkeypatch.setattr(SqliteImports, "add", wait_between)
    async with run_on_telegram(tmp_path, telegram) as talk:
        shown = await send(talk, make_chat(300))
        await press(talk, shown, "Ann Other")
        await asyncio.wait_for(begun.wait(), 120)
        await talk.ask(f"/forget {what}")
        left, files = count(tmp_path), list((tmp_path / "data" / "imports").iterdir())
        erased.set()
        await talk.ask("/import")
        await asyncio.sleep(0.3)

    assert files == []
    assert left == ((0, 0) if "everything" in what else (49, 49))
    assert count(tmp_path) == left


async def _until_told(telegram: FakeTelegram, sign: str) -> None:
    await telegram.until(lambda: sign in telegram.texts(ANNA)[-1])


async def test_what_one_import_brings_about_stops_no_other(
    telegram: FakeTelegram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with a reason, and the next one is done: one date had stopped the imports of every chat for good.

    Without the edge in the worker the second import never ends.
    """
    plan = ImportSource.plan

    def fail_once(source: ImportSource, rules: ImportRules, *, believed: bool = False) -> Iterator[Imported]:
        monkeypatch.setattr(ImportSource, "plan", plan)
        raise OverflowError("date value out of range")

    monkeypatch.setattr(ImportSource, "plan", fail_once)
    ends: list[str] = []
    async with run_on_telegram(tmp_path, telegram) as talk:
        for sign in ("OverflowError", "New: 20"):
            await press(talk, await send(talk, make_chat(20)), "Ann Other")
            await _until_told(telegram, sign)
            ends.append(telegram.texts(ANNA)[-1])
            ends.append(await talk.ask("/status"))

    assert "OverflowError" in ends[0]
    assert "The last import, result.json, was not done: it cannot be taken in (OverflowError)" in ends[1]
    assert "New: 20" in ends[2]
    assert "OverflowError" not in ends[3]


async def test_the_terminal_imports_a_file_by_its_path_while_it_runs(tmp_path: Path) -> None:
    """The same by commands, through the terminal's own receiver: shown, begun, told."""
    (tmp_path / "result.json").write_bytes(make_chat(30))
    async with run_console(tmp_path) as console:
        usage = await console.say("/import")
        missing = await console.say("/import nosuch.json")
        shown = await console.say(f"/import {tmp_path / 'result.json'}")
        (token,) = [path.name.rpartition("-")[2] for path in (tmp_path / "data" / "imports").iterdir()]
        await console.say(f"/import as {token} user1")
        for _ in range(1200):
            if "is imported" in console.messenger.answers[-1]:
                break
            await asyncio.sleep(0.05)
        told = console.messenger.answers[-1]

    assert "Name the file" in usage
    assert "could not be fetched" in missing
    assert "Name the file" in missing
    assert "messages: 30" in shown
    assert "New: 30" in told


async def test_an_export_without_a_word_is_not_kept_as_a_document(telegram: FakeTelegram, tmp_path: Path) -> None:
    """It is said how it is brought along; a caption that asks about it has it read like any file."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        told = await send(talk, make_chat(), caption="")
        before = len(telegram.texts(ANNA))
        await telegram.says("/docs", user=ANNA)
        await talk.next(ANNA, before)

    assert "result.json is an export of conversations" in told.text
    assert "result.json" not in telegram.texts(ANNA)[-1]


@pytest.mark.parametrize(("who", "forged"), [("None of them", True), ("User", False)])
async def test_nobody_in_an_export_from_elsewhere_is_who_it_says(
    tmp_path: Path, telegram: FakeTelegram, who: str, *, forged: bool
) -> None:
    """Another chat's export, of this very installation, puts words under Anna's number: they are not hers.

    Mutation check: red where a file that was written here is believed whatever memory it is of, and where the parts of
    a message keep the numbers of their authors.
    """
    mallory, words, data = 9, "I promised Mallory the harmonium for 500 euros.", tmp_path / "data"
    telegram.chats.meet(mallory)
    async with run_on_telegram(tmp_path, telegram, allowedUsers=[ANNA, mallory]) as talk:
        await talk.ask(words, user=mallory, forward_origin={"type": "hidden_user", "sender_user_name": "X", "date": 1})
        await talk.ask("My cello is kept in Ghent.", user=mallory)
        out = tmp_path / "mallory.zip"
        export = ["export", "--scope", f"tu{mallory}", "--out", str(out), "--data", str(data)]
        await asyncio.to_thread(CliRunner().invoke, app, export, catch_exceptions=False)
        if forged:
            out = forge(out, tmp_path / "forged.zip", b'"author":"X","author_id":0', b'"author":"","author_id":7')
        shown = await send(talk, out.read_bytes(), name="mallory.zip")
        await press(talk, shown, who)
        await until_told(talk, "is imported")
        told = await talk.ask("Who was promised the harmonium?")
        memories = await talk.ask("/memory cello")

    assert words in told
    assert "you, forwarded" not in told
    assert ("Ghent" in memories) == (who == "User")
    with closing(sqlite3.connect(data / "mneme.db")) as connection:
        brought = "SELECT parts FROM exchanges JOIN scopes ON scopes.no = scope_no WHERE tag = ? AND uid LIKE 'x%'"
        numbers = {part["author_id"] for (each,) in connection.execute(brought, ("tu7",)) for part in json.loads(each)}
    assert numbers == {0}


@pytest.mark.parametrize(
    ("prices", "money"), [([{"model": "small*", "prompt": 1000, "completion": 2}], "USD"), ([], "")]
)
async def test_it_is_said_what_reading_a_file_costs(
    tmp_path: Path, telegram: FakeTelegram, prices: list[object], money: str
) -> None:
    """In tokens, and in money where the model has a price; in the chat as in the terminal."""
    nowhere = "http://127.0.0.1:9"
    others = {
        "rag": {"enabled": True, "url": nowhere, "apiKey": "k"},
        "llm": {"url": nowhere, "model": "small-1"},
        "costs": {"prices": prices},
    }
    (tmp_path / "result.json").write_bytes(make_chat())
    places = ["--data", str(tmp_path / "none"), "--preferences", str(tmp_path / "preferences")]
    command = ["import", str(tmp_path / "result.json"), "--dry-run", "--json", "--platform", "console", *places]
    async with run_on_telegram(tmp_path, telegram, others=others) as talk:
        shown = await send(talk, make_chat())
        done = await asyncio.to_thread(CliRunner().invoke, app, command, catch_exceptions=False)
    told = json.loads(done.stdout)

    assert f"about {told['tokens']:,} tokens" in shown.text
    assert told["money"].endswith(money)
    assert (f"about {told['money']}, without what the model writes" in shown.text) == bool(money)
    assert not money or float(told["money"].split()[0]) == pytest.approx(told["tokens"] / 1000, abs=0.01)


async def test_an_import_is_forgotten_as_a_whole(tmp_path: Path, telegram: FakeTelegram) -> None:
    """What it brought goes, by itself offered and after a press; what was said here before and after stays."""
    async with run_on_telegram(tmp_path, telegram) as talk:
        await talk.ask("My locker is number 12.")
        await press(talk, await send(talk, make_chat()), "Ann Other")
        await until_told(talk, "is imported")
        await talk.ask("My bicycle is called Otto.")
        offered = [await talk.ask(order) for order in ("forget the import", "vergiss den Import", "забудь импорт")]
        await press(talk, telegram.chats.of(ANNA)[-1], "1")
        receipt = await until_told(talk, "/undo")
        await talk.app.parts.housekeeping.lapse(everything=True)
        left = [await talk.ask(asked) for asked in ("What is my locker?", "What is my bicycle called?")]
        nothing = await talk.ask("forget the import")

    assert [f"result.json ({MESSAGES})" in each for each in offered] == [True] * 3
    assert receipt
    assert ["12" in left[0], "Otto" in left[1]] == [True, True]
    assert "result.json" not in nothing
    assert count(tmp_path) == (0, 0)
    assert grep(tmp_path, "Almeida") == []
