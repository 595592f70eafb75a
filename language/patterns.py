"""Patterns that are compiled when they are first asked.

There are hundreds of them, and compiling all takes longer than everything else at a start; a text in one language asks
few of those of the others.
"""

import re
from collections.abc import Callable
from typing import Any, cast


class PatternAtUse:
    """Stands for a pattern; once it was asked it holds the compiled one's own methods."""

    _compiled: re.Pattern[str] | None = None

    def __init__(self, source: Callable[[], str], flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: an attribute of re.Pattern
        if name.startswith("__"):  # asked by copying and pickling, of the class
            raise AttributeError(name)
        compiled = self._compiled = self._compiled or re.compile(self._source(), self._flags)
        value = self.__dict__[name] = getattr(compiled, name)
        return value

    def __eq__(self, other: object) -> bool:
        """Say whether a match is one of this pattern: ``match.re == pattern``."""
        return self is other or (self._compiled is not None and self._compiled is other)

    __hash__ = object.__hash__


def compile_at_use(source: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """Return the pattern of ``source``, written out and compiled at its first use; a mistake in it shows then."""
    written = source if callable(source) else lambda: source
    return cast("re.Pattern[str]", PatternAtUse(written, flags))  # it has what a pattern has
