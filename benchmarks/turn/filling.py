"""The product's own composition in a folder of its own, its store filled through the product's own write path.

There is no memory server.  Exchanges go through system 50, the commit and the embedding backlog, 4,000 at most: the
other chats of a larger store are copies (:mod:`benchmarks.turn.copying`).  They are made up, the same for every run of
a seed: sentences come from patterns over pools that are drawn unevenly, as people talk about few things often and about
many things once; one message in three is a question about something that was said.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from adapters.embedding.e5 import E5Embedder
from benchmarks.turn.copying import copy_chats
from bot.config.folders import PROJECT, Folders, find_model_folder
from bot.messages import Accepted
from bot.ports.chat_model import ChatModel
from bot.ports.embedder import Embedder
from bot.ports.turn_store import TurnRecord
from bot.runtime.app import App
from bot.runtime.chat_rules import find_scope
from bot.runtime.installation import set_up_logs
from bot.turn import Reply, Session, StopSignal, Turn
from harness.application import RecordingMessenger, RunningChats, first_update, make_folders, open_application
from harness.samples import FreeWordVectors, draw, read_words
from harness.samples import turn as leave
from systems.s50_memory_persist import MemoryPersist

_BATCH = 256
_WRITTEN = 4_000
"""Exchanges that go through the product's own write path; of a larger store the other chats are copies of those."""

_START = datetime(2025, 1, 6, 9, tzinfo=UTC)
_DONE = "filled"


def fill(folder: Path, stored: int, chats: int) -> None:
    """Make a store of ``stored`` exchanges in ``chats`` chats in a folder, unless it is there."""
    if (folder / _DONE).exists():
        return
    asyncio.run(_fill(folder, stored, chats))
    (folder / _DONE).write_text(f"{stored} {chats}\n", encoding="ascii")


async def _fill(folder: Path, stored: int, chats: int) -> None:
    async with open_bot(folder, FreeWordVectors) as bot:
        await bot.parts.housekeeping.catch_up()  # an empty store has missed nothing: else all is derived again below
        own = max(1, min(chats, _WRITTEN * chats // max(stored, 1)))
        with Progress(console=Console(file=sys.stderr)) as progress:
            task = progress.add_task("storing exchanges", total=stored * own // chats)
            turns = _turns(bot, stored * own // chats, own)
            while batch := tuple(islice(turns, _BATCH)):
                await _store(bot.parts, batch)
                progress.advance(task, len(batch))
            task = progress.add_task("storing their vectors", total=None)
            await bot.parts.housekeeping.catch_up()
            progress.update(task, total=1, completed=1)
            copies = copy_chats(folder / "data" / "mneme.db", range(_FIRST_USER, _FIRST_USER + own), chats - own)
            for _ in progress.track(copies, chats - own, description="copying chats"):
                pass
            await bot.parts.housekeeping.tidy()


def _turns(bot: RunningChats, stored: int, chats: int) -> Iterator[Turn]:
    talks = [Talk(chat) for chat in range(chats)]
    for number in range(stored):
        chat = number % chats
        at = _START + timedelta(minutes=number * 400_000 / max(stored, 1))
        yield _turn(bot, number, chat, talks[chat].statement(), at)


def _turn(bot: RunningChats, number: int, chat: int, said: Said, at: datetime) -> Turn:
    message = bot.message(chat, said.user, sent_at=at)
    return Turn(
        accepted=(Accepted(-number - 1, message),),
        scope=find_scope(message, bot.parts.settings.current, bot.parts.chats),
        session=Session(0, at),
        started_at=at,
        text=said.user,
        stop=StopSignal(),
        reply=Reply(said.assistant),
    )


async def _store(parts: App, turns: tuple[Turn, ...]) -> None:
    """Commit turns at once, as busy chats do, beginning new sessions now and then."""
    persist = MemoryPersist(remembering=lambda: True, deriving=lambda: True)
    planned = [await persist(turn) for turn in turns]
    await asyncio.gather(*(parts.turns.commit(_record(turn)) for turn in planned))


def _record(turn: Turn) -> TurnRecord:
    return leave(turn.exchange, scope=turn.scope, address=turn.address, items=turn.items, trace=turn.trace)


PLATFORM = "bench"
_FIRST_USER = 1000
_SETTINGS = {"rag": {"enabled": False}, "log": {"level": "info"}, "retention": {"backups": 0}}
"""Without back-ups: that of a store of 540 MB takes 1.3 s of a processor, once a day, and would fall into the turns."""


@asynccontextmanager
async def open_bot(
    folder: Path,
    embedder: Callable[[str], Embedder] | None = None,
    chat: ChatModel | None = None,
    messenger: RecordingMessenger | None = None,
    url: str = "",
) -> AsyncIterator[RunningChats]:
    """Open the store of a folder, or a PostgreSQL's; ``embedder`` takes the model's name and stands in for it.

    ``chat`` answers.
    """
    places = _places(folder, url)
    set_up_logs("info", "json", places.logs / "mneme.log")
    model = E5Embedder(places.models).model

    def alter(parts: App) -> App:
        if chat is not None:
            parts.model = lambda: chat  # features ask these very parts whether there is one
        return parts

    async with open_application(
        places,
        embedder(model) if embedder else None,
        messengers={PLATFORM: messenger} if messenger is not None else {},
        alter=alter,
        started=messenger is not None,
    ) as app:
        yield RunningChats(
            app, messenger or RecordingMessenger(), places, itertools.count(first_update(folder)), PLATFORM
        )


def _places(folder: Path, url: str) -> Folders:
    places = make_folders(folder, _SETTINGS | {"storage": {"url": url}})
    for name in ("IDENTITY.md", "RULES.md"):
        shutil.copy(PROJECT / "preferences" / "prompts" / name, places.preferences / "prompts")
    return replace(places, models=find_model_folder(places.data))


_WORDS = read_words("talk")


@dataclass(frozen=True, slots=True)
class Said:
    """What a user said, and what a language model would have answered."""

    user: str
    assistant: str


class Talk:
    """An endless conversation of one chat."""

    def __init__(self, chat: int, seed: int = 7) -> None:
        self._chance = random.Random(f"{seed}/{chat}")

    def statement(self) -> Said:
        """Return the next exchange that states something."""
        return self._said("statements")

    def question(self) -> Said:
        """Return the next exchange that asks something."""
        return self._said("questions")

    def message(self) -> Said:
        """Return the next exchange: two statements to one question."""
        return self._said("questions" if self._chance.random() < 1 / 3 else "statements")

    def _said(self, kind: str) -> Said:
        chance, patterns = self._chance, _WORDS[kind]
        words = {
            "person": self._drawn("people"),
            "place": self._drawn("places"),
            "thing": self._drawn("things"),
            "other": self._drawn("things"),
            "verb": chance.choice(_WORDS["verbs"]),
            "kin": chance.choice(_WORDS["kin"]),
            "day": chance.choice(_WORDS["days"]),
            "hours": chance.randrange(2, 14),
            "code": f"{chance.randrange(100, 999)}-{chance.choice('GHKX')}{chance.randrange(100_000)}",
        }
        user = " ".join(pattern.format(**words) for pattern in chance.sample(patterns, 1 + (chance.random() < 1 / 4)))
        return Said(user[0].upper() + user[1:], chance.choice(_WORDS["answers"]).format(**words))

    def _drawn(self, kind: str) -> str:
        return draw(self._chance, _WORDS[kind], 3)
