"""Commands over the store: import of memories, indexing again, dead letters of long-term memory, paired users."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from adapters.clock import SystemClock
from adapters.sqlite.conversations.access import SqliteAccess
from adapters.sqlite.database import Database
from adapters.sqlite.items.old_exports import import_items
from adapters.sqlite.outbox.reindexing import reindex_exchanges
from adapters.sqlite.outbox.store import SqliteOutbox
from bot.compose.building import load_live_settings
from bot.config.folders import Folders
from bot.errors import ConfigInvalid
from bot.memory.scope import Scope

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


async def import_memories(places: Folders, file: Path, scope: str | None) -> None:
    """Add the memories of an exported file to a scope, by default the one that the file is named after."""
    database = Database(places.database)
    await database.open()
    try:
        added = await import_items(database, Scope(scope or file.stem), file, SystemClock().now())
    finally:
        await database.close()
    Console().print(f"{added} new memories")


async def run_users(places: Folders, *, revoke: int | None, as_json: bool) -> int:
    """Print the paired users, or take a pairing back; return the exit code: 1 if there was none to take.

    A running Mneme asks for every message who is paired, so that it acts at once.
    """
    token = load_live_settings(places).current().telegram.token
    if not token:
        raise ConfigInvalid("there is no Telegram bot: set TELEGRAM_TOKEN in .env or the environment")
    bot_id = int(token.split(":", 1)[0])
    database = Database(places.database)
    await database.open()
    try:
        access = SqliteAccess(database)
        gone = await access.unpair(bot_id, revoke) if revoke is not None else True
        users = await access.list_paired(bot_id)
    finally:
        await database.close()
    console = Console(soft_wrap=True)
    if as_json:
        console.print_json(json.dumps({"paired": list(users)}))
    elif revoke is not None:
        console.print(f"{revoke} {'is not paired any more' if gone else 'was not paired'}", highlight=False)
    else:
        console.print("\n".join(map(str, users)) or "nobody is paired; mneme pair prints a code", highlight=False)
    return 0 if gone else 1
