"""Exporter: all of a scope as one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """An export: where it lies, its size in bytes, and how many records of each kind ("turns") it holds."""

    path: Path
    size: int
    counts: Mapping[str, int]


class Exporter(Protocol):
    """Writes exports below the data folder, where an erase of the scope takes them away."""

    async def export(self, scope: Scope) -> ExportedFile | None:
        """Write all of a scope as it is now; ``None`` if nothing was ever kept of it.

        In the place of an earlier export of the same scope.  Raises :class:`~bot.errors.StorageUnavailable`.
        """
        ...
