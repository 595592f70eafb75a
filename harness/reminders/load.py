"""Many reminders in one store: what a look at the clock costs, and how late the ones are that are due."""

import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.features.reminders.clock import ReminderClock
from bot.messages import Address
from harness.application import RecordingMessenger
from harness.reminding import reminded

_START: Final = datetime(2026, 11, 23, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))
_LOOKS: Final = 200
_ROW: Final = (
    "INSERT INTO reminders (id, scope_no, place_no, door, asker_id, asker_name, language, direct, text, start, zone, "
    "passes, rule, due_at, wake_at, made_at, exchange, origin) VALUES "
    "(?, ?, ?, 'telegram', ?, 'A', 'en', 1, ?, ?, 'Europe/Berlin', 0, ?, ?, ?, ?, '', '')"
)


async def measure(folder: Path, *, reminders: int, due: int) -> dict[str, float]:
    """Store ``reminders`` in a thousand chats, ``due`` of them at the same minute, and let that minute come.

    Times are in milliseconds; ``first_look_ms`` also checks every reminder's zone, as each start does.
    """
    left: list[float] = []
    messenger = RecordingMessenger(fault=lambda _: left.append(time.perf_counter()))
    chats = min(1000, due)
    users = list(range(1000, 1000 + chats))
    settings: dict[str, Any] = {"timeZone": "Europe/Berlin", "telegram": {"allowedUsers": users}}
    async with reminded(folder, _START, messenger=messenger, **settings) as chat:
        database = chat.app.parts.housekeeping.database

        def fill(connection: sqlite3.Connection) -> None:
            for number, user in enumerate(users, 1):
                connection.execute("INSERT INTO scopes (no, tag) VALUES (?, ?)", (number, f"tu{user}"))
                connection.execute(
                    "INSERT INTO places (no, key, door, bot_id, chat_id) VALUES (?, ?, 'telegram', 1, ?)",
                    (number, Address("telegram", 1, user).key, user),
                )
            connection.executemany(_ROW, _rows(reminders, due, len(users)))

        await database.write(fill)
        first = await _time(chat.app.parts.need(ReminderClock).look)
        looks = sorted([await _time(chat.app.parts.need(ReminderClock).look) for _ in range(_LOOKS)])
        chat.clock.at = _START + timedelta(hours=1)
        begun = time.perf_counter()
        while len(messenger.sent) < due:
            before = len(messenger.sent)
            await chat.app.parts.need(ReminderClock).look()
            await chat.app.parts.need(ReminderClock).sent()
            if len(messenger.sent) == before:
                break
        spent = time.perf_counter() - begun
        latencies = sorted((at - begun) * 1000 for at in left)
        texts = [text for _, text in messenger.sent]
    return {
        "reminders": reminders,
        "first_look_ms": round(first, 2),
        "look_p50_ms": round(statistics.median(looks), 3),
        "look_p95_ms": round(looks[int(len(looks) * 0.95)], 3),
        "due": due,
        "latency_p50_ms": round(statistics.median(latencies), 1),
        "latency_p95_ms": round(latencies[int(len(latencies) * 0.95)], 1),
        "per_second": round(due / spent, 1),
        "doubled": len(texts) - len(set(texts)),
        "lost": due - len(set(texts)),
    }


def _rows(reminders: int, due: int, chats: int) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for number in range(reminders):
        chat = number % chats + 1
        at = _START + (timedelta(hours=1) if number < due else timedelta(days=1 + number % 365, seconds=number))
        local = at.replace(tzinfo=None).isoformat()
        rule = "FREQ=DAILY;INTERVAL=1" if number % 3 == 0 else ""
        seconds = at.astimezone(UTC).timestamp()
        made = _START.timestamp()
        rows.append(
            (chat << 32 | number + 1, chat, chat, 999 + chat, f"thing {number}", local, rule, seconds, seconds, made)
        )
    return rows


async def _time(work: Callable[[], Awaitable[None]]) -> float:
    """Return how many milliseconds it took."""
    started = time.perf_counter()
    await work()
    return (time.perf_counter() - started) * 1000
