"""Tells the model what time it is, which it cannot know, and does its calendar arithmetic, which it gets wrong."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from adapters.tools.requests import check_names, read_integer, read_text
from bot.errors import CommandInvalid
from bot.ports.chat_model import ToolSpec
from bot.ports.when import Clock
from bot.turn import Turn

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS = 40_000
"""A century and a bit, either way."""


@dataclass(frozen=True, slots=True)
class DateAndTime:
    """The tool ``date_and_time``: now, in the operator's time zone or another, or some days away from now."""

    clock: Clock

    spec: ClassVar[ToolSpec] = ToolSpec(
        "date_and_time",
        "The current date, weekday and time; optionally in another time zone, or a number of days from now.",
        {
            "type": "object",
            "properties": {
                "timezone": {"type": "string", "description": "IANA name such as Europe/Lisbon; leave out for local"},
                "days": {"type": "integer", "description": "days from now, negative for the past; 0 by default"},
            },
            "additionalProperties": False,
        },
    )
    writes: ClassVar[bool] = False
    outside: ClassVar[bool] = False

    async def run(self, turn: Turn, arguments: dict[str, Any]) -> str:  # Any: JSON from the model
        """Return one line such as ``Saturday 2026-02-07 14:30 +01:00 (Europe/Berlin), week 6``."""
        check_names(arguments, "timezone", "days")
        name = read_text(arguments, "timezone", most=64, required=False)
        days = read_integer(arguments, "days", default=0, least=-_DAYS, most=_DAYS)
        moment = self.clock.now()
        if name:
            try:
                moment = moment.astimezone(ZoneInfo(name))
            except (KeyError, ValueError, OSError) as error:
                raise CommandInvalid("timezone must be an IANA name such as Europe/Lisbon") from error
        moment += timedelta(days=days)
        offset = moment.strftime("%z")
        zone = name or moment.tzname() or "local"
        return (
            f"{_WEEKDAYS[moment.weekday()]} {moment:%Y-%m-%d %H:%M} {offset[:3]}:{offset[3:5]} ({zone}),"
            f" week {moment.isocalendar().week}"
        )
