"""Fills a store with exchanges through the product's own write path: system 50, the commit, the embedding backlog."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.turn.fixtures import Ground, open_bot
from benchmarks.turn.talk import Said, Talk
from bot.compose.pipeline_factory import find_scope
from bot.messages import Accepted
from bot.ports.turn_store import TurnRecord
from bot.runtime.container import Container
from bot.turn import Reply, Session, StopSignal, Turn
from harness.samples import FreeWordVectors
from harness.samples import turn as leave
from systems.s50_memory_persist import MemoryPersist

_BATCH = 256

_START = datetime(2025, 1, 6, 9, tzinfo=UTC)
_DONE = "filled"


def fill(folder: Path, stored: int, chats: int) -> None:
    """Make a store of ``stored`` exchanges in ``chats`` chats in a folder, unless it is there."""
    if (folder / _DONE).exists():
        return
    asyncio.run(_fill(folder, stored, chats))
    (folder / _DONE).write_text(f"{stored} {chats}\n", encoding="ascii")


async def _fill(folder: Path, stored: int, chats: int) -> None:
    async with open_bot(folder, FreeWordVectors) as ground:
        with Progress(console=Console(file=sys.stderr)) as progress:
            task = progress.add_task(f"storing {stored:,} exchanges", total=stored)
            turns = _turns(ground, stored, chats)
            while batch := tuple(islice(turns, _BATCH)):
                await _store(ground.parts, batch)
                progress.advance(task, len(batch))
            task = progress.add_task("storing their vectors", total=None)
            await ground.parts.housekeeping.catch_up()
            progress.update(task, total=1, completed=1)
            await ground.parts.housekeeping.tidy()


def _turns(ground: Ground, stored: int, chats: int) -> Iterator[Turn]:
    talks = [Talk(chat) for chat in range(chats)]
    for number in range(stored):
        chat = number % chats
        at = _START + timedelta(minutes=number * 400_000 / max(stored, 1))
        yield _turn(ground, number, chat, talks[chat].statement(), at)


def _turn(ground: Ground, number: int, chat: int, said: Said, at: datetime) -> Turn:
    message = ground.message(chat, said.user, at)
    return Turn(
        accepted=(Accepted(-number - 1, message),),
        scope=find_scope(message, ground.parts.settings.current(), ground.parts.chats),
        session=Session(0, at),
        started_at=at,
        text=said.user,
        stop=StopSignal(),
        reply=Reply(said.assistant),
    )


async def _store(parts: Container, turns: tuple[Turn, ...]) -> None:
    """Commit turns at once, as busy chats do, beginning new sessions now and then."""
    persist = MemoryPersist(remembering=lambda: True, deriving=lambda: True)
    planned = [await persist(turn) for turn in turns]
    await asyncio.gather(*(parts.turns.commit(_record(turn)) for turn in planned))


def _record(turn: Turn) -> TurnRecord:
    said = leave(turn.exchange, scope=turn.scope, address=turn.address, items=turn.items, trace=turn.trace)
    return replace(said, session=turn.session)
