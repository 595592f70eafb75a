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

from memory_server.storage.statements import for_each_table

Mention = tuple[int, int, str]
"""Chunk, number of the sentence, kind of the entity or keywords of the relation."""

MOST_RECENT = 2048
"""Rows in a recent table before they settle: those of 200 exchanges, read as a whole in a tenth of a millisecond."""

_COUNT_RECENT = for_each_table("SELECT count(*) FROM TABLE_recent", ("mentions", "edge_mentions"))
_DROP_RECENT = for_each_table("DELETE FROM TABLE_recent", ("mentions", "edge_mentions"))
_READ_RECENT = {
    "mentions": "SELECT node, chunk, i, kind FROM mentions_recent ORDER BY 1, 2",
    "edge_mentions": "SELECT edge, chunk, i, keywords, weight FROM edge_mentions_recent ORDER BY 1, 2",
}
_COMPACT = {
    "mentions": "INSERT INTO mentions_settled (node, chunk, i, kind) VALUES (?, ?, ?, ?)",
    "edge_mentions": "INSERT INTO edge_mentions_settled (edge, chunk, i, keywords, weight) VALUES (?, ?, ?, ?, ?)",
}
_COLUMNS = {
    "mentions": "node, chunk, i, kind",
    "edge_mentions": "edge, chunk, i, keywords, weight",
}
"""The first two are the settled table's key."""


def compact(db: sqlite3.Connection) -> None:
    """Move the rows of a recent table that holds too many, within the open transaction."""
    for table, count in _COUNT_RECENT.items():
        (held,) = db.execute(count).fetchone()
        if held > MOST_RECENT:
            rows = db.execute(_READ_RECENT[table]).fetchall()
            # One statement a row: INSERT ... SELECT would copy every page it touches to a journal of its own.
            db.executemany(_COMPACT[table], rows)
            db.execute(_DROP_RECENT[table])


def read_newest(
    db: sqlite3.Connection, table: str, owners: Sequence[int], most: int, chunks: str | None = None
) -> dict[int, list[Mention]]:
    """Return up to ``most`` mentions of each entity or relation, newest first; none for one that has none.

    ``chunks`` (a JSON array of numbers) restricts them to these chunks.
    """
    columns = _COLUMNS[table].split(", ")
    what = f"SELECT {', '.join(columns[:4])} FROM {table}"  # noqa: S608 - columns and table are those named above
    within = "" if chunks is None else "AND chunk IN (SELECT value FROM json_each(?3))"
    newest_first = f"{within} ORDER BY chunk DESC LIMIT ?2"
    found: dict[int, list[Mention]] = {owner: [] for owner in owners}
    chosen = orjson.dumps(list(owners)).decode()
    more = () if chunks is None else (chunks,)
    ask = f"{what}_recent WHERE {columns[0]} IN (SELECT value FROM json_each(?1)) {newest_first}"  # noqa: S608 - as above
    for owner, *mention in db.execute(ask, (chosen, -1, *more)):
        found[owner].append((mention[0], mention[1], mention[2]))
    ask = f"{what}_settled WHERE {columns[0]} = ?1 {newest_first}"
    for owner, recent in found.items():
        if len(recent) < most:
            recent += [row[1:] for row in db.execute(ask, (owner, most - len(recent), *more))]
        del recent[most:]
    return found
