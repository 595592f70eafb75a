"""Notes every regular expression that the product compiles, from before its modules are imported.

A pattern may be put together from words and kept anywhere, so it is noted where all are made: the hook is set by
``tests/conftest.py``, before anything else, and costs a look into a set for each call of ``re``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final

PACKAGES: Final = ("bot", "systems", "adapters", "language", "memory_server")

Key = tuple[str | bytes, int]
"""Source and flags, which make a pattern."""

_BETWEEN: Final = frozenset({"re", "language.patterns", "bot.memory.patterns"})
"""Modules that compile for others."""

recorded: Final[dict[Key, str]] = {}
"""Patterns of the product with the place that compiled them first."""


def record_patterns() -> None:
    """Note every pattern from now on; a second call changes nothing."""
    compile_plain: Callable[..., re.Pattern[Any]] = getattr(re, "_compile")  # noqa: B009 - what all functions of re call
    if compile_plain.__module__ == __name__:
        return

    def compile_noted(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:  # Any: as re takes them
        compiled = compile_plain(pattern, flags)
        key = (compiled.pattern, compiled.flags)
        if key not in recorded and (where := _find_place()):
            recorded[key] = where
        return compiled

    setattr(re, "_compile", compile_noted)  # noqa: B010 - as above


def _find_place() -> str:
    """Return module and line of who asked ``re``, "" for others than the product."""
    frame = sys._getframe(2)
    while frame.f_globals.get("__name__") in _BETWEEN and frame.f_back is not None:
        frame = frame.f_back
    name = str(frame.f_globals.get("__name__"))
    return f"{name}:{frame.f_lineno}" if name.partition(".")[0] in PACKAGES else ""
