"""Reads the moments of exports, and gives a message whose moment cannot be true that of its neighbour in the chat.

An export may say any date: one far away puts a message at the wrong end of a memory for good, and one near the year 1
or 9999 cannot be told in every time zone.  No service that is read here is older than 1970, and nobody writes tomorrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

from bot.ports.conversation_import import ExportedMessage, LeftOut, Read

NEVER: Final = datetime.min.replace(tzinfo=UTC)
"""The moment of a message that tells none, or one that no calendar has."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_AHEAD: Final = timedelta(days=1)
_WAITING: Final = 1_000
"""Messages at the beginning of a chat that wait for the first one with a date."""


def read_moment(value: Any, zone: tzinfo | None = UTC) -> datetime:  # Any: a field of an export
    """Return the moment of seconds since 1970 (as a number or as text) or of an ISO 8601 text, else ``NEVER``.

    ``zone`` is that of a text without one, ``None`` the machine's.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return NEVER
    try:
        return datetime.fromtimestamp(float(value), UTC)
    except (ValueError, OverflowError, OSError):
        pass
    try:
        return put_in_zone(datetime.fromisoformat(str(value)), zone)
    except ValueError:
        return NEVER


def put_in_zone(clock: datetime, zone: tzinfo | None) -> datetime:
    """Return the moment when a clock on the wall showed this; one that has a zone keeps its moment."""
    try:
        aware = clock.replace(tzinfo=zone) if clock.tzinfo is None and zone is not None else clock
        return aware.astimezone(UTC) if clock.tzinfo is not None else aware.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return NEVER


def is_possible(moment: datetime, now: datetime) -> bool:
    """Return whether a message can have been written then."""
    return _EPOCH < moment <= now + _AHEAD


def fill_dates(found: Iterable[Read], now: datetime) -> Iterator[Read]:
    """Yield what was read; a message without a possible date takes that of the one before it in its chat.

    The first ones of a chat take that of the first one behind them; where there is none, they are left out.
    """
    chat, last, waiting = "", NEVER, list[ExportedMessage]()
    for read in found:
        if isinstance(read, LeftOut):
            yield read
            continue
        if read.chat != chat:
            yield from [LeftOut.NO_DATE] * len(waiting)
            chat, last, waiting = read.chat, NEVER, []
        if is_possible(read.said_at, now):
            last = read.said_at
            yield from (replace(early, said_at=last) for early in waiting)
            waiting = []
            yield read
        elif last != NEVER:
            yield replace(read, said_at=last)
        elif len(waiting) < _WAITING:
            waiting.append(read)
        else:
            yield LeftOut.NO_DATE
    yield from [LeftOut.NO_DATE] * len(waiting)
