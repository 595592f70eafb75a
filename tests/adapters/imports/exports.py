"""Sample exports, built as their services document them, and what tests look at of what was read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot.ports.transfer import ExportedMessage, LeftOut, Read

Json = Any  # an export as it stands in its file


def write(folder: Path, content: Json, name: str = "result.json") -> Path:
    """Write an export; a text as it is, else as JSON."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def list_messages(found: Iterable[Read]) -> list[ExportedMessage]:
    """Return what was read, without what is left out."""
    return [each for each in found if isinstance(each, ExportedMessage)]


def list_left_out(found: Iterable[Read]) -> list[LeftOut]:
    """Return what was left out, in order."""
    return [each for each in found if isinstance(each, LeftOut)]


def telegram(number: int, text: Json, **more: Json) -> Json:
    """Return one message of an export of Telegram Desktop."""
    when = {"date": "2026-02-07T15:30:00", "date_unixtime": "1770474600"}
    return {"id": number, "type": "message", **when, "from": "Anna", "from_id": "user42", "text": text, **more}
