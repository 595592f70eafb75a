"""Measures turns over a filled store: one at a time, then many chats at once.

Between single turns there is as much time as a person takes: what a turn leaves to be embedded is embedded then.
"""

import asyncio
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from rich.console import Console
from rich.progress import Progress

from benchmarks.turn.filling import Talk, open_bot
from harness.application import InstantMessenger, RunningChats, ScriptedModel

_LOOP = 10_000
"""Additions of the loop that tells how fast the machine is meanwhile."""
_ANSWER = "I see. The journey takes some hours by train, so leave early and keep the receipts."
_AT_ONCE = 512
"""Messages accepted and not answered yet in the parallel part: several per chat."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: turns one after another, then messages in parallel."""

    chats: int
    turns: int
    messages: int
    first: int = 50
    """Chats whose first turn after a start is measured."""


@dataclass(slots=True)
class Timed:
    """Milliseconds of every turn from acceptance to the delivered answer, and of its systems.

    ``cold`` are the first turns of the chats after a start; ``late`` counts turns whose memories missed the deadline;
    ``cpu_ms`` is the processor time of a turn over all threads, embedding of what it said included, ``loop_cpu_ms``
    that of the event loop alone; the others depend on what else the machine does, these hardly.  ``loop_ms`` is a loop
    of 10,000 additions in Python beside every turn: shared machines are twice as fast in one minute as in the next, and
    ratios to it compare.
    """

    cold_ms: list[float] = field(default_factory=list)
    turns_ms: list[float] = field(default_factory=list)
    systems_ms: dict[str, list[float]] = field(default_factory=dict)
    loop_ms: list[float] = field(default_factory=list)
    cpu_ms: float = 0.0
    loop_cpu_ms: float = 0.0
    cold_cpu_ms: float = 0.0
    late: int = 0
    cold_late: int = 0
    messages_per_s: float = 0.0
    rss_mb: float = 0.0
    mapped_mb: float = 0.0
    """Of the resident memory what is mapped from files, and shared with whoever maps them."""


def measure(folder: Path, plan: Plan, *, model: bool = False) -> Timed:
    """Measure a store.

    With ``model`` a language model is configured, one that answers at once: every message asks memory then, and not
    only a question.
    """
    return asyncio.run(_measure(folder, plan, model=model))


async def _measure(folder: Path, plan: Plan, *, model: bool) -> Timed:
    messenger = InstantMessenger()
    chat = ScriptedModel(lambda _messages, _tools: _ANSWER) if model else None
    async with open_bot(folder, chat=chat, messenger=messenger) as bot:
        return await _Bench(bot, messenger).run(plan)


class _Bench:
    """Sends messages through the application and waits for the answers."""

    def __init__(self, bot: RunningChats, messenger: InstantMessenger) -> None:
        self._bot, self._delivered, self.app = bot, messenger.delivered, bot.app
        self._talks: dict[int, Talk] = {}
        self._late = 0

    async def run(self, plan: Plan) -> Timed:
        timed = Timed()
        chance = random.Random(11)
        with Progress(console=Console(file=sys.stderr)) as progress:
            cpu_s = time.process_time()
            first = range(min(plan.first, plan.chats))
            for chat in progress.track(first, description="first turns of chats"):
                timed.cold_ms.append(await self._turn(chat))
            timed.cold_cpu_ms = (time.process_time() - cpu_s) * 1000 / len(first)
            timed.cold_late, self._late = self._late, 0
            cpu_s, loop_s = time.process_time(), time.thread_time()
            for _ in progress.track(range(plan.turns), description="turns one at a time"):
                timed.turns_ms.append(await self._turn(chance.choice(first), timed.systems_ms))
                timed.loop_ms.append(_loop_ms())
            timed.cpu_ms = ((time.process_time() - cpu_s) * 1000 - sum(timed.loop_ms)) / plan.turns
            timed.loop_cpu_ms = ((time.thread_time() - loop_s) * 1000 - sum(timed.loop_ms)) / plan.turns
            timed.late = self._late
            progress.add_task(f"{plan.messages} messages at once", total=None)
            timed.messages_per_s = await self._parallel(plan)
        memory = psutil.Process().memory_info()
        timed.rss_mb, timed.mapped_mb = round(memory.rss / 1e6, 1), round(getattr(memory, "shared", 0) / 1e6, 1)
        return timed

    async def _turn(self, chat: int, systems: dict[str, list[float]] | None = None) -> float:
        message = self._bot.message(chat, self._talk(chat).message().user)
        started = time.perf_counter()
        await self.app.accept(message)
        await self.app.answered(message.address)
        took = (self._delivered.pop(message.address) - started) * 1000
        await self.app.embedding.wait_until_rested()
        asked = await self._bot.parts.turns.last(message.address)
        if asked is None or any("unavailable" in note for note in asked.trace.notes):
            raise RuntimeError(f"this turn is no measure: {asked.trace.notes if asked else 'nothing stored'}")
        self._late += any("missed the deadline" in note for note in asked.trace.notes)
        if systems is not None:
            for name, ms in asked.trace.durations_ms.items():
                systems.setdefault(name, []).append(ms)
        return took

    async def _parallel(self, plan: Plan) -> float:
        free = asyncio.Semaphore(_AT_ONCE)
        texts = [
            (number % plan.chats, self._talk(number % plan.chats).message().user) for number in range(plan.messages)
        ]
        started = time.perf_counter()

        async def say(chat: int, text: str) -> None:
            message = self._bot.message(chat, text)
            async with free:
                await self.app.accept(message)
                await self.app.answered(message.address)

        await asyncio.gather(*(say(chat, text) for chat, text in texts))
        await self.app.answered()
        return round(plan.messages / (time.perf_counter() - started), 1)

    def _talk(self, chat: int) -> Talk:
        return self._talks.setdefault(chat, Talk(chat, seed=8))


def _loop_ms() -> float:
    started, total = time.perf_counter(), 0
    for number in range(_LOOP):
        total += number
    return (time.perf_counter() - started) * 1000
