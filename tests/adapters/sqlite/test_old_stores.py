"""A store that an earlier version wrote is taken over by a normal start, and by a start that was killed before."""

from __future__ import annotations

import itertools
import lzma
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.console.plain import AUTHOR
from harness.application import ConsoleChat, console_message, run_console

STORES = Path(__file__).parents[2] / "data" / "stores"
NUMBERS = itertools.count(1000)
SAID = 19
"""Statements of the talk and its one question."""
_KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from adapters.sqlite.connection import Component, list_components, migrate

path, last = Path(sys.argv[1]), Path(sys.argv[2])
last.write_text("CREATE TABLE killed (no INTEGER) STRICT;\\nSELECT die();\\n")
opened = sqlite3.connect(path, isolation_level=None)
opened.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
migrate(opened, (*list_components(), Component("last", (last,))), path)
"""


def unpack(commit: str, folder: Path) -> Path:
    """Put the store of a commit where an installation in ``folder`` has its own."""
    path = folder / "data" / "mneme.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(lzma.decompress((STORES / f"{commit}.db.xz").read_bytes()))
    return path


def describe(path: Path) -> list[tuple[object, ...]]:
    """Return the schema of a file and the versions that stand in it."""
    opened = sqlite3.connect(path)
    try:
        return [
            *opened.execute("SELECT name, sql FROM sqlite_master ORDER BY name"),
            *opened.execute("SELECT * FROM schema_versions ORDER BY component"),
        ]
    finally:
        opened.close()


def kill_migration(path: Path) -> int:
    """Migrate a file in a process of its own that is killed behind the last step; return how it ended."""
    command = [sys.executable, "-c", _KILLED, str(path), str(path.with_name("9999_last.sql"))]
    return subprocess.run(command, check=False).returncode  # noqa: S603 - our own program


async def say(mneme: ConsoleChat, text: str) -> str:
    """Return the answer to a message of whoever sits at the terminal."""
    await mneme.app.accept(replace(console_message(text, next(NUMBERS)), author=AUTHOR))
    await mneme.app.answered()
    return mneme.messenger.answers[-1]


@pytest.mark.parametrize("commit", ["2ab0e03", "4b5cb4e"])
async def test_a_store_of_an_earlier_version_is_taken_over(tmp_path: Path, commit: str) -> None:
    """A migration that is killed behind its last step leaves the file as it was; the next start takes all of it.

    Red with migrations that are committed one component at a time.
    """
    path = unpack(commit, tmp_path)
    before = describe(path)
    ended = kill_migration(path)
    after_the_kill = describe(path)
    async with run_console(tmp_path) as mneme:
        said = await mneme.app.parts.housekeeping.database.read(
            lambda opened: opened.execute("SELECT count(*) FROM exchanges").fetchone()[0]
        )
        answers = [
            await say(mneme, words)
            for words in ("Where does my sister live?", "Wo wohnt meine Tante?", "Где живёт моя бабушка?", "/memory")
        ]
        problems = mneme.app.parts.problems
        forgotten = await say(mneme, "/forget hazelnuts")
    async with run_console(tmp_path) as again:
        later = await say(again, "Who keeps the spare key?")

    assert ended == -signal.SIGKILL
    assert after_the_kill == before
    assert said == SAID
    assert [word for word, answer in zip(("Porto", "Kiel", "Туле"), answers, strict=False) if word not in answer] == []
    assert "shed" in answers[-1]
    assert problems == ()
    assert forgotten
    assert "Ludmila" in later
