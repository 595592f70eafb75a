"""A measurement that takes an hour keeps what it found, and can go on where it was stopped."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

Figures = dict[str, Any]  # Any: numbers and two objects of numbers


class Progress:
    """A side's folder: ``figures.jsonl``, the ``data`` in use and a copy ``kept`` of it at the last finished size."""

    def __init__(self, folder: Path) -> None:
        self._figures, self._data, self._kept = folder / "figures.jsonl", folder / "data", folder / "kept"

    @property
    def reached(self) -> int:
        """The last size that was measured; 0 at the start."""
        return max((figures["n"] for figures in self.read()), default=0)

    def read(self) -> list[Figures]:
        """Return what was measured, smallest size first."""
        if not self._figures.exists():
            return []
        return [json.loads(line) for line in self._figures.read_text("utf-8").splitlines()]

    def restored(self) -> Path:
        """Return the data folder as it was at the last finished size: empty at the start."""
        shutil.rmtree(self._data, ignore_errors=True)
        if self.reached:
            shutil.copytree(self._kept, self._data)
        else:
            self._data.mkdir(parents=True)
        return self._data

    def add(self, figures: Figures) -> None:
        """Keep the figures and the data of a size; nothing may be writing the data meanwhile."""
        partial = self._kept.with_name("partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(self._data, partial)
        shutil.rmtree(self._kept, ignore_errors=True)
        partial.rename(self._kept)
        line = json.dumps(figures)
        with self._figures.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, file=sys.stderr, flush=True)
