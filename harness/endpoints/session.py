"""A session of fifty messages through the bot as people start it, against a server that reports what it had cached.

The bot is a process of its own that reads lines and prints answers (``mneme chat --plain``), so that any version of it
can be measured: the one in this folder, or one that was checked out elsewhere.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.endpoints.recording import RecordedCall, RecordingProxy

_ANSWER_S = 300.0
_START_S = 120.0
_QUIET_S = 0.5
"""Seconds without a request after which background work counts as done: people take longer to type."""
_PROMPT = "mneme>"
_SETTINGS: dict[str, Any] = {  # Any: settings as JSON
    "rag": {"enabled": False},
    "llm": {"timeoutSeconds": 300, "wallSeconds": 300},
}


@dataclass(frozen=True, slots=True)
class MessageFigures:
    """One message: the conversation's calls together, and those that were made beside it."""

    prompt_tokens: int
    cached_tokens: int
    first_token_ms: float
    answer_ms: float
    background_tokens: int


async def measure_session(
    repository: Path,
    proxy: RecordingProxy,
    model: str,
    messages: Sequence[str],
    folder: Path,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> tuple[MessageFigures, ...]:
    """Return the figures of each message.  Raises :class:`RuntimeError` when the bot ends or stays silent."""
    preferences = folder / "preferences"
    preferences.mkdir(parents=True, exist_ok=True)
    (preferences / "runtime-config.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "OPENAI_", "TELEGRAM_"))},
        "LLM_URL": proxy.url,
        "LLM_MODEL": model,
    }
    with (folder / "bot.log").open("wb") as log:
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "chat", "--plain"),
            *("--data", str(folder / "data"), "--preferences", str(preferences)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            cwd=repository,
            env=environment,
        )
        try:
            figures = []
            for number, message in enumerate(messages):
                done = len(proxy.calls)
                await _say(bot, message, _ANSWER_S if number else _START_S + _ANSWER_S)
                await _wait_until_quiet(proxy)
                figures.append(_sum_up(proxy.calls[done:]))
                progress(number + 1)
            return tuple(figures)
        finally:
            if bot.stdin is not None:
                bot.stdin.close()
            try:
                async with asyncio.timeout(30):
                    await bot.wait()
            except TimeoutError:
                bot.kill()
                await bot.wait()


def summarise(figures: Sequence[MessageFigures]) -> dict[str, float]:
    """Return medians and totals; the first message of a session has nothing before it and is left out of medians."""
    later = figures[1:] or figures
    prompt, cached = sum(each.prompt_tokens for each in figures), sum(each.cached_tokens for each in figures)
    return {
        "messages": len(figures),
        "prompt_tokens_median": statistics.median(each.prompt_tokens for each in later),
        "cached_tokens_median": statistics.median(each.cached_tokens for each in later),
        "new_tokens_median": statistics.median(each.prompt_tokens - each.cached_tokens for each in later),
        "cached_percent": round(100 * cached / prompt, 1) if prompt else 0.0,
        "first_token_ms_median": round(statistics.median(each.first_token_ms for each in later)),
        "first_token_ms_worst": round(max(each.first_token_ms for each in later)),
        "answer_ms_median": round(statistics.median(each.answer_ms for each in later)),
        "background_tokens": sum(each.background_tokens for each in figures),
    }


async def _say(bot: asyncio.subprocess.Process, message: str, patience_s: float) -> None:
    if bot.stdin is None or bot.stdout is None:
        raise RuntimeError("the bot was started without pipes")
    bot.stdin.write(f"{message}\n".encode())
    await bot.stdin.drain()
    async with asyncio.timeout(patience_s):
        while True:
            line = await bot.stdout.readline()
            if not line:
                raise RuntimeError("the bot ended in the middle of the session; see bot.log")
            if line.decode("utf-8", "replace").startswith(_PROMPT):
                return


async def _wait_until_quiet(proxy: RecordingProxy) -> None:
    quiet = 0.0
    for _ in range(int(_ANSWER_S / 0.1)):
        await asyncio.sleep(0.1)
        quiet = quiet + 0.1 if proxy.idle else 0.0
        if quiet >= _QUIET_S:
            return


def _sum_up(calls: Sequence[RecordedCall]) -> MessageFigures:
    talk = [call for call in calls if call.conversation]
    beside = [call for call in calls if not call.conversation]
    return MessageFigures(
        prompt_tokens=sum(call.usage.prompt for call in talk),
        cached_tokens=sum(call.usage.cached for call in talk),
        first_token_ms=talk[0].first_token_ms if talk else 0.0,
        answer_ms=sum(call.whole_ms for call in talk),
        background_tokens=sum(call.usage.prompt + call.usage.completion for call in beside),
    )
