"""Promise P3 in small: long-term memory never delays an answer beyond its budget, measured in virtual time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import httpx

from adapters.rag.client import LightRagClient
from adapters.rag.transport import ServerNames
from bot.memory.scope import Scope
from bot.ports.rag import QueryMode, RagAnswer
from harness.fakes.lightrag import INSTALLATION
from tests.adapters.rag.virtual_time import run_virtually
from tests.cases import each_row

_BUDGET_S = 0.8


class _Body(httpx.AsyncByteStream):
    """Bytes that come ``pause_s`` apart."""

    def __init__(self, pause_s: float, blocks: int) -> None:
        self._pause_s = pause_s
        self._blocks = blocks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self._blocks):
            await asyncio.sleep(self._pause_s)
            yield b" "


class _Moody(httpx.AsyncBaseTransport):
    """A server in one of its moods, without a socket."""

    def __init__(self, mood: str, dice: random.Random) -> None:
        self.mood = mood
        self._dice = dice
        self.asked = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        match self.mood:
            case "up":
                await asyncio.sleep(self._dice.uniform(0.01, 0.1))
                return httpx.Response(200, json={"status": "success", "data": {}})
            case "slow":
                await asyncio.sleep(self._dice.uniform(0.2, 3.0))
                return httpx.Response(200, json={"status": "success", "data": {}})
            case "down":
                raise httpx.ConnectError("refused")
            case "hanging":
                await asyncio.sleep(3600)
                raise AssertionError("the budget was ignored")
            case "dripping":
                return httpx.Response(200, stream=_Body(0.5, 10_000))
            case _:
                return httpx.Response(200, content=b"<html>")


@each_row("mood", ["up", "slow", "down", "hanging", "dripping", "garbage", "changing"])
def test_a_turn_waits_at_most_its_budget(mood: str) -> None:
    """1,000 questions, one every ten seconds, to a server in each mood: never more than 0.8 s, mostly far less.

    Mutation check: with httpx's own time-out in place of the total deadline the dripping server holds a turn for hours.
    A server that needs seconds for every answer is not in the promise on the median: its probes may just make it.
    """
    dice = random.Random(7)
    transport = _Moody(mood, dice)

    async def ask() -> tuple[list[float], list[RagAnswer]]:
        loop = asyncio.get_running_loop()
        client = LightRagClient(
            "http://lightrag", "key", names=ServerNames(INSTALLATION), query_transport=transport, monotonic=loop.time
        )
        waits, answers = [], []
        for number in range(1000):
            if mood == "changing":
                transport.mood = dice.choice(["up", "up", "down", "hanging", "dripping", "garbage"])
            began = loop.time()
            question = f"Where is number {number}?"
            answers.append(await client.query(Scope("tu1"), question, QueryMode.MIX, deadline_s=_BUDGET_S))
            waits.append(loop.time() - began)
            await asyncio.sleep(10)
        await client.close()
        return sorted(waits), answers

    waits, answers = run_virtually(ask())

    assert len(answers) == 1000
    assert waits[-1] <= _BUDGET_S + 1e-6
    assert mood == "slow" or waits[500] <= 0.3
    assert waits[950] <= _BUDGET_S + 1e-6
    assert all(answer.note for answer in answers) == (mood in {"down", "hanging", "dripping", "garbage"})


def test_an_open_breaker_takes_no_time_and_asks_nobody() -> None:
    """Five hanging calls open the breaker; the next 1,000 turns wait exactly 0 s and send nothing."""
    transport = _Moody("hanging", random.Random(7))

    async def ask() -> tuple[float, int]:
        loop = asyncio.get_running_loop()
        client = LightRagClient("http://lightrag", "key", names=ServerNames(INSTALLATION), query_transport=transport)
        for number in range(5):
            await client.query(Scope("tu1"), f"question {number}", QueryMode.MIX, deadline_s=_BUDGET_S)
        began, asked = loop.time(), transport.asked
        for number in range(1000):
            await client.query(Scope("tu1"), f"another {number}", QueryMode.MIX, deadline_s=_BUDGET_S)
        await client.close()
        return loop.time() - began, transport.asked - asked

    assert run_virtually(ask()) == (0.0, 0)


def test_probes_come_ever_more_rarely() -> None:
    """A server that is dead for an hour is probed about 30 times, not once per turn."""
    transport = _Moody("down", random.Random(7))

    async def ask() -> int:
        client = LightRagClient("http://lightrag", "key", names=ServerNames(INSTALLATION), query_transport=transport)
        for number in range(3600):
            await client.query(Scope("tu1"), f"question {number}", QueryMode.MIX, deadline_s=_BUDGET_S)
            await asyncio.sleep(1)
        await client.close()
        return transport.asked

    asked = run_virtually(ask())

    assert 5 + 25 <= asked <= 5 + 45


def test_virtual_time_is_exact() -> None:
    """An hour's sleep takes an hour of the loop's clock."""

    async def sleep() -> float:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(3600)
        return loop.time()

    assert run_virtually(sleep()) == 3600
