"""What a storm has cost, counted from outside: the chats, the database and the memory server."""

from __future__ import annotations

import itertools
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.chaos.people import People


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts.  ``unanswered`` messages have no answer in their chat; ``lost`` are those beyond the ``unknown``.

    A reply whose sending a kill interrupted is of unknown fate: listed for the operator, never sent again, whether it
    arrived or not.
    ``fragments`` are first frames of streamed answers whose message id was lost with the process or the connection; the
    whole answer stands below them.  ``bad_ends`` counts SIGTERMs that did not end with code 0 in 15 s,
    ``unsynced_bytes`` what power cuts took away.
    """

    kills: int
    messages: int
    unanswered: int
    lost: int
    double: int
    unknown: int
    fragments: int
    exchanges_missing: int
    exchanges_double: int
    documents_missing: int
    documents_double: int
    misordered: int
    bad_ends: int
    unsynced_bytes: int
    seconds: float
    seed: int

    @property
    def faults(self) -> int:
        """Return how many promises were broken; 0 is a pass."""
        return (
            self.lost
            + self.double
            + self.exchanges_missing
            + self.exchanges_double
            + self.documents_missing
            + self.documents_double
            + self.misordered
            + self.bad_ends
        )


def counted(
    people: People,
    database: Path,
    indexed: list[str],
    *,
    kills: int,
    bad_ends: int,
    unsynced_bytes: int,
    seconds: float,
    seed: int,
) -> Figures:
    """Count.  ``indexed`` are the sources of all documents that the memory server has processed."""
    rows, unknown = _rows(database)
    stored = {mark: sum(mark in text for text, _ in rows) for mark in people.said}
    answers = {mark: people.answers(mark) for mark in people.said}
    sources = Counter(indexed)
    wanted = [source for _, source in rows if source]
    silent = sum(count == 0 for count in answers.values())
    return Figures(
        kills=kills,
        messages=len(people.said),
        unanswered=silent,
        lost=max(silent - unknown, 0),
        double=sum(count > 1 for count in answers.values()),
        unknown=unknown,
        fragments=people.fragments(),
        exchanges_missing=sum(count == 0 for count in stored.values()),
        exchanges_double=sum(count > 1 for count in stored.values()),
        documents_missing=sum(sources[source] == 0 for source in wanted),
        documents_double=sum(count > 1 for count in sources.values()),
        misordered=_misordered(people),
        bad_ends=bad_ends,
        unsynced_bytes=unsynced_bytes,
        seconds=round(seconds, 1),
        seed=seed,
    )


def _rows(database: Path) -> tuple[list[tuple[str, str]], int]:
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        rows = connection.execute("SELECT user_text, source FROM exchanges").fetchall()
        (unknown,) = connection.execute("SELECT count(*) FROM deliveries WHERE state = 3").fetchone()
    return [(str(text), str(source)) for text, source in rows], int(unknown)


def _misordered(people: People) -> int:
    """Return how many answers stand in their chat before the answer to an earlier message."""
    wrong = 0
    for user in people.ids:
        texts = [shown.text for shown in people.telegram.chats.of(user)]
        mine = [mark for mark, by in people.said.items() if by == user]
        places = [next((n for n, text in enumerate(texts) if mark in text), None) for mark in mine]
        shown = [place for place in places if place is not None]
        wrong += sum(later < earlier for earlier, later in itertools.pairwise(shown))
    return wrong
