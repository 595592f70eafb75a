"""The model's window, from its server to everything that is measured by it, and compaction by it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.compose.health import list_window_lines
from bot.core.sessions import SessionKeeping
from bot.errors import ModelUnavailable
from bot.memory.scope import Scope
from bot.messages import Accepted
from bot.ports.chat_model import Window, WindowSource
from bot.retry import Backoff
from bot.runtime import model_window
from bot.runtime.after_turn import Compaction
from bot.turn import Exchange, Session, StopSignal, Turn
from harness.application import NO_RAG, ConsoleChat, run_console
from harness.fakes.openai import Fails, FakeOpenAi
from harness.samples import HERE, NOON, SCOPE, exchange, message, turn
from systems.s20_context_building import ContextBuilding
from systems.s30_tool_loop import ToolLoop
from tests.contracts.stores import sqlite_stores

Json = dict[str, Any]  # Any: settings and pages


def listed(tokens: int) -> Json:
    return {"/v1/models": {"data": [{"id": "fake-model", "owned_by": "vllm", "max_model_len": tokens}]}}


def settings_for(server: FakeOpenAi, **llm: Any) -> Json:  # Any: as above
    return {**NO_RAG, "llm": {"url": server.url, "model": "fake-model", **llm}}


@asynccontextmanager
async def talking(folder: Path, server: FakeOpenAi, **llm: Any) -> AsyncIterator[ConsoleChat]:  # Any: as above
    async with run_console(folder, settings_for(server, **llm)) as chat:
        yield chat


async def until_told(chat: ConsoleChat, tokens: int) -> None:
    """Wait until a window is in force."""
    await until(lambda: chat.app.parts.window.current().tokens == tokens)


async def until(holds: Callable[[], bool]) -> None:
    """Wait a minute at most."""
    for _ in range(6000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("waited in vain")


def measures(chat: ConsoleChat) -> tuple[int, int, int]:
    """Return what the tool loop, history and compaction go by."""
    systems = {type(system): system for system in chat.app._pipeline.systems}
    loop: Any = systems[ToolLoop]  # Any: systems are told apart by their type
    context: Any = systems[ContextBuilding]  # Any: as above
    keeping = chat.app._compaction.keeping()
    return loop.limits.context_tokens, context.limits.history_tokens, keeping.compact_after_tokens


async def test_what_the_server_says_is_what_counts(tmp_path: Path) -> None:
    """Everything follows it, in the running application; another model is asked anew, a set number asks nobody."""
    async with FakeOpenAi(pages=listed(16_384)) as server, talking(tmp_path, server) as chat:
        await until_told(chat, 16_384)
        told = measures(chat)
        (line,) = await list_window_lines(chat.app.parts)
        server.pages.update(listed(200_000))
        chat.configure(settings_for(server, temperature=0.5))
        await until_told(chat, 200_000)
        large = measures(chat)
        asked = len(server.asked)
        chat.configure(settings_for(server, contextTokens=9000))
        await chat.say("Hello!")

        assert told == (16_384, 8_192, 7_372)
        assert large == (200_000, 32_000, 28_800)
        assert (line.state, line.reason) == ("ok", "16,384 tokens, said by the server")
        assert measures(chat) == (9000, 4500, 4050)
        assert chat.app.parts.window.current() == Window(9000, WindowSource.SETTINGS)
        assert len(server.asked) == asked


async def test_nobody_waits_for_a_server_that_does_not_say(tmp_path: Path) -> None:
    """Answers come with the window that is assumed."""
    async with FakeOpenAi() as server, talking(tmp_path, server) as chat:
        answer = await chat.say("Hello!")

        assert "Hello!" in answer
        assert measures(chat) == (64_000, 32_000, 28_800)
        assert chat.app.parts.window.current().source is WindowSource.ASSUMED


async def test_a_refusal_for_length_halves_what_was_assumed(tmp_path: Path) -> None:
    """The message is answered all the same, and the next ones are cut to what is assumed now."""
    async with FakeOpenAi() as server, talking(tmp_path, server) as chat:
        server.script.append(Fails(400, "maximum context length exceeded"))
        answer = await chat.say("Hello!")

        assert "Hello!" in answer
        assert measures(chat) == (32_000, 16_000, 14_400)
        assert chat.app.parts.window.current() == Window(32_000, WindowSource.ASSUMED)


async def test_a_refusal_changes_nothing_that_is_known(tmp_path: Path) -> None:
    """What the operator has set or the server has said counts, whatever is refused."""
    async with FakeOpenAi(pages=listed(24_000)) as server, talking(tmp_path, server) as chat:
        await until_told(chat, 24_000)
        server.script.append(Fails(400, "maximum context length exceeded"))
        await chat.say("Hello!")

        assert chat.app.parts.window.current() == Window(24_000, WindowSource.SERVER)


async def test_a_small_window_is_told(tmp_path: Path) -> None:
    """Some servers cut a prompt that does not fit, without a word."""
    async with FakeOpenAi(pages=listed(4096)) as server, talking(tmp_path, server) as chat:
        (line,) = await list_window_lines(chat.app.parts)

        assert line.state == "degraded"
        assert "4,096" in line.reason


async def test_a_server_that_fails_is_asked_again_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After pauses that grow; then its word counts."""
    monkeypatch.setattr(model_window, "_AGAIN", Backoff(0.01, 0.02))
    async with FakeOpenAi(pages={"/v1/models": 503}) as server, talking(tmp_path, server) as chat:
        await until(lambda: len(server.asked) >= 3)
        assert chat.app.parts.window.current().source is WindowSource.ASSUMED
        server.pages.update(listed(24_000))
        await until_told(chat, 24_000)


@dataclass
class Failing:
    """A summary that fails so often."""

    failures: int
    tried: list[float] = field(default_factory=list)
    now: float = 0.0

    def monotonic(self) -> float:
        return self.now

    async def summarise(self, exchanges: tuple[Exchange, ...], previous: str) -> str:
        self.tried.append(self.now)
        if len(self.tried) <= self.failures:
            raise ModelUnavailable("HTTP 503")
        return "They counted words."


async def test_a_compaction_that_failed_waits_however_many_turns_come(tmp_path: Path) -> None:
    """A minute, then two, four …; when it has worked, the next turn goes on.

    Mutation check: without the look at ``_resting`` every turn tries, and ``tried`` holds all of them.
    """
    async with sqlite_stores(tmp_path) as stores:
        session = await stores.turns.session(HERE)
        for number in range(10):
            await stores.turns.commit(turn(exchange(f"e{number}", f"word {number} " * 20, session=session)))
        summary = Failing(3)

        async def promote(_: Scope) -> int:
            return 0

        keeping = SessionKeeping(
            stores.turns, stores.turns, stores.learning, promote, None, summary, stores.clock, 60, 200
        )
        compaction = Compaction(stores.turns, lambda: keeping, summary.monotonic)
        said = _turn(session)
        for _ in range(60):
            compaction.after(said)
            await asyncio.gather(*compaction._running.values())
            summary.now += 10
        await compaction.close()

        assert summary.tried[:4] == [0, 60, 180, 420]
        assert (await stores.turns.session(HERE)).summary == "They counted words."


def _turn(session: Session) -> Turn:
    said = exchange("e9", "word", session=session)
    return Turn((Accepted(1, message("word")),), SCOPE, session, NOON, "word", StopSignal(), exchange=said)
