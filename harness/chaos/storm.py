"""A bot that is killed again and again while people write to it, and power cuts without pulling a plug.

A SIGKILL alone loses nothing that was written, because the kernel keeps its cache.  A small shim, preloaded into Mneme,
keeps a copy of every file as of its last fsync; after the kill the files are put back to these copies.
It is the worst case, in which nothing survives by luck; names (created, renamed and deleted files) survive.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.chaos.figures import (
    MARK,
    Ask,
    Facts,
    Figures,
    Recording,
    SimulatedUsers,
    count_left,
    counted,
    file_end,
    lost,
    not_offered,
    read_file,
    unrecorded,
    wanted_offers,
)
from harness.fakes.lightrag import FakeLightRag
from harness.fakes.openai import FakeOpenAi, Json, Says, Step, echo
from harness.fakes.telegram import FakeTelegram, Fault
from harness.processes import Home, documents, running, waiting

_FIRST_USER = 7
_EARLY = 0.2
"""Share of kills that may hit a process before it listens to Telegram."""
_QUIET_S = 70.0
"""So long without an answer or an indexed document means that what is missing will not come; a group has to wait for
its next minute."""
_START_S = 60.0
_END_S = 15.0
_FILLING = "\n\n".join(f"Paragraph {number}. " + "Much is to be said of it. " * 20 for number in range(40))
"""Five messages of text: more than a chat is shown."""
_PIECES, _PIECE_S = 20, 0.03
"""An answer of the model comes in so many pieces, so many seconds apart."""


@dataclass(frozen=True, slots=True)
class Weather:
    """What happens: ``kills`` endings, each up to ``life_s`` seconds after a process listens.

    ``people`` write, with ``pause_s`` seconds between two messages on average and ``per_life`` messages per process at
    most: on a slow machine the backlog would outgrow the kills.  ``gentle`` ends by SIGTERM instead of SIGKILL;
    ``embedded`` uses the real memory server instead of the fake one; with ``power`` a SIGKILL also takes away what was
    not synced; ``model`` answers by a fake language model, streamed, instead of from memory; ``drops`` is the share of
    sends, edits and drafts that Telegram answers with 5xx or not at all, before or after it took them, and with
    ``slow_s`` also so many seconds late; ``old`` is a Telegram without drafts; with ``long`` every third answer of the
    model comes as a file.
    """

    kills: int = 100
    seed: int = 1
    life_s: float = 2.0
    people: int = 20
    pause_s: float = 0.15
    per_life: int = 15
    gentle: bool = False
    embedded: bool = False
    model: bool = False
    drops: float = 0.0
    slow_s: float = 0.0
    old: bool = False
    long: bool = False
    power: bool = False

    @property
    def users(self) -> tuple[int, ...]:
        return tuple(range(_FIRST_USER, _FIRST_USER + self.people))


async def storm(
    weather: Weather, folder: Path, progress: Callable[[int], None] = lambda _: None, record: Recording = unrecorded
) -> Figures:
    """Let it pass and return what it has cost.

    ``progress`` is told the number of kills so far, ``record`` what was said, shown and stored in the end.
    """
    dice = random.Random(weather.seed)
    home = Home(folder)
    cut = power_cut(home.data, folder / "power") if weather.power else None
    began = time.monotonic()
    async with (
        FakeTelegram() as telegram,
        FakeLightRag(delay_s=0.05) as rag,
        FakeOpenAi(default=partial(_spoken, weather)) as model,
    ):
        _cloud(telegram, weather)
        home.configure(_settings(telegram, rag, model, weather))
        people = SimulatedUsers(telegram, weather.users, dice, weather.pause_s, most=weather.kills * weather.per_life)
        ask = read_file(home.data / "mneme.db")
        bad_ends, taken = await _endings(weather, home, people, dice, cut, progress)

        def count() -> Figures:
            kept = tuple((tag, each.source, each.text) for tag in list(rag.workspaces) for each in rag.processed(tag))
            indexed = documents(home.data) if weather.embedded else [source for _, source, _ in kept]
            record(
                Facts(
                    tuple((user, people.texts[mark]) for mark, user in people.said.items()),
                    tuple((shown.chat_id, shown.text) for shown in telegram.chats.of()),
                    kept,
                    tuple((shown.chat_id, shown.file.content.decode()) for shown in telegram.chats.of() if shown.file),
                )
            )
            return counted(people, ask, indexed, (home.data / "outgoing",), kills=weather.kills, seed=weather.seed)

        figures, ended_well = await _calm(home, people, count)
        return replace(
            figures,
            bad_ends=bad_ends + (not ended_well),
            unsynced_bytes=taken,
            seconds=round(time.monotonic() - began, 1),
        )


def _cloud(telegram: FakeTelegram, weather: Weather) -> None:
    faults = telegram.faults
    faults.chance, faults.seed = weather.drops, weather.seed
    faults.methods = ("sendMessage", "sendDocument", "editMessageText", "sendMessageDraft")
    faults.by_chance = (Fault.FAILED, Fault.FAILED_AFTER, Fault.GATEWAY, Fault.DROPPED, Fault.DROPPED_AFTER)
    if weather.slow_s:
        faults.seconds = weather.slow_s
        faults.by_chance += (Fault.SLOW,)
    if weather.old:
        telegram.fail("sendMessageDraft", Fault.REFUSED, 10**9, description="Bad Request: TEXTDRAFT_PEER_INVALID")


async def _endings(
    weather: Weather,
    home: Home,
    people: SimulatedUsers,
    dice: random.Random,
    cut: PowerCut | None,
    progress: Callable[[int], None],
) -> tuple[int, int]:
    """End the bot again and again while people write."""
    bad, taken = 0, 0
    environment = {**_environment(people.telegram), **(cut.environment if cut else {})}
    writing = asyncio.create_task(people.write())
    try:
        for number in range(weather.kills):
            async with running(home, "run", environment=environment, forked=cut is None) as mneme:
                if weather.gentle or dice.random() > _EARLY:
                    await _listening(people.telegram, mneme_ends=lambda: mneme.code is not None)
                await asyncio.sleep(dice.uniform(0.0, weather.life_s))
                if weather.gentle:
                    bad += not await _ends(mneme.stop)
                else:
                    mneme.signal(signal.SIGKILL)
            taken += cut.strike() if cut else 0
            progress(number + 1)
    finally:
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
    return bad, taken


async def _listening(telegram: FakeTelegram, *, mneme_ends: Callable[[], bool]) -> None:
    """Wait for the next poll: before that a process has no handler for signals yet."""
    polls = sum(method.lower() == "getupdates" for method, _ in telegram.calls)
    with suppress(TimeoutError):
        await telegram.until(
            lambda: mneme_ends() or sum(method.lower() == "getupdates" for method, _ in telegram.calls) > polls,
            seconds=_START_S,
        )


async def _calm(home: Home, people: SimulatedUsers, count: Callable[[], Figures]) -> tuple[Figures, bool]:
    """Let a last process answer and index what is left, and end it; return what it has cost, and how it ended."""
    people.telegram.faults.chance = 0.0
    async with running(home, "run", environment=_environment(people.telegram)) as mneme:
        await _listening(people.telegram, mneme_ends=lambda: mneme.code is not None)
        ask = read_file(home.data / "mneme.db")
        left = partial(count_left, ask, home.data / "outgoing")
        figures = await settle(people, ask, count, lambda: waiting(home.data) + left())
        return figures, await _ends(mneme.stop)


async def settle(
    people: SimulatedUsers, ask: Ask, count: Callable[[], Figures], waiting: Callable[[], int] = int
) -> Figures:
    """Wait until all is still, ``waiting`` being what else is to come, and return what it has cost.

    Then people press "Show again" under every offer for an answer that they have not seen.
    """
    await _still(lambda: (lost(people, ask), waiting(), not_offered(people, ask)))
    figures = count()
    for shown, token, user in wanted_offers(people, ask):
        await people.telegram.presses(token, user=user, shown=shown)
    await _still(lambda: (len(people.unanswered()),))
    return replace(figures, shown_again=figures.unanswered + figures.set_aside - len(people.unanswered()))


async def _still(left: Callable[[], tuple[int, ...]]) -> None:
    """Wait until nothing is left, or nothing changes any more."""
    quiet_since = time.monotonic()
    state: tuple[int, ...] = ()
    while time.monotonic() - quiet_since < _QUIET_S:
        await asyncio.sleep(0.2)
        now = left()
        if not any(now):
            return
        if now != state:
            state, quiet_since = now, time.monotonic()


async def _ends(stop: Callable[[], Any]) -> bool:  # Any: a coroutine of the exit code
    began = time.monotonic()
    try:
        return await stop() == 0 and time.monotonic() - began <= _END_S
    except TimeoutError:
        return False


def _spoken(weather: Weather, body: Json) -> Step:
    """Answer at the pace of a language model, so that an answer is several frames long."""
    said = echo(body)
    if not isinstance(said, Says):
        return said
    mark = MARK.search(said.text)
    if weather.long and mark is not None and int(mark[1]) % 3 == 0:
        said = replace(said, text=f"{said.text}\n\n{_FILLING}\n\n{file_end(mark[0])}")
    return replace(said, pieces=_PIECES, pause_s=_PIECE_S)


def _environment(telegram: FakeTelegram) -> dict[str, str]:
    return {"TELEGRAM_TOKEN": telegram.token}


def _settings(telegram: FakeTelegram, rag: FakeLightRag, model: FakeOpenAi, weather: Weather) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "telegram": {"apiUrl": telegram.url, "allowedUsers": list(weather.users), "editIntervalSeconds": 0.3},
        "rag": {} if weather.embedded else {"url": rag.url, "apiKey": "secret"},
    }
    if weather.model:
        settings["llm"] = {"url": model.url, "model": "fake-model"}
    return settings


_SOURCE = Path(__file__).with_name("powercut.c")


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The files below ``data``, whose synced contents ``shadow`` holds, each under its inode's number."""

    data: Path
    shadow: Path
    library: Path

    @property
    def environment(self) -> Mapping[str, str]:
        return {
            "LD_PRELOAD": str(self.library),
            "POWERCUT_ROOT": str(self.data.resolve()),
            "POWERCUT_SHADOW": str(self.shadow.resolve()),
        }

    def strike(self) -> int:
        """Take back what was not synced, and return how many bytes that were; no process may be running.

        SQLite's shared memory (-shm) is lost like everything else, but not counted: nobody ever syncs it.
        """
        taken = 0
        for path in (path for path in self.data.rglob("*") if path.is_file()):
            copy = self.shadow / str(path.stat().st_ino)
            kept = copy.read_bytes() if copy.exists() else b""
            written = path.read_bytes()
            if written != kept:
                changed = max(len(written) - len(kept), sum(a != b for a, b in zip(written, kept, strict=False)))
                taken += 0 if path.name.endswith("-shm") else changed
                path.write_bytes(kept)
            copy.write_bytes(kept)
        return taken


def power_cut(data: Path, scratch: Path) -> PowerCut:
    """Build the shim in a scratch folder and return the power cut for a data folder.

    Raises ``RuntimeError`` where there is no C compiler or no ``LD_PRELOAD``.
    """
    compiler = shutil.which("cc")
    if compiler is None or not Path("/proc/self/fd").exists():
        raise RuntimeError("power cuts need Linux and a C compiler (cc): install gcc, or leave the option out")
    shadow, library = scratch / "shadow", scratch / "powercut.so"
    shadow.mkdir(parents=True, exist_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    command = (compiler, "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl")
    subprocess.run(command, check=True)  # noqa: S603 - our own source
    return PowerCut(data, shadow, library)
