"""P1, small and seeded: a process that is killed while it works loses nothing it had acknowledged."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.database import Database
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rooms import ROOMS
from harness.samples import NOON

SEED = 20260207
KILLS = 4

WORK = """
import asyncio, sys
from pathlib import Path
from adapters.sqlite.database import Database
from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.rooms import ROOMS
from harness.samples import exchange, item, message, turn

async def work(path, start):
    database = Database(path, ROOMS)
    await database.open()
    journal, turns = SqliteJournal(database), SqliteTurns(database)

    async def one(number):
        entry = await journal.accept(message(f"message {number}", number))
        if entry is None:
            return
        print("accepted", number, flush=True)
        said = exchange(f"e{number}", f"message {number}")
        record = turn(said, closes=(entry,), parts=("ok",), items=(item(f"fact {number}", exchange=said.uid),),
                      document=True)
        await turns.commit(record)
        print("committed", number, flush=True)

    for entry in await journal.pending():
        number = entry.message.update_id
        said = exchange(f"e{number}", entry.message.text)
        record = turn(said, closes=(entry,), parts=("ok",), items=(item(f"fact {number}", exchange=said.uid),),
                      document=True)
        await turns.commit(record)
        print("committed", number, flush=True)
    print("ready", flush=True)
    number = start
    while True:
        await asyncio.gather(*(one(number + step) for step in range(8)))
        number += 8

asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2])))
"""


def killed_while_working(path: Path, start: int, after_s: float) -> list[list[str]]:
    """Run the work, kill it ``after_s`` seconds after it is ready, and return its complete lines."""
    lines = []
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", WORK, str(path), str(start)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if line == "ready\n":
                break
        time.sleep(after_s)
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    return [line.split() for line in lines if line.endswith("\n")]


def test_a_killed_process_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Everything acknowledged is there after each of several kills, once, with reply and document.

    Mutation check: settling the callers before COMMIT instead of after it loses acknowledged messages.
    """
    chance = random.Random(SEED)
    path = tmp_path / "mneme.db"
    accepted: set[int] = set()
    committed: set[int] = set()
    for round_ in range(KILLS):
        for word, *number in killed_while_working(path, 1 + round_ * 100_000, chance.uniform(0.0, 0.08)):
            if word == "accepted":
                accepted.add(int(number[0]))
            elif word == "committed":
                committed.add(int(number[0]))
    known, done, documents = asyncio.run(surviving(path))

    assert accepted, f"seed {SEED}"
    assert accepted <= known, f"seed {SEED}"
    assert committed <= set(done), f"seed {SEED}"
    assert len(done) == len(set(done)) == documents, f"seed {SEED}"


async def surviving(path: Path) -> tuple[set[int], list[int], int]:
    """What the file holds: accepted numbers, exchanged numbers, and how many documents wait."""
    database = Database(path, ROOMS)
    await database.open()
    assert database.problems == ()
    pending = {entry.message.update_id for entry in await SqliteJournal(database).pending()}
    done = await database.read(
        lambda connection: [int(row[0][1:]) for row in connection.execute("SELECT uid FROM exchanges")]
    )
    counts = await database.read(
        lambda connection: connection.execute(
            "SELECT (SELECT count(*) FROM items), (SELECT count(*) FROM deliveries), (SELECT count(*) FROM items_fts)"
        ).fetchone()
    )
    assert counts == (len(done),) * 3
    documents = (await SqliteOutbox(database).counts()).waiting
    assert len(await SqliteOutbox(database).due(NOON, 10)) == 1
    await database.close()
    return pending | set(done), done, documents
