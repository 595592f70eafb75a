"""Lists what a turn asks of the database, what it writes and what it computes, so that growth is seen."""

from __future__ import annotations

import cProfile
import pstats
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from adapters.sqlite import connection

_ROOT: Final = Path(__file__).parents[2]
_VALUE: Final = re.compile(r"x?'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")
_INNER: Final = "--"
"""Begins what SQLite itself asks for a statement: of a full-text index, for one."""
_PAGE_AND_HEAD: Final = 4096 + 24
"""Bytes in the write-ahead log per page."""
_COMPUTED: Final = 30
_SHOWN: Final = 110


@dataclass(frozen=True, slots=True)
class Listed:
    """Per turn: statements by their text, commits and pages of the write-ahead log, calls and the dearest functions.

    ``reads`` and ``writes`` are the statements of the reading and of the writing connections; ``calls`` counts those of
    Python functions on the event loop, ``computed`` has calls and milliseconds of functions of this project, dearest
    first, under a profiler that makes them slower.
    """

    reads: dict[str, float]
    snapshots: float
    writes: dict[str, float]
    commits: float
    pages: float
    calls: float
    computed: dict[str, tuple[float, float]]


@dataclass(slots=True)
class Listing:
    """Watches the connections that are opened meanwhile, and counts while it lists."""

    _counting: bool = False
    _reads: Counter[str] = field(default_factory=Counter)
    _writes: Counter[str] = field(default_factory=Counter)
    _logs: set[Path] = field(default_factory=set)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Have every connection that is opened in this block tell its statements."""
        reads, writes = (
            self._told(connection.open_reader, self._reads),
            self._told(connection.open_writer, self._writes),
        )
        with patch.object(connection, "open_reader", reads), patch.object(connection, "open_writer", writes):
            yield

    async def list_turns(self, turns: int, take: Callable[[], Awaitable[Any]]) -> Listed:  # Any: nobody asks for it
        """Take turns and return what one takes."""
        profile = cProfile.Profile(time.thread_time)
        before, self._counting = self._count_pages(), True
        profile.enable()
        for _ in range(turns):
            await take()
        profile.disable()
        self._counting = False
        pages = self._count_pages() - before
        stats: Any = pstats.Stats(profile)  # Any: its tables are not in the types
        ours = sorted(
            (
                (cumulative, calls, f"{Path(file).relative_to(_ROOT)}:{name}")
                for (file, _, name), (_, calls, _, cumulative, _) in stats.stats.items()
                if file.startswith(str(_ROOT)) and "site-packages" not in file
            ),
            reverse=True,
        )
        return Listed(
            reads=_per_turn(self._reads, turns),
            snapshots=self._reads["BEGIN"] / turns,
            writes=_per_turn(self._writes, turns),
            commits=self._writes["COMMIT"] / turns,
            pages=pages / turns,
            calls=stats.total_calls / turns,
            computed={
                name: (calls / turns, round(1000 * seconds / turns, 3)) for seconds, calls, name in ours[:_COMPUTED]
            },
        )

    def _told(
        self, opening: Callable[[Path], sqlite3.Connection], counted: Counter[str]
    ) -> Callable[[Path], sqlite3.Connection]:
        def note(statement: str) -> None:
            if self._counting:
                counted[" ".join(_VALUE.sub("?", statement).split())] += 1

        def told(path: Path) -> sqlite3.Connection:
            opened = opening(path)
            opened.set_trace_callback(note)
            self._logs.add(path.with_name(f"{path.name}-wal"))
            return opened

        return told

    def _count_pages(self) -> int:
        """Return how many pages the logs hold; they are not cut while a few turns are taken."""
        return sum(log.stat().st_size for log in self._logs if log.exists()) // _PAGE_AND_HEAD


def _per_turn(counted: Counter[str], turns: int) -> dict[str, float]:
    """Return how often a turn makes each statement; those of SQLite itself are counted together."""
    own: Counter[str] = Counter()
    for statement, count in counted.items():
        if statement not in {"BEGIN", "ROLLBACK", "BEGIN IMMEDIATE", "COMMIT"}:
            own[_INNER if statement.startswith(_INNER) else statement[:_SHOWN]] += count
    return {statement: round(count / turns, 2) for statement, count in own.most_common()}
