"""``mneme export``: one memory as a file, in the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from adapters.clock import SystemClock, ZonedClock
from adapters.sqlite.database import Database
from adapters.sqlite.installation import ensure_installation
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.rows.scopes import list_scope_tags
from bot.config.folders import Folders
from bot.errors import ConfigInvalid
from bot.features.transfer.exporting import ScopeExporter
from bot.memory.scope import Scope
from bot.runtime.installation import choose_memory, load_live_settings


async def run_export(
    places: Folders, *, scope: str | None, user: int | None, platform: str | None, out: Path | None
) -> None:
    """``mneme export``: write one memory to a file, also while Mneme runs.

    Raises :class:`~bot.errors.ConfigInvalid` where nothing says whose memory, or nothing is kept of it.
    """
    live = load_live_settings(places)
    database = Database(places.database, ROOMS)
    clock = ZonedClock(SystemClock(), live.time_zone)
    await database.open()
    try:
        tags = await database.read(list_scope_tags)
        wanted = Scope(scope) if scope else choose_memory(live, user=user, platform=platform).scope
        installation = await ensure_installation(database, places.installation)
        exporter = ScopeExporter(database, places.exports, installation, clock.now)
        path = out or Path(f"mneme-{wanted.tag}-{clock.now():%Y-%m-%d}.zip")
        with Console(stderr=True).status(f"exporting {wanted}"):
            done = await exporter.write(wanted, path)
    finally:
        await database.close()
    if done is None:
        raise ConfigInvalid(f"nothing is kept of {wanted}; there are: {', '.join(tags) or 'none'} (--scope)")
    table = Table(box=None, show_header=False)
    for kind, count in done.counts.items():
        table.add_row(kind, str(count))
    console = Console(soft_wrap=True)
    console.print(table)
    console.print(f"{done.path} ({done.size:,} bytes)", highlight=False)
