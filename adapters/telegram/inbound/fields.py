"""Single fields of an update, read so that nothing in it can fail.

What Telegram sends grows with every version of its Bot API, and a stranger chooses what stands in it.  A field that is
missing, unknown or of another type is read as absent, and everything around it still counts; so the text of a message
comes through whatever came with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from adapters.telegram.transport.raw_updates import tidied

Json = Mapping[str, Any]  # Any: an update's JSON
NOTHING: Json = {}
_GREATEST = 2**63
"""Ids beyond 64 bits are none: no database would keep them."""
_LATEST_S = 2**33
"""The year 2242: a later date is none, and near the year 9999 there are time zones that cannot show it."""


def part(value: Json, name: str) -> Json | None:
    """Return an object, ``None`` if there is none."""
    found = value.get(name)
    return found if isinstance(found, dict) else None


def parts(value: Json, name: str) -> tuple[Json, ...]:
    """Return the objects of an array; what else stands in it is left out."""
    found = value.get(name)
    return tuple(entry for entry in found if isinstance(entry, dict)) if isinstance(found, list) else ()


def words(value: Json, name: str) -> str:
    """Return a text fit to be stored and sent on, "" if there is none."""
    found = value.get(name)
    return tidied(found) if isinstance(found, str) else ""


def number(value: Json, name: str) -> int | None:
    """Return an integer of 64 bits, ``None`` if there is none; ``true`` is none."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not -_GREATEST <= found < _GREATEST:
        return None
    return found


def flag(value: Json, name: str) -> bool:
    """Return whether a field is ``true``."""
    return value.get(name) is True


def present(value: Json, name: str) -> bool:
    """Whether anything at all stands in a field: what marks foreign text must hold though it cannot be read."""
    return value.get(name) is not None


def time_of(value: Json, name: str) -> datetime | None:
    """Return a time, ``None`` if there is none."""
    seconds = number(value, name)
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and 0 < seconds < _LATEST_S else None
