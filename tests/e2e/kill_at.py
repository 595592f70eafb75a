"""A terminal chat that kills itself with SIGKILL at a named point: ``python -m tests.e2e.kill_at POINT --data DIR``."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from adapters.console.plain import ADDRESS, ConsoleMessages, PlainMessenger, PlainReceiver
from adapters.preferences import watch_changes
from bot.compose.building import open_parts
from bot.compose.pipeline import build_application
from bot.config.folders import prepare_folders
from bot.ports.chat_model import ChatMessage, Completed, TextDelta, ToolSpec
from bot.runtime.installation import load_live_settings

POINTS = (
    "journal.before",
    "journal.after",
    "model",
    "commit.before",
    "commit.after",
    "send.after",
    "index.before",
    "index.after",
)


def die() -> None:
    """End as a power cut does."""
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


class Around:
    """A part whose method ``name`` kills the process before or after it has done its work."""

    def __init__(self, part: Any, name: str, when: str) -> None:
        self._part, self._name, self._when = part, name, when

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)
        if name != self._name:
            return method

        async def around(*args: Any, **kwargs: Any) -> Any:
            if self._when == "before":
                die()
            result = await method(*args, **kwargs)
            die()
            return result

        return around


class DyingModel:
    """A language model that dies in the middle of an answer."""

    async def stream(
        self, messages: tuple[ChatMessage, ...], tools: tuple[ToolSpec, ...] = (), *, max_tokens: int | None = None
    ) -> AsyncGenerator[TextDelta | Completed]:
        yield TextDelta("I am about to")
        die()


async def main(point: str, data: Path) -> None:
    """Chat until the point is reached."""
    place = prepare_folders(data)
    live = load_live_settings(place)
    parts = await open_parts(place, live)
    where, _, when = point.partition(".")
    if where == "journal":
        parts.journal = Around(parts.journal, "accept", when)
    elif where == "model":
        parts.model = DyingModel
    elif where == "commit":
        parts.turns = Around(parts.turns, "commit", when)
    elif where == "send":
        parts.deliveries = Around(parts.deliveries, "finish", "before")  # type: ignore[assignment]  # on purpose
    elif where == "index":
        parts.longterm.client = Around(parts.longterm.client, "index", when)  # type: ignore[assignment]  # on purpose
    app = build_application(parts)
    parts.messengers["console"] = PlainMessenger()

    async def answered() -> None:
        await app.answered(ADDRESS)

    async def settled() -> None:
        await parts.longterm.settle(240)

    await app.start(watch_changes(place.preferences))
    await PlainReceiver(app.accept, answered, settled, ConsoleMessages(parts.clock.now)).run()
    await app.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("point", choices=POINTS)
    parser.add_argument("--data", type=Path, required=True)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.point, chosen.data))
