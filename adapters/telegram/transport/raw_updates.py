"""``getUpdates`` without parsing, so that one update that cannot be read does not hide the others of its batch."""

from __future__ import annotations

from typing import Any

from aiogram.methods import TelegramMethod

WANTED = ("message", "edited_message", "callback_query", "my_chat_member")
"""What Telegram is asked for: everything else would be dropped here anyway."""


class RawUpdates(TelegramMethod[list[Any]]):  # Any: an update's JSON, looked at one by one later
    """https://core.telegram.org/bots/api#getupdates, returning each update as the JSON object it came as."""

    __returning__ = list[Any]  # Any: as above
    __api_method__ = "getUpdates"

    offset: int | None = None
    timeout: int | None = None
    limit: int | None = None
    allowed_updates: list[str] | None = None


def tidied(text: str) -> str:
    """Return the text with a space for every NUL and U+FFFD for every lone surrogate.

    Both are one UTF-16 unit, like what they replace: entity offsets stay right.
    Neither can be stored or sent on: encoders and databases fail on them.
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", " ").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
