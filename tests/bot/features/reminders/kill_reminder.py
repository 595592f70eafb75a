"""A terminal chat that kills itself when a reminder is due.

``python -m tests.bot.features.reminders.kill_reminder POINT --data DIR``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.console.plain import ConsoleMessages, PlainMessenger
from adapters.preferences import watch_changes
from adapters.sqlite.reminders import SqliteReminders
from bot.compose.building import open_parts
from bot.compose.pipeline import build_application
from bot.config.folders import prepare_folders
from bot.features.reminders.clock import ReminderClock
from bot.messages import Address
from bot.runtime.installation import load_live_settings
from tests.e2e.kill_at import Around, die

POINTS = ("fire.before", "fire.after", "attempt.after", "send.after")
_LIMIT_S = 30.0


class DyingMessenger(PlainMessenger):
    """Prints a reminder and dies before anybody has heard that it did."""

    async def send(
        self, to: Address, part: str, *, draft_id: int | None = None, buttons: tuple[tuple[str, str], ...] = ()
    ) -> int:
        number = await super().send(to, part, draft_id=draft_id, buttons=buttons)
        if "⏰" in part:
            die()
        return number


class AfterAnswers:
    """An agenda that fires nothing before every answer is out: a slow machine may take longer than the reminder."""

    def __init__(self, agenda: Any, answered: asyncio.Event) -> None:
        self._agenda, self._answered = agenda, answered

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agenda, name)

    async def fire(self, *args: Any) -> Any:
        await self._answered.wait()
        return await self._agenda.fire(*args)


async def main(point: str, data: Path) -> None:
    """Take the lines of the input, then wait for the point."""
    place = prepare_folders(data)
    live = load_live_settings(place)
    parts = await open_parts(place, live)
    where, _, when = point.partition(".")
    clock = parts.need(ReminderClock)
    answered = asyncio.Event()
    agenda = parts.need(SqliteReminders)
    struck = Around(agenda, "fire", when) if where == "fire" else agenda
    held: Any = AfterAnswers(struck, answered)  # Any: stands for it
    clock._agenda = held
    parts.messengers["console"] = DyingMessenger() if where == "send" else PlainMessenger()
    app = build_application(parts)
    if where == "attempt":
        dying: Any = Around(clock._app.deliveries, "begin_attempt", when)  # Any: it stands in for the log
        clock._app = replace(clock._app, deliveries=dying)
    messages = ConsoleMessages(parts.clock.now, "en")
    await app.start(watch_changes(place.preferences))
    for line in sys.stdin.read().splitlines():
        await app.accept(messages.build(line))
        await app.answered()
    await app.parts.deliveries.retry()  # waits until it is written that they were sent
    answered.set()
    await asyncio.sleep(_LIMIT_S)
    raise TimeoutError(f"the point {point} was not reached")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("point", choices=POINTS)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    asyncio.run(main(given.point, given.data))
