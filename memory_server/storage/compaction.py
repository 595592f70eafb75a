"""Put recent rows where they are looked up, many documents at a time.

An entity's mentions lie together, so that reading one entity is reading one place; a document's mentions are then a
dozen places, each a page of the log and later one of the file, and the more entities there are the fewer share a page.
Hence two tables per kind behind one view (``compaction.sql``): the recent one in the order of arrival, small enough to
be read as a whole, and the settled one in the order of lookup.  It is the idea of a log-structured merge tree (O'Neil
et al., 1996) with two levels.  Every recent chunk has a higher number than every settled one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import orjson

Mention = tuple[int, int, str]
"""Chunk, number of the sentence, kind of the entity or keywords of the relation."""

MOST_RECENT = 2048
"""Rows in a recent table before they settle: those of 200 exchanges, read as a whole in a tenth of a millisecond."""

_COLUMNS = {
    "mentions": "node, chunk, i, kind",
    "edge_mentions": "edge, chunk, i, keywords, weight",
}
"""The first two are the settled table's key."""


def compact(db: sqlite3.Connection) -> None:
    """Move the rows of a recent table that holds too many, within the open transaction."""
    for table, columns in _COLUMNS.items():
        (held,) = db.execute(f"SELECT count(*) FROM {table}_recent").fetchone()  # noqa: S608 - constants
        if held > MOST_RECENT:
            rows = db.execute(f"SELECT {columns} FROM {table}_recent ORDER BY 1, 2").fetchall()  # noqa: S608 - constants
            marks = ", ".join("?" * len(rows[0]))
            # One statement a row: INSERT ... SELECT would copy every page it touches to a journal of its own.
            db.executemany(f"INSERT INTO {table}_settled ({columns}) VALUES ({marks})", rows)  # noqa: S608 - constants
            db.execute(f"DELETE FROM {table}_recent")  # noqa: S608 - constants


def read_newest(
    db: sqlite3.Connection, table: str, owners: Sequence[int], most: int, chunks: str | None = None
) -> dict[int, list[Mention]]:
    """Return up to ``most`` mentions of each entity or relation, newest first; none for one that has none.

    ``chunks`` (a JSON array of numbers) restricts them to these chunks.
    """
    columns = _COLUMNS[table].split(", ")
    what = f"SELECT {', '.join(columns[:4])} FROM {table}"  # noqa: S608 - constants
    within = "" if chunks is None else "AND chunk IN (SELECT value FROM json_each(?3))"
    newest_first = f"{within} ORDER BY chunk DESC LIMIT ?2"
    found: dict[int, list[Mention]] = {owner: [] for owner in owners}
    chosen = orjson.dumps(list(owners)).decode()
    more = () if chunks is None else (chunks,)
    ask = f"{what}_recent WHERE {columns[0]} IN (SELECT value FROM json_each(?1)) {newest_first}"  # noqa: S608 - constants
    for owner, *mention in db.execute(ask, (chosen, -1, *more)):
        found[owner].append((mention[0], mention[1], mention[2]))
    ask = f"{what}_settled WHERE {columns[0]} = ?1 {newest_first}"
    for owner, recent in found.items():
        if len(recent) < most:
            recent += [row[1:] for row in db.execute(ask, (owner, most - len(recent), *more))]
        del recent[most:]
    return found
