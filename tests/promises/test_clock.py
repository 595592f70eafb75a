"""P14: a wall clock that jumps changes neither the order of a conversation nor its course."""

from __future__ import annotations

import random
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.memory.scope import Scope
from bot.messages import Address
from bot.runtime.chat_rules import SystemClock
from harness.application import ScriptedModel, run_chats, tag_of
from harness.fakes.faulty_http import Fault, Request
from harness.fakes.lightrag import FakeLightRag
from harness.processes import until
from harness.samples import WordEmbedder

JUMPS = (1.0, 60.0, 3600.0, 86_400.0)
TURNS = 24


async def test_order_is_by_sequence_whatever_the_clock_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With jumps of a second to a day between turns, history, replies and documents keep their order, nothing fails.

    Mutation check: with a history ordered by ``said_at`` it is red.
    """
    dice, shift = random.Random(1), timedelta()
    true_now = SystemClock.now
    monkeypatch.setattr(SystemClock, "now", lambda self: true_now(self) + shift)
    read: list[str] = []
    model = ScriptedModel(lambda messages, _: f"Heard {messages[-1].content}", read.append)
    answers, session_ids = [], []
    async with FakeLightRag() as rag:
        settings = {"rag": {"url": rag.url, "apiKey": "secret"}, "session": {"historyExchanges": 50}}
        async with run_chats(tmp_path, settings, WordEmbedder(), model=model) as bot:
            for number in range(TURNS):
                shift += timedelta(seconds=dice.choice((-1, 1)) * dice.choice(JUMPS) * dice.random())
                said_at: datetime = bot.parts.clock.now()
                text = f"Mark{number:03d}: the parcel for my sister Vera is in the garage of the house."
                answers.append(await bot.say(0, text, sent_at=said_at))
                session_ids.append((await bot.parts.turns.session(Address("telegram", 1, 1000))).id)
            session = await bot.parts.turns.session(Address("telegram", 1, 1000))
            history = await bot.parts.turns.history(Scope(tag_of(0)), session.id, TURNS)
            settled = await bot.parts.longterm.settle(20)
        stored = [document.text for document in rag.stored(tag_of(0))]
        log = (bot.folders.logs / "mneme.log").read_text(encoding="utf-8")

    marks = [f"Mark{number:03d}" for number in range(TURNS)]
    assert settled
    assert [exchange.user_text[:7] for exchange in history] == marks
    assert [answer[6:13] for answer in answers] == marks
    assert [next(mark for mark in marks if mark in text) for text in stored] == marks
    assert len(set(session_ids)) == 1
    assert '"error"' not in log


async def test_time_outs_do_not_follow_the_wall_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day that passes within a turn ends neither the turn nor the wait for memory."""
    shift = timedelta()
    true_now, true_time = SystemClock.now, time.time
    monkeypatch.setattr(SystemClock, "now", lambda self: true_now(self) + shift)
    monkeypatch.setattr(time, "time", lambda: true_time() + shift.total_seconds())

    def jump(prompt: str) -> None:
        nonlocal shift
        shift += timedelta(days=1)

    model = ScriptedModel(
        lambda messages, _: "Still here." if messages[-1].role == "tool" else model.call("date_and_time"), jump
    )
    async with run_chats(tmp_path, {"rag": {"enabled": False}}, WordEmbedder(), model=model) as bot:
        forward = await bot.say(0, "Is the parcel for my sister in the garage?")
        shift -= timedelta(days=3)
        back = await bot.say(0, "And the bicycle of my sister?")

    assert forward == back == "Still here."


async def test_a_clock_that_goes_back_does_not_hold_up_indexing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for its next attempt while the clock is put back a day is tried after its pause, not a day later.

    Mutation check: with an agenda that is always crowded, so that the wall clock counts, it is red.
    """
    shift = timedelta()
    true_now = SystemClock.now
    monkeypatch.setattr(SystemClock, "now", lambda self: true_now(self) + shift)
    refusing = True

    def fault(request: Request) -> Fault | None:
        return Fault.UNAVAILABLE if refusing and request.path == "/documents/text" else None

    async with FakeLightRag(fault=fault) as rag:
        settings = {"rag": {"url": rag.url, "apiKey": "secret"}}
        async with run_chats(tmp_path, settings, WordEmbedder()) as bot:
            await bot.say(0, "The parcel for my sister Vera is in the garage of the house.")
            await until(lambda: any(request.path == "/documents/text" for request in rag.http.requests))
            shift -= timedelta(days=1)
            refusing = False
            settled = await bot.parts.longterm.settle(240)

    assert settled
    assert len(rag.processed(tag_of(0))) == 1
