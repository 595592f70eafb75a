"""A store that an earlier version wrote is taken over by a normal start, and by a start that was killed before."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.console.plain import AUTHOR
from adapters.sqlite.connection import migrate
from adapters.sqlite.rooms import ROOMS
from harness.application import ConsoleChat, console_message, run_console
from tests.adapters.sqlite.old_stores import unpack

NUMBERS = itertools.count(1000)
SAID = 19
"""Statements of the talk and its one question."""
COMMITS = ("2ab0e03", "4b5cb4e", "6a874ea")


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


def migrate_until(path: Path, statement: int) -> int:
    """Migrate a file in a process of its own that is killed before its ``statement``-th step; return how it ended."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = itertools.count()
    opened = sqlite3.connect(path, isolation_level=None)
    opened.set_trace_callback(lambda _: os.kill(os.getpid(), signal.SIGKILL) if next(steps) == statement else None)
    migrate(opened, ROOMS, path)
    os._exit(0)


async def say(mneme: ConsoleChat, text: str) -> str:
    """Return the answer to a message of whoever sits at the terminal."""
    await mneme.app.accept(replace(console_message(text, next(NUMBERS)), author=AUTHOR))
    await mneme.app.answered()
    return mneme.messenger.answers[-1]


def test_a_migration_that_is_killed_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """At every seventh step of the longest; the last run is killed by nobody.  Red with a commit after each room."""
    path = unpack(COMMITS[0], tmp_path)
    before, states = describe(path), []
    for step in itertools.count(step=7):
        if not migrate_until(path, step):
            break
        states.append(describe(path))

    assert len(states) > 3
    assert [state for state in states if state != before] == []
    assert describe(path) != before


@pytest.mark.parametrize("commit", COMMITS)
def test_a_store_of_an_earlier_version_gets_the_columns_of_a_new_one(tmp_path: Path, commit: str) -> None:
    """The same tables, columns in the same order, and the same indexes, so that rows go into them alike."""
    shapes = []
    for path in (unpack(commit, tmp_path), tmp_path / "new.db"):
        with closing(sqlite3.connect(path, isolation_level=None)) as opened:
            migrate(opened, ROOMS, path)
            names = opened.execute("SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2").fetchall()
            columns = {
                name: [row[1] for row in opened.execute(f"PRAGMA table_info({name})")]
                for kind, name, _ in names
                if kind == "table"
            }
            shapes.append((names, columns))

    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("commit", COMMITS)
async def test_a_store_of_an_earlier_version_is_taken_over(tmp_path: Path, commit: str) -> None:
    """A normal start answers from it, forgets in it and starts again."""
    unpack(commit, tmp_path)
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

    assert said >= SAID
    assert [word for word, answer in zip(("Porto", "Kiel", "Туле"), answers, strict=False) if word not in answer] == []
    assert "shed" in answers[-1]
    assert problems == ()
    assert forgotten
    assert "Ludmila" in later
