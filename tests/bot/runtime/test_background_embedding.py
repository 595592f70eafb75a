"""Background embedding: what was said is embedded and laid out right after its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.sqlite.turn_search import search
from bot.errors import EmbeddingUnavailable
from bot.memory.scope import Scope
from bot.runtime import after_turn
from bot.runtime.after_turn import BackgroundEmbedding
from bot.runtime.chat_rules import find_scope
from harness.application import console_message, run_console
from harness.processes import until
from tests.cases import each_row

HOME, WORK = Scope("tc1"), Scope("tc2")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not leave the first seconds to the prompt."""
    monkeypatch.setattr(after_turn, "_FIRST_S", 0.0)


@dataclass
class Work:
    """Counts how often it was done."""

    done: int = 0
    error: Exception | None = None

    async def __call__(self) -> None:
        self.done += 1
        if self.error is not None:
            raise self.error


async def _rest() -> None:
    """Have nothing to catch up with."""


@asynccontextmanager
async def embedded(work: Work, laid_out: list[Scope] | None = None) -> AsyncIterator[BackgroundEmbedding]:
    """The task, running."""

    async def lay_out(scope: Scope) -> None:
        if laid_out is not None:
            laid_out.append(scope)

    each = BackgroundEmbedding(work, lay_out, _rest)
    task = asyncio.create_task(each.run())
    try:
        yield each
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_stored_turn_is_embedded_before_the_next_question(tmp_path: Path) -> None:
    """Nothing waits in the backlog once the application rests, so that a question has to embed itself alone."""
    async with run_console(tmp_path) as chat:
        await chat.say("My sister Vera lives in Porto.")
        async with asyncio.timeout(60):
            await chat.app.embedding.wait_until_rested()
        left = await chat.app.parts.housekeeping.recall.embed_missing(10)

    assert left == 0


async def test_waking_does_the_work_again() -> None:
    """Also when it is woken while it works."""
    work = Work()
    async with embedded(work) as each, asyncio.timeout(60):
        await each.wait_until_rested()
        before = work.done
        each.wake(HOME)
        await each.wait_until_rested()

    assert (before, work.done) == (1, 2)


async def test_scopes_where_somebody_spoke_are_laid_out_once() -> None:
    """However often somebody spoke there meanwhile."""
    laid_out: list[Scope] = []
    async with embedded(Work(), laid_out) as each, asyncio.timeout(60):
        await each.wait_until_rested()
        for scope in (HOME, WORK, HOME):
            each.wake(scope)
        await each.wait_until_rested()

    assert sorted(scope.tag for scope in laid_out) == [HOME.tag, WORK.tag]


async def test_a_scope_is_laid_out_after_what_was_stored_there_was_embedded() -> None:
    """Somebody speaks while the work is at its end: it is done again before their chat is laid out.

    Red while a scope woken in the middle was laid out at once: its newest turn stood there without a meaning.
    """
    order: list[str] = []

    async def embed() -> None:
        order.append("embed")
        if order == ["embed"]:
            each.wake(HOME)

    async def lay_out(scope: Scope) -> None:
        order.append(scope.tag)

    async def note_missed() -> None:
        order.append("note missed")

    each = BackgroundEmbedding(embed, lay_out, note_missed)
    task = asyncio.create_task(each.run())
    async with asyncio.timeout(60):
        await each.wait_until_rested()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert order == ["embed", "note missed", "embed", HOME.tag, "note missed"]


async def test_a_long_chat_is_made_ready_at_a_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anybody has said anything, so that the first question does not wait for years to be read; no other is."""
    async with run_console(tmp_path) as chat:
        await chat.say("My sister Vera lives in Porto.")
        scope = find_scope(console_message("hello"), chat.app.parts.settings.current, chat.app.parts.chats)
    async with run_console(tmp_path) as chat:
        async with asyncio.timeout(60):
            await chat.app.embedding.wait_until_rested()
        short = len(chat.app.parts.housekeeping.recall._cache.get(scope).transcript)
    monkeypatch.setattr(search, "LEAST_LAID_OUT", 2)
    async with run_console(tmp_path) as chat:
        held = chat.app.parts.housekeeping.recall._cache.get(scope)
        await until(lambda: len(held.transcript))

    assert short == 0


async def test_a_statement_is_laid_out_before_the_next_question(tmp_path: Path) -> None:
    """Without a model it searches nothing itself; the first question after a start would pay for the whole chat."""
    async with run_console(tmp_path) as chat:
        await chat.say("My sister Vera lives in Porto.")
        async with asyncio.timeout(60):
            await chat.app.embedding.wait_until_rested()
        scope = find_scope(console_message("hello"), chat.app.parts.settings.current, chat.app.parts.chats)
        held = chat.app.parts.housekeeping.recall._cache.get(scope)

    assert len(held.transcript) > 0
    assert not held.pending


@each_row("error", [EmbeddingUnavailable("the endpoint is down"), ValueError("a bug")])
async def test_a_failure_is_not_repeated_for_every_turn(error: Exception) -> None:
    """It rests for a while, whoever wakes it, and ends neither itself nor the application."""
    work = Work(error=error)
    async with embedded(work) as each:
        for _ in range(10):
            await asyncio.sleep(0.001)
            each.wake(HOME)

    assert work.done == 1
