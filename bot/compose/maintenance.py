"""Commands over the store: going back to a back-up, indexing again, dead letters of long-term memory.

What a back-up replaces is kept beside it, and what was erased since it was made stays erased.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from adapters.sqlite import connection
from adapters.sqlite.connection import open_aside
from adapters.sqlite.database import Database
from adapters.sqlite.erasure import tombstones
from adapters.sqlite.outbox import SqliteOutbox, reindex_exchanges
from adapters.sqlite.recovery.beside import Backups
from adapters.sqlite.recovery.salvage import REPLACED, find_damage, get_ready_path, swap_files
from adapters.sqlite.rooms import ROOMS
from bot.commands.status import BackupSummary
from bot.compose.building import open_parts
from bot.config.folders import Folders
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.runtime.installation import choose_store, load_live_settings, name_store, only_mneme

if TYPE_CHECKING:
    from adapters.postgres.moving import MovedTable

_CONTENT = "SELECT (SELECT count(*) FROM exchanges), (SELECT count(*) FROM items), (SELECT max(said_at) FROM exchanges)"


@dataclass(frozen=True, slots=True)
class _Content:
    """What a store holds: exchanges, memories, when something was said last; the erases that it knows."""

    exchanges: int
    items: int
    newest: datetime | None
    erases: frozenset[str]


def make_backup(places: Folders, file: Path | None, *, as_json: bool) -> None:
    """Make a back-up as the daily one is made, and say where it is; ``file`` is where it goes to.

    Raises :class:`~bot.errors.ConfigInvalid`, or :class:`~bot.errors.StorageUnavailable` where none can be made.
    """
    if load_live_settings(places).current.storage.url:
        raise ConfigInvalid("the store is a PostgreSQL (storage.url): make a back-up with pg_dump")
    if not places.database.exists() or (file is not None and file.exists()):
        raise ConfigInvalid(f"{file} is there already" if places.database.exists() else f"no store: {places.database}")
    if (made := Backups(places.database, ROOMS).make(datetime.now(UTC))) is None:
        raise StorageUnavailable("something was just forgotten, and is not off the disk yet: try again in ten minutes")
    try:
        path = made.path if file is None else Path(shutil.move(made.path, file))
    except OSError as error:
        raise StorageUnavailable(f"{file} cannot be written: {error.strerror}; the back-up is {made.path}") from error
    Console(soft_wrap=True).print(
        json.dumps({"file": str(path), "bytes": made.size}) if as_json else path, markup=False
    )


async def run_restore(places: Folders, file: Path | None, *, latest: bool, dry_run: bool) -> int:
    """Put a back-up in the store's place, or say what that would do; without one, list them.

    Returns the exit code.  Raises :class:`~bot.errors.ConfigInvalid` for a file that is no sound back-up.
    """
    if load_live_settings(places).current.storage.url:
        raise ConfigInvalid("the store is a PostgreSQL (storage.url): go back to a back-up with pg_restore or psql")
    made = Backups(places.database, ROOMS).list_made()
    chosen = made[0].path if latest and made else file
    if chosen is None:
        if latest:
            raise ConfigInvalid(f"there is no back-up in {places.database.with_name('backups')}")
        _print_list(Backups(places.database, ROOMS))
        return 0
    with only_mneme(places):
        content = _read_content(chosen)
        _print_plan(places, chosen, content)
        if not dry_run:
            kept = _replace(places, chosen)
            parts = await open_parts(places, load_live_settings(places))  # migrates it
            try:
                await parts.housekeeping.resume()
                await parts.housekeeping.rebuild()
            finally:
                await parts.close()
            Console(soft_wrap=True).print(f"restored; what was there is kept as {kept.name}" if kept else "restored")
    return 0


def _read_content(path: Path) -> _Content:
    if not path.is_file():
        raise ConfigInvalid(f"{path} is not there: name a back-up, or say --latest; mneme restore lists them")
    try:
        if (reason := find_damage(path, ROOMS, thorough=True)) is not None:
            raise ConfigInvalid(f"{path} is damaged ({reason}): choose another back-up; mneme restore lists them")
        with closing(open_aside(path)) as opened:
            exchanges, items, newest = opened.execute(_CONTENT).fetchone()
            erases = frozenset(uid for (uid,) in opened.execute("SELECT uid FROM tombstones"))
    except sqlite3.Error as error:
        raise ConfigInvalid(f"{path} is no store of Mneme: {error}") from error
    return _Content(exchanges, items, datetime.fromtimestamp(newest, UTC) if newest is not None else None, erases)


def _replace(places: Folders, chosen: Path) -> Path | None:
    """Copy a back-up, with what its log holds, and let the copy take the store's name; return what was set aside.

    A start completes what is cut off while the files change names.
    """
    there, fresh = places.database.exists(), places.database.with_name(f"{places.database.name}.restoring")
    fresh.unlink(missing_ok=True)
    try:
        connection.create_file(fresh)
        with closing(open_aside(chosen)) as source, closing(sqlite3.connect(fresh)) as copy:
            source.backup(copy)
        name = "damaged" if there and find_damage(places.database, ROOMS, thorough=True) else REPLACED
        kept = swap_files(places.database, fresh.replace(get_ready_path(places.database)), name=name)
    except (OSError, sqlite3.Error) as error:
        raise StorageUnavailable(f"{chosen} cannot be restored: {error}; the store is as it was") from error
    finally:
        fresh.unlink(missing_ok=True)
    return kept if there else None


def _print_plan(places: Folders, chosen: Path, content: _Content) -> None:
    stones = tombstones.read(places.database.with_name("tombstones.jsonl"))
    again = sum(stone.uid not in content.erases for stone in stones)
    table = Table("", "exchanges", "memories", "newest", box=None)
    table.add_row(chosen.name, *_describe(content))
    if places.database.exists():
        try:
            table.add_row(f"the store now ({places.database.name})", *_describe(_read_content(places.database)))
        except ConfigInvalid:
            table.add_row(f"the store now ({places.database.name})", "damaged", "", "")
    Console().print(table)
    Console(soft_wrap=True).print(f"erases that came after the back-up, and are carried out again: {again}")


def _describe(content: _Content) -> tuple[str, str, str]:
    newest = content.newest.astimezone().strftime("%Y-%m-%d %H:%M") if content.newest is not None else ""
    return f"{content.exchanges:,}", f"{content.items:,}", newest


def _print_list(backups: Backups) -> None:
    table = Table("back-up", "made", "MB", box=None)
    for each in backups.list_made():
        table.add_row(str(each.path), each.made_at.astimezone().strftime("%Y-%m-%d %H:%M"), f"{each.size / 1e6:.1f}")
    Console(soft_wrap=True).print(table if table.row_count else "there is no back-up yet; Mneme makes one every day")
    if table.row_count:
        Console().print("to go back to one: mneme restore FILE, or --latest; --dry-run says what that would do")


async def sum_up_backups(database: Database) -> BackupSummary | str | None:
    """Return how many back-ups there are, the newest one's time and their size; ``None`` if there are none.

    Where Mneme makes none, return what makes them.
    """
    if database.backed_up_by != "Mneme":
        return database.backed_up_by
    made = await asyncio.to_thread(database.backups.list_made)
    return BackupSummary(len(made), made[0].made_at, sum(each.size for each in made)) if made else None


async def describe_backups(database: Database) -> str:
    """Return how many back-ups there are, their newest, their size: for ``mneme check``."""
    made = await sum_up_backups(database)
    if isinstance(made, str):
        return f"made with {made}, not by Mneme"
    if made is None:
        return "none yet; one is made every day while Mneme runs"
    return f"{made.count}, the newest of {made.newest.astimezone():%Y-%m-%d %H:%M}, {made.size / 1e6:.1f} MB in all"


async def run_move(places: Folders, *, to: str, origin: str, as_json: bool) -> None:
    """Move everything to another store and say what to do next.

    ``to`` and ``origin`` are addresses of a PostgreSQL; "" is the file in the data folder, and "sqlite", too.
    Raises :class:`~bot.errors.ConfigInvalid` where both are the same, or the target is not empty.
    """
    to, origin = (address if address != "sqlite" else "" for address in (to, origin))
    settings = load_live_settings(places).current
    origin = origin or ("" if to else settings.storage.url)
    if to == origin:
        raise ConfigInvalid("mneme move --to postgresql://user:password@host/db, or --to sqlite --from postgresql://…")
    if not origin and not places.database.exists():
        raise ConfigInvalid(f"there is nothing to move: {places.database} is not there")
    source, target = (name_store(places, address, alone=bool(address)) for address in (origin, to))
    with only_mneme(places):
        async with source, target:
            moved = await _move(source, target, quiet=as_json)
    if as_json:
        tables = {each.name: {"rows": each.rows, "sha256": each.checksum} for each in moved}
        Console(soft_wrap=True).print_json(json.dumps({"tables": tables, "rows": sum(each.rows for each in moved)}))
        return
    console = Console(soft_wrap=True)
    console.print(f"{sum(each.rows for each in moved):,} rows of {len(moved)} tables moved, and found the same there")
    console.print(
        "now set storage.url or DATABASE_URL to that address" if to else "now take storage.url and DATABASE_URL away"
    )
    console.print(
        f"what was moved is still in {'the PostgreSQL' if origin else places.database}, where no /forget reaches it: "
        "delete it when you have seen that all is well",
        highlight=False,
    )


async def _move(source: Database, target: Database, *, quiet: bool) -> tuple[MovedTable, ...]:
    from adapters.postgres.moving import move_store  # noqa: PLC0415 - an extra: few have its driver

    with Progress(console=Console(stderr=True), disable=quiet or not sys.stderr.isatty()) as shown:
        task = shown.add_task("moving", total=None)
        done = 0

        def tell(table: str, rows: int) -> None:
            nonlocal done
            done += rows
            shown.update(task, completed=done, description=f"{table}: {done:,} rows")

        return await move_store(source, target, tell)


_MOST = 1000
"""Dead letters listed at once."""


async def run_reindex(places: Folders) -> None:
    """Queue everything for long-term memory once more; the running or next Mneme sends it."""
    settings = load_live_settings(places).current
    min_length = settings.rag.index_min_length
    async with choose_store(places, settings) as database:
        queued = await reindex_exchanges(database, min_length=min_length)
    Console().print(f"{queued} documents will be indexed again")


async def run_dead_letters(places: Folders, *, revive: bool, as_json: bool) -> None:
    """List what long-term memory gave up, with the reasons, or put it back into the queue."""
    async with choose_store(places, load_live_settings(places).current) as database:
        outbox = SqliteOutbox(database)
        if revive:
            revived = await outbox.revive()
            Console().print(f"{revived} documents go back into the queue; a running Mneme takes them up at once")
            return
        counts, letters = await outbox.counts(), await outbox.list_dead(_MOST)
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
