"""Several workers on one PostgreSQL, as real processes against a strict Bot API over real HTTP."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.compose import entry_points
from bot.config.folders import Folders, prepare_folders
from bot.errors import StorageAway
from bot.runtime.application import Application
from harness.fakes.openai import FakeOpenAi, Says
from harness.fakes.telegram import FakeTelegram
from harness.processes import Home, Running, until
from harness.processes import running as started
from tests.postgres import PostgresServer

CHATS = tuple(range(7, 11))
DOUBT = "Your last answer may not have arrived."
ENVIRONMENT = {"TELEGRAM_TOKEN": "42:TEST-token-of-the-fake"}


class Cluster:
    """A database, a Telegram, a model, and workers with a folder each."""

    def __init__(self, server: PostgresServer, root: Path, telegram: FakeTelegram, model: FakeOpenAi) -> None:
        self.server, self.root = server, root
        self.telegram, self.model = telegram, model
        self.address = server.url.replace("/postgres?", "/workers?")
        self.homes: dict[str, Home] = {}

    @asynccontextmanager
    async def worker(self, name: str, **settings: object) -> AsyncIterator[Running]:
        """Run a worker; it has joined, and somebody leads."""
        home = self.prepare(name, **settings)
        count = len(self.homes)
        async with started(home, "worker", environment=ENVIRONMENT) as running:
            await until(lambda: "telegram.started" in "".join(each.logged() for each in self.homes.values()))
            await self.until_joined(count)
            yield running

    def prepare(self, name: str, **settings: object) -> Home:
        """Return the folder of a new worker, with its settings."""
        home = self.homes[name] = Home(self.root / name)
        home.root.mkdir()
        home.configure(
            {
                "storage": {"url": self.address, "workerTermSeconds": 3},
                "telegram": {"apiUrl": self.telegram.url, "allowedUsers": list(CHATS), "streaming": False},
                "llm": {"url": self.model.url, "model": "fake-model"},
                "rag": {"enabled": False},
            }
            | settings
        )
        return home

    def ask(self, query: str) -> list[tuple[object, ...]]:
        return PostgresServer(self.server.folder, self.address).run(query)

    async def until_joined(self, count: int) -> None:
        """Wait until so many workers live."""
        await until(lambda: self.ask("SELECT count(*) FROM mneme.workers WHERE NOT gone") == [(count,)])

    def list_chats(self, worker: int) -> list[int]:
        """The chats of the worker that joined as the n-th."""
        rows = self.ask("SELECT place, owner FROM mneme.leases WHERE place <> 'leader' ORDER BY place")
        return [int(str(place).split(":")[2]) for place, owner in rows if owner == worker]

    async def say(self, text: str, *chats: int) -> None:
        for chat in chats:
            await self.telegram.says(text, user=chat)

    async def until_shown(self, *texts: str) -> None:
        """Wait until every chat shows exactly this, and that is confirmed.

        A machine may hold up a worker for longer than its term between a send and its confirmation: the chat is told.
        """
        wanted = {chat: [f"Said: {text}" for text in texts] for chat in CHATS}

        def list_shown() -> dict[int, list[str]]:
            return {chat: [each for each in self.telegram.texts(chat) if each != DOUBT] for chat in CHATS}

        try:
            await self.telegram.until(lambda: list_shown() == wanted)
        except TimeoutError:
            assert list_shown() == wanted
            raise
        await until(lambda: self.ask("SELECT count(*) FROM mneme.deliveries WHERE state NOT IN (2, 3)") == [(0,)])


@pytest.fixture
async def cluster(postgres_server: PostgresServer, tmp_path: Path) -> AsyncIterator[Cluster]:
    """An empty database, no worker yet."""
    postgres_server.run("CREATE DATABASE workers")
    async with FakeTelegram() as telegram, FakeOpenAi(default=repeat) as model:
        yield Cluster(postgres_server, tmp_path, telegram, model)
    postgres_server.run("DROP DATABASE workers WITH (FORCE)")


def repeat(request: dict[str, object]) -> Says:
    """Answer with the last line that was said."""
    messages = request["messages"]
    assert isinstance(messages, list)
    return Says(f"Said: {str(messages[-1]['content']).splitlines()[-1]}")


async def test_workers_that_freeze_or_die_are_taken_over(cluster: Cluster) -> None:
    """Each message is answered once and in order, whoever is frozen past its term or killed in the middle of an answer.

    The frozen one wakes up while another answers in its place: it neither stores nor sends what it has, and goes on as
    a new worker.  That one takes over, the lead too, when the other is killed.
    Mutation checks: without the fence the frozen one stores its answer first, and the chat sees neither; without the
    sweep for orphaned places, or a lead that moves, nothing more comes after the kill.
    """
    async with cluster.worker("one") as one, cluster.worker("two") as two:
        await cluster.say("1", *CHATS)
        await cluster.until_shown("1")
        shares = [cluster.list_chats(worker) for worker in (1, 2)]
        chat, asked = shares[1][0], len(cluster.model.requests)
        cluster.model.script += [Says("too late", pieces=3, pause_s=0.5), Says("Said: 2", pieces=3, pause_s=1.0)]
        await cluster.say("2", chat)
        await until(lambda: len(cluster.model.requests) > asked)
        two.signal(signal.SIGSTOP)
        await until(lambda: len(cluster.model.requests) > asked + 1)
        two.signal(signal.SIGCONT)
        await cluster.say("2", *(each for each in CHATS if each != chat))
        await cluster.until_shown("1", "2")
        late = cluster.ask("SELECT count(*) FROM mneme.exchanges WHERE assistant_text LIKE '%too late%'")
        await cluster.until_joined(2)
        cluster.model.script += [Says("never shown", pieces=20, pause_s=0.5)] * len(CHATS)
        asked = len(cluster.model.requests)  # one that is slow for its term here was asked for more than once
        await cluster.say("3", *CHATS)
        await until(lambda: len(cluster.model.requests) >= asked + len(CHATS))
        await one.kill()
        await cluster.say("4", *CHATS)
        await cluster.until_shown("1", "2", "3", "4")
        ended = await two.stop()

    assert sorted(chat for each in shares for chat in each) == list(CHATS)
    assert all(shares)
    assert late == [(0,)]
    assert ended == 0
    assert cluster.ask("SELECT count(*) FROM mneme.exchanges") == [(4 * len(CHATS),)]
    assert cluster.ask("SELECT count(*) FROM mneme.deliveries WHERE state NOT IN (2, 3)") == [(0,)]
    assert cluster.telegram.updates.pending == ()


@pytest.mark.parametrize("run", [entry_points.run_worker, entry_points.run_default])
async def test_who_starts_begins_anew_where_the_database_goes_away_meanwhile(
    run: Callable[[Folders], Awaitable[None]],
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It says what it waits for.  Mutation check: without the wait it ends, and nobody may be left."""
    stops: list[Callable[[], object]] = []
    begun = list[Application]()
    start = Application.start

    async def begin(app: Application, changes: AsyncIterator[None]) -> None:
        begun.append(app)
        if len(begun) == 1:
            raise StorageAway("PostgreSQL (mneme at db) cannot be used now (the connection was lost)")
        await start(app, changes)
        stops[0]()

    monkeypatch.setattr(Application, "start", begin)
    monkeypatch.setattr(entry_points, "stop_on_signals", stops.append)
    monkeypatch.setenv("TELEGRAM_TOKEN", ENVIRONMENT["TELEGRAM_TOKEN"])
    home = cluster.prepare("one")
    await run(prepare_folders(home.data, home.preferences))

    assert len(begun) == 2
    assert capsys.readouterr().err.count("(the connection was lost); this one waits") == 1
    await until(lambda: cluster.ask("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'") == [])


async def test_a_list_is_one_whichever_worker_has_the_chat(cluster: Cluster) -> None:
    """What one chat puts on the list of a shared memory another one ticks and takes back, each by its own worker."""
    shared = {
        "memory": {"scopeDirect": "shared", "sharedName": "home"},
        "llm": {"enabled": False},
        "storage": {"url": cluster.address, "workerTermSeconds": 60},  # nobody is to lose a chat to a slow machine
    }
    one, two = CHATS[:2]
    told = (
        (one, "put eggs and milk on the shopping list", "added eggs, milk"),
        (two, "got the eggs", "✓ eggs"),
        (one, "what's left to buy?", "(1):\n• milk"),
        (two, "undo that", "eggs open again"),
        (one, "got the milk", "✓ milk"),
        (two, "что осталось купить?", "(1):\n• eggs"),
    )
    async with cluster.worker("one", **shared), cluster.worker("two", **shared):
        for number, (chat, text, answer) in enumerate(told):
            await cluster.say(text, chat)
            shown = partial(cluster.telegram.texts, chat)
            await cluster.telegram.until(lambda shown=shown, count=number // 2: len(shown()) > count)  # type: ignore[misc]  # its own
            assert answer in shown()[-1]
        shares = [cluster.list_chats(worker) for worker in (1, 2)]

    assert [len(each) for each in shares] == [1, 1]
