"""Files that go with replies: where they lie is kept below the database's folder, and what nobody needs is deleted.

The rows say which file is needed; a trigger writes down every path that a row lets go of, and the path stays written
down until the file is off the disk.  So neither a crash nor an erase leaves one behind.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.database import Database
from bot.files import OutboundFile
from bot.memory.secrets.redaction import Source, redact

OUTGOING: Final = "outgoing"
"""The folder beside the database in which files lie that are made for a reply."""
_UNCLAIMED_S: Final = 3600.0
"""A file that no reply refers to yet is left alone so long: its turn may still be at work."""
_TEXTS: Final = (".md", ".txt")


def path_in(database: Database, file: OutboundFile) -> str:
    """Return where a file lies below the database's folder.  Raises ``ValueError`` for one that lies elsewhere."""
    return file.path.resolve().relative_to(database.path.parent.resolve()).as_posix()


def file_at(database: Database, path: str | None, name: str | None) -> OutboundFile | None:
    """Return the file of a row, ``None`` if it has none."""
    return None if path is None else OutboundFile(database.path.parent / path, name or "")


async def remove_dropped_files(database: Database) -> None:
    """Delete the files that rows let go of and no other row refers to."""
    paths = await database.read(_list_dropped)
    if not paths:
        return
    folder = database.path.parent
    gone = await asyncio.to_thread(lambda: [path for path in paths if _unlink(folder / path)])
    await database.write(
        lambda connection: (
            connection.executemany("DELETE FROM dropped_files WHERE path = ?", [(path,) for path in gone]).rowcount
        )
    )


async def remove_unclaimed_files(database: Database, *, older_than_s: float = _UNCLAIMED_S) -> None:
    """Delete what was made for a reply that was never planned: the turn failed, or the process died before."""
    await remove_dropped_files(database)
    needed = await database.read(
        lambda connection: {
            row[0] for row in connection.execute("SELECT file_path FROM deliveries WHERE file_path IS NOT NULL")
        }
    )
    await asyncio.to_thread(_remove_others, database.path.parent, needed, time.time() - older_than_s)


def mask_secrets(file: OutboundFile) -> None:
    """Rewrite a text without its secrets: it is kept for longer than the moment in which it was sent."""
    if not file.name.casefold().endswith(_TEXTS):
        return
    with suppress(OSError, UnicodeDecodeError):
        text = file.path.read_text(encoding="utf-8")
        if (masked := redact(text, Source.DOCUMENT)).kinds:
            file.path.write_text(masked.text, encoding="utf-8")


def _list_dropped(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT path FROM dropped_files WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE file_path = path)"
    )
    return [row[0] for row in rows.fetchall()]


def _unlink(path: Path) -> bool:
    """Return whether a file is off the disk now."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        structlog.get_logger().error("outgoing file not deleted", cause=error.strerror)
        return False
    return True


def _remove_others(folder: Path, needed: set[str], made_before: float) -> None:
    outgoing = folder / OUTGOING
    if not outgoing.is_dir():
        return
    for path in outgoing.iterdir():
        with suppress(OSError):  # gone meanwhile
            if f"{OUTGOING}/{path.name}" not in needed and path.stat().st_mtime < made_before:
                path.unlink()
