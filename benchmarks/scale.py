"""``python -m benchmarks.scale COMMAND``: what a PostgreSQL costs, with real processes and a real server.

``workers``: CPU per message, by process, while people write to a fake Telegram; then how long accepting and storing
take, as multiples of an fdatasync on the same disk.  What is paced by Telegram's limits says nothing about throughput.
``move``: what a store loses on the way there and back, and what that costs.
``handover``: what a long chat costs the worker that takes it over.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import quantiles
from typing import Final

import psutil

from benchmarks.turn.handover import measure_handover
from benchmarks.turn.moving import measure_move
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.leases import under
from bot.ports.turn_store import TurnRecord
from bot.turn import Reply, Trace
from harness.chaos.swarm import run_worker, serve_postgres, until_leading
from harness.fakes.telegram import FakeTelegram
from harness.options import Report, run
from harness.processes import Home, count_cpu_s
from harness.samples import NOON, exchange, message

_FIRST: Final = 1000
_LIMIT_S: Final = 600.0


@asynccontextmanager
async def run_workers(count: int, chats: int, url: str, telegram: FakeTelegram) -> AsyncIterator[list[psutil.Process]]:
    """Run workers that all have joined."""
    async with AsyncExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        homes = [Home(root / str(number)) for number in range(count)]
        people = range(_FIRST, _FIRST + chats)
        processes = [
            psutil.Process((await stack.enter_async_context(run_worker(home, url, telegram, people))).pid)
            for home in homes
        ]
        await until_leading(homes)
        await asyncio.sleep(3.0)  # what starting costs is none of the messages'
        yield processes


async def measure_messages(count: int, chats: int, rounds: int, url: str, server: psutil.Process) -> Report:
    """Return milliseconds of CPU per message, of each worker and of PostgreSQL; the first round warms up."""
    async with FakeTelegram() as telegram, run_workers(count, chats, url, telegram) as workers:
        people = range(_FIRST, _FIRST + chats)
        before: list[float] = []
        for number in range(rounds + 1):
            if number == 1:
                before = [count_cpu_s(process) for process in (*workers, server)]
            for person in people:
                await telegram.says(f"My locker number is Q{number}X{person} now.", user=person)
            await telegram.until(partial(_are_answered, telegram, people, number + 1), seconds=_LIMIT_S)
        used = [count_cpu_s(process) - old for process, old in zip((*workers, server), before, strict=True)]
        answers = [len(telegram.texts(person)) for person in people]
    each = [round(1000 * one / (rounds * chats), 2) for one in used]
    return {
        "messages": rounds * chats,
        "answered_once": answers == [rounds + 1] * chats,
        "workers_cpu_ms": each[:-1],
        "all_workers_cpu_ms": round(sum(each[:-1]), 2),
        "postgres_cpu_ms": each[-1],
    }


def _are_answered(telegram: FakeTelegram, people: range, times: int) -> bool:
    return all(len(telegram.texts(person)) >= times for person in people)


async def measure_store(chats: int, url: str, server: psutil.Process, folder: Path) -> Report:
    """Return p50 and p99 of accepting a message and of storing a turn, as multiples of an fdatasync's p50.

    And milliseconds of CPU of one, of this process and of PostgreSQL.
    """
    leases_module, rooms = import_module("adapters.postgres.leases"), import_module("adapters.sqlite.rooms")
    turns_module = import_module("adapters.sqlite.conversations.turns")
    database = leases_module.WorkerDatabase(url, folder / "mneme.db", rooms.ROOMS, term_s=10.0)
    await database.open()
    leases = leases_module.PostgresLeases(database)
    await leases.join()
    journal, turns = leases.make_journal(lambda: NOON), turns_module.SqliteTurns(database, now=lambda: NOON)
    told = [message("hello", n, address=Address("telegram", 42, _FIRST + n % chats)) for n in range(4 * chats)]
    records = list[TurnRecord]()

    async def accept(number: int) -> None:
        entry = await journal.accept(told[number])
        records.append(_make_record(entry.id, told[number].address, number // chats, number))

    async def commit(number: int) -> None:
        with under(records[number].address.key):
            await turns.commit(records[number])

    accepting = await _time_each(accept, len(told), server, folder / "synced")
    committing = await _time_each(commit, len(told), server, folder / "synced")
    await leases.leave()
    await database.close()
    sync_s = _find(accepting.syncs_s + committing.syncs_s, "p50")
    found = {"fdatasync_ms": round(1000 * sync_s, 3)}
    for name, measured in (("accept", accepting), ("commit", committing)):
        found |= {f"{name}_{share}": round(_find(measured.times_s, share) / sync_s, 1) for share in ("p50", "p99")}
        found |= {
            f"{name}_ms": round(1000 * _find(measured.times_s, "p50"), 2),
            f"{name}_cpu_ms": round(1000 * measured.cpu_s / len(told), 2),
            f"{name}_postgres_cpu_ms": round(1000 * measured.server_s / len(told), 2),
        }
    return found


def _make_record(entry: int, address: Address, heard: int, number: int) -> TurnRecord:
    said = exchange(f"e{number}", f"My locker number is {number}.")
    scope = Scope(f"tu{address.chat_id}")
    record = TurnRecord((entry,), scope, address, Reply("noted"), ("noted",), said, (), None, Trace(), None)
    return replace(record, epoch=0, heard=heard)


@dataclass(slots=True)
class _Measured:
    """Times of something, and of an fdatasync before each; processor time of both sides in all."""

    cpu_s: float
    server_s: float
    times_s: list[float] = field(default_factory=list)
    syncs_s: list[float] = field(default_factory=list)


async def _time_each(
    work: Callable[[int], Awaitable[None]], count: int, server: psutil.Process, path: Path
) -> _Measured:
    found = _Measured(-time.process_time(), -count_cpu_s(server))
    with path.open("wb") as file:
        for number in range(count):
            file.write(b"x" * 512)
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            synced = time.perf_counter()
            await work(number)
            found.times_s.append(time.perf_counter() - synced)
            found.syncs_s.append(synced - began)
    found.cpu_s += time.process_time()
    found.server_s += count_cpu_s(server)
    return found


def _find(times: list[float], share: str) -> float:
    return quantiles(times, n=100)[int(share[1:]) - 1]


def measure(folder: Path, *, workers: str = "1,2", chats: int = 100, rounds: int = 3) -> Report:
    """Measure ``rounds`` messages of each chat, each number of workers on an empty server of its own."""
    report: Report = {"chats": chats}
    for count in map(int, workers.split(",")):
        with serve_postgres() as server:
            found = asyncio.run(measure_messages(count, chats, rounds, server.url, server.process))
        report[f"{count} workers"] = found
        print(f"{count} workers: {found}", file=sys.stderr)
    with serve_postgres() as server:
        report["store"] = asyncio.run(measure_store(chats, server.url, server.process, folder))
    return report


def _is_broken(report: Report) -> bool:
    """Whether a message was answered twice or not at all, or a move has changed anything."""
    once = (found["answered_once"] for name, found in report.items() if name.endswith(" workers"))
    return not all(once) or report.get("changed", 0) > 0


if __name__ == "__main__":
    run({"workers": measure, "move": measure_move, "handover": measure_handover}, __doc__, broken=_is_broken)
