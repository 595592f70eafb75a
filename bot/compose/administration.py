"""Commands over the store: import of memories, indexing again, dead letters of long-term memory."""

from __future__ import annotations

import json
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from adapters.sqlite.database import Database
from adapters.sqlite.outbox import SqliteOutbox, reindex_exchanges
from bot.config.folders import Folders
from bot.runtime.installation import load_live_settings

_MOST = 1000
"""Dead letters listed at once."""


async def run_reindex(places: Folders) -> None:
    """Queue everything for long-term memory once more; the running or next Mneme sends it."""
    min_length = load_live_settings(places).current().rag.index_min_length
    database = Database(places.database)
    await database.open()
    try:
        queued = await reindex_exchanges(database, min_length=min_length)
    finally:
        await database.close()
    Console().print(f"{queued} documents will be indexed again")


async def run_dead_letters(places: Folders, *, revive: bool, as_json: bool) -> None:
    """List what long-term memory gave up, with the reasons, or put it back into the queue."""
    database = Database(places.database)
    await database.open()
    try:
        outbox = SqliteOutbox(database)
        if revive:
            revived = await outbox.revive()
            Console().print(f"{revived} documents go back into the queue; a running Mneme takes them up at once")
            return
        counts, letters = await outbox.counts(), await outbox.list_dead(_MOST)
    finally:
        await database.close()
    if as_json:
        Console(soft_wrap=True).print_json(json.dumps([asdict(letter) for letter in letters]))
        return
    table = Table("memory of", "document", "to be", "attempts", "reason", box=None)
    for letter in letters:
        what = "erased" if letter.erase else "indexed"
        table.add_row(letter.scope, letter.source or "everything", what, str(letter.attempts), letter.reason)
    Console().print(table if letters else "long-term memory has given up nothing")
    if counts.dead:
        Console().print(f"{counts.dead} given up in all; to try them again: mneme dead-letters --revive")
