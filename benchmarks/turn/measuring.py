"""Measures turns over a filled store: one at a time, then many chats at once.

Between single turns there is as much time as a person takes: what a turn leaves to be embedded is embedded then.
"""

import asyncio
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from benchmarks.turn.filling import Talk, open_bot
from bot.ports.events import Event, TurnEnded
from bot.turn import Trace
from harness.application import InstantMessenger, RunningChats, ScriptedModel
from harness.options import Report

_LOOP = 10_000
"""Additions of the loop that tells how fast the machine is meanwhile."""
_ANSWER = "I see. The journey takes some hours by train, so leave early and keep the receipts."
_AT_ONCE = 512
"""Messages accepted and not answered yet in the parallel part: several per chat."""
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: turns one after another, then messages in parallel."""

    chats: int
    turns: int
    messages: int
    first: int = 50
    """Chats whose first turn after a start is measured."""


def measure(folder: Path, plan: Plan, *, model: bool = False) -> Report:
    """Return what turns over a store cost, from acceptance to the delivered answer.

    With ``model`` a language model is configured, one that answers at once: every message asks memory then, and not
    only a question.  ``cpu_ms`` is the processor time of a turn over all threads, embedding of what it said included,
    ``loop_cpu_ms`` that of the event loop alone; the others depend on what else the machine does, these hardly.
    ``loop_ms`` is a loop of 10,000 additions in Python beside every turn: shared machines are twice as fast in one
    minute as in the next, and ratios to it compare.  ``mapped_mb`` of the resident memory is mapped from files, and
    shared with whoever maps them; ``memories_late`` counts turns whose memories missed the deadline.
    """
    return asyncio.run(_measure(folder, plan, model=model))


async def _measure(folder: Path, plan: Plan, *, model: bool) -> Report:
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
        self._ended = asyncio.Queue[Trace]()
        self.app.parts.events.subscribe(self._note_end, TurnEnded)

    async def run(self, plan: Plan) -> Report:
        chance, cold_ms, turns_ms, loop_ms = random.Random(11), list[float](), list[float](), list[float]()
        systems_ms: dict[str, list[float]] = {}
        cpu_s = time.process_time()
        first = range(min(plan.first, plan.chats))
        _tell(f"first turns of {len(first)} chats")
        for chat in first:
            cold_ms.append(await self._turn(chat))
        cold_cpu_ms = (time.process_time() - cpu_s) * 1000 / len(first)
        cold_late, self._late = self._late, 0
        _tell(f"{plan.turns} turns one at a time")
        cpu_s, loop_s = time.process_time(), time.thread_time()
        for _ in range(plan.turns):
            turns_ms.append(await self._turn(chance.choice(first), systems_ms))
            loop_ms.append(_loop_ms())
        cpu_ms = ((time.process_time() - cpu_s) * 1000 - sum(loop_ms)) / plan.turns
        loop_cpu_ms = ((time.thread_time() - loop_s) * 1000 - sum(loop_ms)) / plan.turns
        late = self._late
        _tell(f"{plan.messages} messages at once")
        messages_per_s = await self._parallel(plan)
        memory = psutil.Process().memory_info()
        return {
            "p50_ms": _percentile(turns_ms, 50),
            "p95_ms": _percentile(turns_ms, 95),
            "messages_per_s": messages_per_s,
            "rss_mb": round(memory.rss / 1e6, 1),
            "mapped_mb": round(getattr(memory, "shared", 0) / 1e6, 1),
            "cpu_ms": round(cpu_ms, 2),
            "loop_cpu_ms": round(loop_cpu_ms, 2),
            "first_turn_of_a_chat_cpu_ms": round(cold_cpu_ms, 2),
            "loop_ms": _percentile(loop_ms, 50),
            "memories_late": late,
            "memories_late_at_first_turn": cold_late,
            "first_turn_of_a_chat_p50_ms": _percentile(cold_ms, 50),
            "first_turn_of_a_chat_p95_ms": _percentile(cold_ms, 95),
            "systems_p50_ms": {name: _percentile(ms, 50) for name, ms in systems_ms.items()},
        }

    async def _turn(self, chat: int, systems: dict[str, list[float]] | None = None) -> float:
        message = self._bot.message(chat, self._talk(chat).message().user)
        started = time.perf_counter()
        await self.app.accept(message)
        await self.app.answered(message.address)
        took = (self._delivered.pop(message.address) - started) * 1000
        await self.app.embedding.wait_until_rested()
        async with asyncio.timeout(_PATIENCE_S):
            trace = await self._ended.get()
        if any("unavailable" in note for note in trace.notes):
            raise RuntimeError(f"this turn is no measure: {trace.notes}")
        self._late += any("missed the deadline" in note for note in trace.notes)
        if systems is not None:
            for name, ms in trace.durations_ms.items():
                systems.setdefault(name, []).append(ms)
        return took

    async def _note_end(self, event: Event) -> None:
        if isinstance(event, TurnEnded):
            self._ended.put_nowait(event.turn.trace)

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


def _tell(what: str) -> None:
    """Say what comes next: a bar that moves would count as processor time of what is measured."""
    print(what, file=sys.stderr, flush=True)


def _loop_ms() -> float:
    started, total = time.perf_counter(), 0
    for number in range(_LOOP):
        total += number
    return (time.perf_counter() - started) * 1000


def _percentile(values: list[float], share: int) -> float:
    return round(float(np.percentile(values, share)), 2)
