"""A backlog that grows while the memory server is down.

A pass is: at most 50 MB more RSS after the warm-up, tasks and descriptors that do not grow with what waits, a database
of at most twice what was said, and everything still waiting.
"""

import asyncio
import random
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from harness.application import RunningChats, run_chats
from harness.samples import FreeVectors

_DOWN = "http://127.0.0.1:9"
"""The discard port: connections are refused."""
_MB = 1024 * 1024
_PARALLEL = 64
_MOST_MB, _MOST_TASKS, _MOST_GROWTH = 50.0, 64 * 4 + 40, 16
_FILLER = "The quick brown fox jumps over the lazy dog while the parcel of my sister waits in the garage of the house. "


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is said; the first ``warm`` exchanges are not measured."""

    exchanges: int = 100_000
    chats: int = 10_000
    warm: int = 10_000
    seed: int = 1


@dataclass(slots=True)
class Figures:
    """``tasks`` and ``descriptors`` are the largest numbers seen, before and after the warm-up."""

    exchanges: int = 0
    chats: int = 0
    waiting: int = 0
    rss_warm_mb: float = 0.0
    rss_mb: float = 0.0
    tasks_warm: int = 0
    tasks: int = 0
    descriptors_warm: int = 0
    descriptors: int = 0
    payload_mb: float = 0.0
    database_mb: float = 0.0
    seconds: float = 0.0

    @property
    def broken(self) -> bool:
        """Whether tasks, descriptors or RSS grew with the backlog, or not all of it waits."""
        return not (
            self.rss_mb - self.rss_warm_mb <= _MOST_MB
            and self.tasks <= _MOST_TASKS
            and self.descriptors - self.descriptors_warm <= _MOST_GROWTH
            and self.waiting == self.exchanges
        )


async def growth(plan: Plan, folder: Path) -> Figures:
    figures, began, me = Figures(chats=plan.chats), time.monotonic(), psutil.Process()
    dice = random.Random(plan.seed)
    settings = {"rag": {"url": _DOWN, "apiKey": "secret"}, "memory": {"itemsEnabled": False}}
    async with run_chats(folder, settings, FreeVectors("free"), level="error") as bot:
        while figures.exchanges < plan.exchanges:
            tasks = await _wave(bot, figures, dice, plan)
            bot.messenger.sent.clear()
            descriptors = me.num_fds()
            if figures.exchanges <= plan.warm:
                figures.tasks_warm = max(figures.tasks_warm, tasks)
                figures.descriptors_warm = max(figures.descriptors_warm, descriptors)
                figures.rss_warm_mb = me.memory_info().rss / _MB
            figures.tasks = max(figures.tasks, tasks)
            figures.descriptors = max(figures.descriptors, descriptors)
        figures.rss_mb = me.memory_info().rss / _MB
        figures.waiting = (await bot.parts.outbox.counts()).waiting
        await bot.parts.housekeeping.database.checkpoint()
    figures.database_mb = bot.folders.database.stat().st_size / _MB
    figures.seconds = time.monotonic() - began
    return figures


async def _wave(bot: RunningChats, figures: Figures, dice: random.Random, plan: Plan) -> int:
    """Let some people speak at once, and return how many tasks there are then."""
    for number in range(min(_PARALLEL, plan.exchanges - figures.exchanges)):
        chat = (figures.exchanges + number) % plan.chats
        text = f"My locker {figures.exchanges + number} is number {dice.randrange(10**9)}. {_FILLER * 4}"
        figures.payload_mb += len(text) / _MB
        await bot.tell(chat, text)
    figures.exchanges += min(_PARALLEL, plan.exchanges - figures.exchanges)
    tasks = len(asyncio.all_tasks())
    await bot.app.answered()
    return tasks
