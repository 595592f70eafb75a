"""P1, small and seeded: a process that is killed while it works loses nothing it had acknowledged."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import sys
import time
from pathlib import Path

from adapters.sqlite.conversations.journal import SqliteJournal
from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.outbox import SqliteOutbox
from adapters.sqlite.rooms import ROOMS
from bot.messages import Accepted
from harness.forking import fork_program
from harness.samples import NOON, exchange, item, message, turn

SEED = 20260207
KILLS = 8


def tell(*words: object) -> None:
    """Write a line to the standard output, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def work(path: Path, start: int) -> None:
    """Accept and commit messages from this number on until killed, and tell each on standard output."""
    database = Database(path, ROOMS)
    await database.open()
    journal, turns = SqliteJournal(database), SqliteTurns(database)

    async def commit(entry: Accepted) -> None:
        number = entry.message.update_id
        said = exchange(f"e{number}", entry.message.text)
        facts = (item(f"fact {number}", exchange=said.uid),)
        await turns.commit(turn(said, closes=(entry,), parts=("ok",), items=facts, document=True))
        tell("committed", number)

    async def accept(number: int) -> None:
        entry = await journal.accept(message(f"message {number}", number))
        if entry is not None:
            tell("accepted", number)
            await commit(entry)

    for entry in await journal.pending():
        await commit(entry)
    tell("ready")
    for number in itertools.count(start, 8):
        await asyncio.gather(*(accept(number + step) for step in range(8)))


def killed_while_working(path: Path, start: int, after_s: float) -> list[list[str]]:
    """Run the work, kill it ``after_s`` seconds after it is ready, and return its complete lines."""
    told, tells = os.pipe()
    with open(os.devnull, "r+b") as nothing, open(told) as output:  # noqa: PTH123 - a descriptor
        streams = (nothing.fileno(), tells, nothing.fileno())
        process = fork_program(__name__, (str(path), str(start)), os.environ, streams)
        os.close(tells)
        lines = list(itertools.takewhile(lambda line: line != "ready\n", output))
        time.sleep(after_s)
        process.kill()
        lines += output.readlines()
        process.join()
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


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2])))
