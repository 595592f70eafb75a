"""Environment variables, and the ``.env`` files that complete them; read at the start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values

from bot.config.folders import Places


def environment(places: Places) -> Mapping[str, str]:
    """Return the environment, completed by ``.env`` of the data folder and of the current one (in this order)."""
    return {**from_files(places.data), **os.environ}


def server_environment(data: Path) -> Mapping[str, str]:
    """Return the same for a memory server with this data folder, which the bot's may stand around."""
    return {**from_files(data.expanduser().absolute().parent), **os.environ}


def from_files(data: Path) -> dict[str, str]:
    """Return what ``.env`` of the data folder and of the current one say."""
    found: dict[str, str] = {}
    for folder in (Path(), data):
        values = dotenv_values(folder / ".env")
        found |= {name: value for name, value in values.items() if value is not None}
    return found
