"""Heads of memories: when something was said, by whom, and what it is where it is no message word for word."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.memory.items import Channel, MemoryItem, Recalled, Trust
from bot.memory.prompt.fencing import escape_name

_TIMED_DAYS: Final = 7


def name_speaker(memory: Recalled) -> str:
    """Return who said a memory: the assistant, whoever wrote a forward, else the user by name; "" when nobody did."""
    match memory.role:
        case "assistant":
            return "assistant"
        case "forwarded":
            return name_forwarder(memory.author)
        case "user":
            return escape_name(memory.author) or "user"
        case _:
            return escape_name(memory.author)


def name_forwarder(name: str) -> str:
    """Return who wrote what somebody else passed on."""
    return f"{escape_name(name) or 'somebody'}, forwarded"


def render_head(said_at: datetime | None, name: str, channel: Channel, now: datetime) -> str:
    """Return what stands before the text of a memory: when and by whom it was said, and what it is if no message.

    ``name`` is a :func:`name_speaker`; nobody is named where nobody is known to have said it.
    """
    source = "" if channel is Channel.TURN else str(channel)
    return f"- [{' | '.join(filter(None, (format_day(said_at, now), name, source)))}] "


def render_item_head(item: MemoryItem) -> str:
    """Return what stands before the text of an item: its day, its author, its kind, and whether it is in doubt."""
    said_at = item.provenance.said_at
    name = escape_name(item.provenance.author_name) or ("assistant" if item.provenance.trust <= Trust.BOT else "user")
    doubt = "" if item.provenance.trust >= Trust.USER else ", unverified"
    pinned = ", pinned" if item.pinned else ""
    kind = str(item.type).replace("_", " ")
    day = f"{said_at.year:04d}-{said_at.month:02d}-{said_at.day:02d}"
    return f"- [{day} | {name} | {kind}{pinned}{doubt}] "


def format_day(moment: datetime | None, now: datetime) -> str:
    """Return the day of a memory in the zone of ``now``, for a week with the time; "undated" for ``None``.

    Later nobody asks for the minute, and every memory in a prompt pays for it.
    """
    if moment is None:
        return "undated"
    if moment.tzinfo is not None and now.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    day = f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
    return f"{day} {moment.hour:02d}:{moment.minute:02d}" if (now.date() - moment.date()).days < _TIMED_DAYS else day
