"""Who opened a Mini App: what Telegram hands to it, checked by the key that Telegram and the bot alone have.

https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
The key is made of the bot's token: data that another bot's Mini App was given has another signature.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qsl

_LONGEST: Final = 8192
_FRESH: Final = timedelta(minutes=10)
"""Telegram signs the moment at which the Mini App was opened; the page asks for a session at once."""
_AHEAD: Final = timedelta(minutes=1)
"""Clocks differ."""
_MOST_FIELDS: Final = 32


@dataclass(frozen=True, slots=True)
class MiniAppUser:
    """Who opened it: numeric id, name, and the language of their client as an IETF tag, "" when unknown."""

    id: int
    name: str
    language: str = ""


def read_init_data(token: str, init_data: str, now: datetime) -> MiniAppUser | None:
    """Return who opened the Mini App, ``None`` unless Telegram has signed just that for this bot within ten minutes.

    ``now`` is aware.
    """
    if len(init_data) > _LONGEST:
        return None
    try:
        pairs = parse_qsl(init_data, keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return None
    fields = dict(pairs)
    signature = fields.pop("hash", "")
    if len(fields) != len(pairs) - 1 or not hmac.compare_digest(_sign(token, fields), signature.encode()):
        return None
    signed_at = fields.get("auth_date", "")
    if not (signed_at.isascii() and signed_at.isdecimal() and len(signed_at) <= 12):  # noqa: PLR2004 - digits
        return None
    age = timedelta(seconds=now.timestamp() - int(signed_at))
    return _read_user(fields.get("user", "")) if -_AHEAD <= age <= _FRESH else None


def sign_init_data(token: str, fields: dict[str, str]) -> str:
    """Return the signature that Telegram gives to these fields."""
    return _sign(token, fields).decode("ascii")


def _sign(token: str, fields: dict[str, str]) -> bytes:
    key = hmac.digest(b"WebAppData", token.encode(), hashlib.sha256)
    text = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    return hmac.digest(key, text.encode(errors="replace"), hashlib.sha256).hex().encode()


def _read_user(written: str) -> MiniAppUser | None:
    try:
        user = json.loads(written)
    except (ValueError, RecursionError):
        return None
    if not isinstance(user, dict) or user.get("is_bot"):
        return None
    user_id, language = user.get("id"), user.get("language_code")
    if not isinstance(user_id, int) or isinstance(user_id, bool) or user_id <= 0:
        return None
    names = (user.get("first_name"), user.get("last_name"))
    name = " ".join(part for part in names if isinstance(part, str) and part)
    return MiniAppUser(user_id, name[:200], language[:35] if isinstance(language, str) else "")
