"""``mneme export`` and ``mneme import``: structured memories as files that can be read, moved and read back."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import track

from adapters.clock import SystemClock
from adapters.storage.database import Database
from adapters.storage.exports import export_items, import_items
from adapters.storage.reindexing import index_again
from adapters.storage.scopes import scope_tags
from bot.compose.places import Places
from bot.memory.scope import Scope


async def run_export(places: Places, scope: str | None) -> None:
    """Write ``items/<scope>.jsonl`` for one scope or for all of them."""
    console = Console()
    database = Database(places.database)
    await database.open()
    try:
        tags = (scope,) if scope else await database.read(scope_tags)
        for tag in track(tags, "exporting", console=Console(stderr=True), transient=True):
            console.print(str(await export_items(database, Scope(tag), places.exports)), soft_wrap=True)
    finally:
        await database.close()


async def run_reindex(places: Places) -> None:
    """Queue everything for long-term memory once more; the running or next Mneme sends it."""
    database = Database(places.database)
    await database.open()
    try:
        queued = await index_again(database)
    finally:
        await database.close()
    Console().print(f"{queued} documents will be indexed again")


async def run_import(places: Places, file: Path, scope: str | None) -> None:
    """Add the memories of an exported file to a scope, by default the one that the file is named after."""
    database = Database(places.database)
    await database.open()
    try:
        added = await import_items(database, Scope(scope or file.stem), file, SystemClock().now())
    finally:
        await database.close()
    Console().print(f"{added} new memories")
