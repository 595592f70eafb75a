"""Say where something unexpected happened without quoting what it happened to."""

from __future__ import annotations

import traceback
from pathlib import Path


def place_of(error: BaseException) -> str:
    """Return type, file and line of an error; never its message, which may hold a text of a chat."""
    frames = traceback.extract_tb(error.__traceback__)
    last = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{last}"
