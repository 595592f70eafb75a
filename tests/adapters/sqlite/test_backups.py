"""Back-ups: made daily and before a migration, verified, few, private; without what was erased, and used at damage."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import threading
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.recovery.beside import Backups
from bot.cli.commands import app
from bot.errors import StorageUnavailable
from bot.memory.scope import Scope
from bot.runtime.installation import only_mneme
from harness.application import NO_RAG, run_console
from harness.samples import NOON, exchange, item, message, turn
from tests.adapters.sqlite.old_stores import UNINDEXED, unpack
from tests.adapters.sqlite.test_erased_bytes import grep
from tests.postgres import ONE_FILE

pytestmark = ONE_FILE

DAY = timedelta(days=1)
WORD = "zanzibarfloodgate"


async def say(database: Database, *numbers: int) -> None:
    """Store exchanges, each with an item."""
    turns = SqliteTurns(database)
    for number in numbers:
        said = exchange(f"e{number}", f"statement number {number} " + "and so on " * 20)
        await turns.commit(turn(said, items=(item(f"fact {number}", exchange=said.uid),)))


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    """Ask a file."""
    with closing(sqlite3.connect(path)) as opened:
        return opened.execute(question).fetchall()


def spoil(path: Path, words: bytes) -> None:
    """Destroy the page of a closed store that holds these words."""
    content = bytearray(path.read_bytes())
    page = content.index(words) // 4096
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    path.write_bytes(content)


async def test_a_back_up_is_made_once_a_day_and_seven_are_kept(database: Database) -> None:
    """Each is whole, only its owner can read it, and the oldest goes; the day's is renewed while people talk."""
    await say(database, 1, 2)
    made = [await database.backups.make_if_due(NOON + DAY * number / 2, 7) for number in range(20)]
    await say(database, 3)
    made += [await database.backups.make_if_due(NOON + DAY * 9 + DAY * number / 48, 7) for number in (1, 2, 3)]
    kept = database.backups.list_made()
    folder = kept[0].path.parent

    assert [each is not None for each in made[:4]] == [True, False, True, False]
    assert [each is not None for each in made[-3:]] == [False, True, False]
    assert [each.made_at for each in kept[1:]] == [NOON.replace(microsecond=0) + DAY * n for n in range(8, 2, -1)]
    assert kept[0] == made[-2]
    assert [ask(each.path, "SELECT count(*) FROM exchanges") for each in kept[:2]] == [[(3,)], [(2,)]]
    assert {stat.S_IMODE(each.path.stat().st_mode) for each in kept} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(list(folder.iterdir())) == 7

    assert await database.backups.make_if_due(NOON + DAY * 30, 0) is None
    assert database.backups.list_made() == ()


async def test_people_write_while_a_back_up_is_made(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written meanwhile neither waits nor makes it begin anew: it shows one moment."""
    monkeypatch.setattr("adapters.sqlite.recovery.beside._STEP_PAGES", 2)
    begun, going, go_on = threading.Event(), threading.Event(), Backups._go_on

    def wait(backups: Backups, *pages: int) -> None:
        begun.set()
        going.wait()
        go_on(backups, *pages)

    monkeypatch.setattr(Backups, "_go_on", wait)
    await say(database, *range(50))
    making = asyncio.create_task(database.backups.make_if_due(NOON, 7))
    await asyncio.to_thread(begun.wait)
    await say(database, 1000)
    going.set()
    made = await making

    assert made is not None
    assert ask(made.path, "SELECT count(*) FROM exchanges") == [(50,)]


async def test_what_waits_is_in_no_back_up(database: Database) -> None:
    """A store that is put back does not answer an old message once more, and no secret of one waits in a copy."""
    killed = database.path.with_name("backups") / "mneme-20200101T000000Z.draft"
    killed.parent.mkdir()
    killed.touch()
    entry = await SqliteJournal(database).accept(message(f"remember {WORD}", 9))
    assert entry is not None
    made = await database.backups.make_if_due(NOON, 7)

    assert made is not None
    assert not killed.exists()
    assert ask(made.path, "SELECT count(*) FROM journal WHERE state = 0") == [(0,)]
    assert WORD.encode() not in made.path.read_bytes()
    assert ask(database.path, "SELECT count(*) FROM journal WHERE state = 0") == [(1,)]


async def test_a_damaged_store_gives_no_back_up(tmp_path: Path) -> None:
    """Nothing takes the name of a back-up that was not found whole, and the good ones stay."""
    database = Database(tmp_path / "mneme.db", UNINDEXED)
    await database.open()
    await say(database, *range(50))
    await database.backups.make_if_due(NOON, 7)
    await database.close()
    spoil(tmp_path / "mneme.db", b"statement number 20 ")
    backups = Backups(tmp_path / "mneme.db", UNINDEXED)
    with pytest.raises(StorageUnavailable, match="no back-up could be made"):
        await backups.make_if_due(NOON + DAY, 7)

    assert len(backups.list_made()) == 1
    assert len(list((tmp_path / "backups").iterdir())) == 1


async def test_a_migration_leaves_a_back_up_of_before(tmp_path: Path) -> None:
    """Whoever does not like the new version has the old store."""
    path = unpack("2ab0e03", tmp_path)
    for _ in range(2):
        database = Database(path, UNINDEXED)
        await database.open()
        await database.close()
    (made,) = database.backups.list_made()

    assert ask(made.path, "SELECT * FROM schema_versions ORDER BY 1") == [("recall", 1), ("storage", 1)]


@pytest.mark.parametrize("undo_s", [0, 300])
async def test_what_is_erased_is_in_no_back_up(tmp_path: Path, undo_s: int) -> None:
    """Neither in one of before, when the receipt is read, nor in one that is made while the erase can be taken back.

    Red without the deletion, and without the look for erased rows in a new copy.
    """
    settings = {**NO_RAG, "memory": {"undoSeconds": undo_s}}
    async with run_console(tmp_path, settings) as mneme:
        keeping = mneme.app.parts.housekeeping
        await mneme.say(f"My locker is called {WORD}.")
        await keeping.back_up()
        before = list_files_with(tmp_path / "data" / "backups")
        await mneme.say(f"/forget {WORD}")
        at_receipt = list_files_with(tmp_path / "data" / "backups")
        await keeping.back_up()
        meanwhile = list_files_with(tmp_path / "data" / "backups")
        await keeping.lapse(everything=True)
        await keeping.scrub()
        await keeping.back_up()
        made = keeping.database.backups.list_made()

    assert len(before) == 1
    assert (at_receipt, meanwhile) == ([], [])
    assert len(made) == 1
    assert list_files_with(tmp_path / "data" / "backups") == []


def list_files_with(folder: Path) -> list[str]:
    """Name the files of a folder that hold the word."""
    return [file.name for file in folder.glob("*") if WORD.encode() in file.read_bytes().lower()]


async def test_lost_rows_come_from_the_newest_back_up(tmp_path: Path) -> None:
    """A destroyed page costs what was said since the last back-up and stood on it, and nothing else."""
    database = Database(tmp_path / "mneme.db", UNINDEXED)
    await database.open()
    await say(database, *range(60))
    await database.backups.make_if_due(NOON, 7)
    await say(database, 60)
    await database.close()
    for words in (b"statement number 20 ", b"fact 30"):
        spoil(tmp_path / "mneme.db", words)
    await database.open()
    counts = await database.read(
        lambda opened: opened.execute(
            "SELECT (SELECT count(*) FROM exchanges), (SELECT count(*) FROM items)"
        ).fetchone()
    )
    told = database.problems
    await database.close()

    assert counts == (61, 61)
    assert "lost exchanges" not in told[0]


async def test_a_name_that_an_index_contradicts_comes_from_the_back_up(tmp_path: Path) -> None:
    """A flipped bit in an exchange's name would make another exchange of it, and its items nobody's."""
    database = Database(tmp_path / "mneme.db", UNINDEXED)
    await database.open()
    await say(database, *range(60))
    await database.backups.make_if_due(NOON, 7)
    await database.close()
    content = (tmp_path / "mneme.db").read_bytes()
    at = content.rindex(b"e33", 0, content.index(b"statement number 33 "))
    (tmp_path / "mneme.db").write_bytes(content[:at] + b"m" + content[at + 1 :])
    await database.open()
    names = await database.read(lambda opened: {uid for (uid,) in opened.execute("SELECT uid FROM exchanges")})
    await database.close()

    assert names == {f"e{number}" for number in range(60)}


async def test_reminders_and_titles_survive_damage(tmp_path: Path) -> None:
    """They are nobody's copy.  Red while they were taken for derived rows: any damage dropped all of them."""
    title = "INSERT INTO session_marks (session_id, scope_no, title) VALUES (1, 1, 'Lockers')"
    async with run_console(tmp_path) as mneme:
        database = mneme.app.parts.housekeeping.database
        await mneme.say("My locker is called Berta.")
        await mneme.say("Remind me every day at 9:00 to water the plants")
        await database.write(lambda opened: opened.execute(title).rowcount)
    spoil(tmp_path / "data" / "mneme.db", b"My locker is called Berta")
    async with run_console(tmp_path) as mneme:
        mneme.continue_numbers()
        problems = mneme.app.parts.problems
        listed = await mneme.say("/remind")
        titles = await mneme.app.parts.housekeeping.database.read(
            lambda opened: opened.execute("SELECT title FROM session_marks").fetchall()
        )

    assert len(problems) == 1
    assert "plants" in listed
    assert titles == [("Lockers",)]


def list_aside(folder: Path) -> list[Path]:
    """Return the stores that were set aside, without their logs."""
    return [file for file in folder.glob("mneme.db.damaged-*") if not file.name.endswith(("-wal", "-shm"))]


async def run(*arguments: str) -> tuple[int, str]:
    """Run a command of the terminal; return its exit code and what it printed."""
    result = await asyncio.to_thread(CliRunner().invoke, app, arguments)
    return result.exit_code, result.stdout


async def test_damage_is_told_until_somebody_takes_note(tmp_path: Path) -> None:
    """``mneme check`` ends with 1 at every run, not only at the one that found it."""
    async with run_console(tmp_path) as mneme:
        await mneme.say("My locker is called Berta.")
    spoil(tmp_path / "data" / "mneme.db", b"My locker is called Berta")
    where = ("--data", str(tmp_path / "data"), "--preferences", str(tmp_path / "preferences"), "--json")
    told = [await run("check", *option, *where) for option in ((), (), ("--acknowledge",), ())]
    reasons = [json.loads(output)["store"]["reason"] for _, output in told]

    assert [code for code, _ in told] == [1, 1, 0, 0]
    assert ["was damaged" in reason for reason in reasons] == [True, True, True, False]
    assert len(list_aside(tmp_path / "data")) == 1


async def test_a_back_up_is_restored(tmp_path: Path) -> None:
    """A dry run changes nothing; what was said since is kept until something is forgotten; what was erased stays so."""
    path = tmp_path / "data" / "mneme.db"
    where = ("--data", str(tmp_path / "data"), "--preferences", str(tmp_path / "preferences"))
    async with run_console(tmp_path, {**NO_RAG, "memory": {"undoSeconds": 0}}) as mneme:
        await mneme.say("My locker is called Berta.")
        await mneme.say(f"My ferry is called {WORD}.")
        await mneme.app.parts.housekeeping.back_up()
        (made,) = mneme.app.parts.housekeeping.database.backups.list_made()
        elsewhere = tmp_path / made.path.name
        elsewhere.write_bytes(made.path.read_bytes())
        uid = ask(path, "SELECT uid FROM exchanges ORDER BY id DESC LIMIT 1")[0][0]
        scope = ask(path, "SELECT tag FROM scopes")[0][0]
        await mneme.app.parts.housekeeping.eraser.erase_exchanges(Scope(str(scope)), (str(uid),))
        await mneme.say("My bicycle is called Otto.")
        with only_mneme(mneme.app.parts.places):
            running = await run("restore", str(elsewhere), *where)
    spoiled = tmp_path / "spoiled.db"
    spoiled.write_bytes(elsewhere.read_bytes()[:40_000])
    refused = await run("restore", str(spoiled), *where)
    before = path.read_bytes()
    dry = await run("restore", str(elsewhere), "--dry-run", *where)
    untouched = path.read_bytes() == before
    done = await run("restore", str(elsewhere), *where)
    said = ask(path, "SELECT user_text FROM exchanges")
    (aside,) = (file for file in path.parent.glob("mneme.db.replaced-*") if file.suffix.count("-") == 1)
    kept = ask(aside, "SELECT 1 FROM exchanges")
    async with run_console(tmp_path, NO_RAG) as mneme:
        mneme.continue_numbers()
        left = [*path.parent.glob("mneme.db.replaced-*")]
        await mneme.say("/forget Berta")

    assert aside in left
    assert grep(tmp_path, "Otto") == []
    assert (running[0], refused[0]) == (1, 1)
    assert (dry[0], untouched) == (0, True)
    assert "carried out again: 1" in dry[1]
    assert done[0] == 0
    assert said == [("My locker is called Berta.",)]
    assert WORD.encode() not in path.read_bytes()
    assert (len(kept), aside.name in done[1]) == (2, True)


class _KilledError(BaseException):
    """Ends a command as a kill does."""


async def test_a_restore_that_is_cut_off_is_completed_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two names no store has the name: a start would begin an empty memory and say nothing."""
    path = tmp_path / "data" / "mneme.db"
    where = ("--data", str(tmp_path / "data"), "--preferences", str(tmp_path / "preferences"))
    async with run_console(tmp_path, NO_RAG) as mneme:
        await mneme.say("My locker is called Berta.")
        await mneme.app.parts.housekeeping.back_up()

    def swap(old: Path, _fresh: Path, *, name: str) -> Path:
        old.rename(old.with_name(f"mneme.db.{name}-x"))
        raise _KilledError

    monkeypatch.setattr("bot.compose.maintenance.swap_files", swap)
    with pytest.raises(_KilledError):
        await run("restore", "--latest", *where)
    async with run_console(tmp_path, NO_RAG) as mneme:
        problems = mneme.app.parts.problems
        said = ask(path, "SELECT user_text FROM exchanges")

    assert said == [("My locker is called Berta.",)]
    assert "interrupted" in problems[0]


async def test_a_back_up_is_made_by_a_command_beside_a_chat(tmp_path: Path) -> None:
    """It is put where it is wanted, holds what was said, and takes no other file's place."""
    target = tmp_path / "copy.db"
    async with run_console(tmp_path, NO_RAG) as chat:
        await chat.say("My sister Vera lives in Lyon")
        arguments = ["backup", str(target), "--data", str(tmp_path / "data"), "--json"]
        made, again = [await asyncio.to_thread(CliRunner().invoke, app, arguments) for _ in range(2)]
        nowhere = ["backup", str(tmp_path / "nowhere" / "copy.db"), *arguments[2:]]
        refused = await asyncio.to_thread(CliRunner().invoke, app, nowhere)

    assert json.loads(made.stdout) == {"file": str(target), "bytes": target.stat().st_size}
    assert ask(target, "SELECT count(*) FROM exchanges") == [(1,)]
    assert "is there already" in str(again.exception)
    assert "cannot be written" in str(refused.exception)
    assert str(tmp_path / "data" / "backups") in str(refused.exception)
