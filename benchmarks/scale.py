"""``python -m benchmarks.scale COMMAND``: what a PostgreSQL costs, with real processes and a real server.

``workers``: how long accepting and storing take, as multiples of an fdatasync on the same disk, while a store of so
many chats is made; then CPU per message, by process, while people of some of these chats write to a fake Telegram, and
until what they wrote is embedded.  What is paced by Telegram's limits says nothing about throughput.  With ``--keep``
what is measured is noted in that folder, and not measured again.
``move``: what a store loses on the way there and back, and what that costs.
``handover``: what a long chat costs the worker that takes it over.
"""

import asyncio
import itertools
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from statistics import quantiles
from typing import Final

import psutil

from benchmarks.turn.moving import measure_handover, measure_move
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.leases import under
from bot.ports.turn_store import TurnRecord
from bot.turn import Reply, Trace
from harness.chaos.swarm import Server, run_worker, serve_postgres, until_leading
from harness.fakes.telegram import FakeTelegram
from harness.options import Report, run
from harness.processes import Home, count_cpu_s
from harness.samples import NOON, exchange, message

_FIRST: Final = 1000
_LIMIT_S: Final = 1800.0
_TIMED: Final = 1000
"""Messages that accepting and storing is timed with: of chats whose first message was answered before."""
_BACKLOGS: Final = ("recall_backlog", "item_backlog", "names_backlog")
_WAITS: Final = " UNION ALL ".join(f"SELECT 1 FROM {name}" for name in _BACKLOGS)  # noqa: S608 - our own names
_LEASE: Final = """
    INSERT INTO leases (place, owner, taken)
    SELECT place, (array(SELECT id FROM workers WHERE NOT gone))[1 + no % {count}], true
    FROM (SELECT place, row_number() OVER (ORDER BY place) AS no FROM journal GROUP BY place) AS each
    ON CONFLICT DO NOTHING RETURNING 1
"""


@asynccontextmanager
async def run_workers(
    count: int, server: Server, telegram: FakeTelegram, people: range
) -> AsyncIterator[list[psutil.Process]]:
    """Run workers that have joined, hold all chats between them, and have nothing more to do."""
    async with AsyncExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        homes = [Home(root / str(number)) for number in range(count)]
        processes = [
            psutil.Process((await stack.enter_async_context(run_worker(home, server.url, telegram, people))).pid)
            for home in homes
        ]
        await until_leading(homes)
        await _until(lambda: server.ask("SELECT count(*) FROM workers WHERE NOT gone") == [(count,)])
        server.ask(_LEASE.format(count=count))
        await asyncio.sleep(3.0)  # what starting costs is none of the messages'
        yield processes


async def _until(condition: Callable[[], object]) -> None:
    """Wait, looking seldom: looking costs processor time, too."""
    async with asyncio.timeout(_LIMIT_S):
        while not condition():  # noqa: ASYNC110 - other processes bring it about, there is no event
            await asyncio.sleep(0.5)


async def measure_messages(count: int, people: range, rounds: int, server: Server) -> Report:
    """Return milliseconds of CPU per message, of each worker and of PostgreSQL; the first round warms up."""
    async with FakeTelegram() as telegram, run_workers(count, server, telegram, people) as workers:
        processes = (*workers, server.process)
        numbers = itertools.count(count * 1_000_000)  # which others have not used on this server
        begun = before = _take_stock(processes, server)
        for number in range(rounds + 1):
            if number == 1:
                before = _take_stock(processes, server)
            for person in people:
                update = next(numbers)
                said = f"My locker number is Q{number}X{person} now."
                told = telegram.message(said, user=person, message_id=update)
                await telegram.push({"message": told, "update_id": update})
            await _until(lambda number=number: len(telegram.chats.of()) >= (number + 1) * len(people))  # type: ignore[misc]  # its own
            await _until(lambda: not server.ask(_WAITS))
        after = _take_stock(processes, server)
        answers = Counter(shown.chat_id for shown in telegram.chats.of())
    messages = rounds * len(people)
    *each, wal = (round((new - old) / messages, 2) for new, old in zip(after, before, strict=True))
    return {
        "messages": messages,
        "answered_once": set(answers.values()) == {rounds + 1} and len(answers) == len(people),
        "workers_cpu_ms": each[:-1],
        "all_workers_cpu_ms": round(sum(each[:-1]), 2),
        "postgres_cpu_ms": each[-1],
        "first_messages_cpu_ms": round(
            sum(b - a for a, b in zip(begun[:-1], before[:-1], strict=True)) / len(people), 2
        ),
        "wal_bytes": wal,
    }


def _take_stock(processes: Sequence[psutil.Process], server: Server) -> list[float]:
    """Return milliseconds of CPU that each has used, and bytes of the write-ahead log."""
    ((written,),) = server.ask("SELECT pg_current_wal_lsn() - '0/0'")
    return [*(1000 * count_cpu_s(process) for process in processes), float(written)]


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
    told = [message("hello", n, address=Address("telegram", 42, _FIRST + n % chats)) for n in range(chats + _TIMED)]
    records = list[TurnRecord]()

    async def accept(number: int) -> None:
        entry = await journal.accept(told[number])
        records.append(_make_record(entry.id, told[number].address, number // chats, number))

    async def commit(number: int) -> None:
        with under(records[number].address.key):
            await turns.commit(records[number])

    for number in range(chats):
        await accept(number)
        await commit(number)
    timed = range(chats, len(told))
    accepting = await _time_each(accept, timed, server, folder / "synced")
    committing = await _time_each(commit, timed, server, folder / "synced")
    await leases.leave()
    await database.close()
    sync_s = _find(accepting.syncs_s + committing.syncs_s, "p50")
    found: Report = {"fdatasync_ms": round(1000 * sync_s, 3)}
    for name, measured in (("accept", accepting), ("commit", committing)):
        found |= {f"{name}_{share}": round(_find(measured.times_s, share) / sync_s, 1) for share in ("p50", "p99")}
        found |= {
            f"{name}_ms": round(1000 * _find(measured.times_s, "p50"), 2),
            f"{name}_cpu_ms": round(1000 * measured.cpu_s / _TIMED, 2),
            f"{name}_postgres_cpu_ms": round(1000 * measured.server_s / _TIMED, 2),
        }
    spent = sum(found[f"{name}_{of}"] for name in ("accept", "commit") for of in ("cpu_ms", "postgres_cpu_ms"))
    return found | {"cycles_s_on_two_cores": round(2000 / spent)}


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
    work: Callable[[int], Awaitable[None]], numbers: range, server: psutil.Process, path: Path
) -> _Measured:
    found = _Measured(-time.process_time(), -count_cpu_s(server))
    with path.open("wb") as file:
        for number in numbers:
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


def measure(
    folder: Path,
    *,
    workers: str = "1,2,4",
    chats: str = "1000,10000",
    writing: int = 300,
    rounds: int = 1,
    keep: Path | None = None,
) -> Report:
    """Measure ``rounds`` messages of ``writing`` chats, for each number of chats and of workers."""
    noted = (keep or folder) / "scale.json"
    noted.parent.mkdir(parents=True, exist_ok=True)
    done: Report = json.loads(noted.read_text()) if noted.exists() else {}

    def note(name: str, found: Report) -> None:
        done[name] = found
        noted.write_text(json.dumps(done))
        print(f"{name}: {found}", file=sys.stderr)

    for held in map(int, chats.split(",")):
        wanted = [count for count in map(int, workers.split(",")) if f"{held} chats, {count} workers" not in done]
        people = range(_FIRST, _FIRST + held, max(1, held // writing))
        with serve_postgres() if wanted else nullcontext() as server:
            if server is not None:
                note(f"{held} chats, storing", asyncio.run(measure_store(held, server.url, server.process, folder)))
                for name in _BACKLOGS:  # of what was never said
                    server.ask(f"DELETE FROM {name} RETURNING 1")  # noqa: S608 - our own names
                server.ask("UPDATE deliveries SET state = 2 RETURNING 1")
                for count in wanted:
                    found = asyncio.run(measure_messages(count, people, rounds, server))
                    note(f"{held} chats, {count} workers", found)
    return done | _compare(done)


def _compare(done: Report) -> Report:
    """Return by how much a message of the dearest case costs more than one of the cheapest, over workers and chats."""
    spent = {
        tuple(int(word) for word in name.split() if word.isdigit()): one["all_workers_cpu_ms"] + one["postgres_cpu_ms"]
        for name, one in done.items()
        if name.endswith("workers")
    }
    axes = {"over_workers": 0, "over_chats": 1}
    alike = {
        name: [[spent[one] for one in spent if one[place] == value] for value in {one[place] for one in spent}]
        for name, place in axes.items()
    }
    return {name: round(max(max(each) / min(each) for each in groups), 2) for name, groups in alike.items()}


def _is_broken(report: Report) -> bool:
    """Whether a message was answered twice or not at all, or a move has changed anything."""
    once = (found["answered_once"] for name, found in report.items() if name.endswith(" workers"))
    return not all(once) or report.get("changed", 0) > 0


if __name__ == "__main__":
    run({"workers": measure, "move": measure_move, "handover": measure_handover}, __doc__, broken=_is_broken)
