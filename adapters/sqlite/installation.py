"""The name of this installation, made at the first start and kept for ever.

It stands in the database, so that a back-up carries it, and in a file beside it, in case a damaged database loses it:
with another name the old workspaces on the memory server would be nobody's, and no erase would reach them.
"""

import secrets
import sqlite3
import string
from pathlib import Path
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import read_meta, write_meta
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.files import write_whole
from bot.memory.scope import Installation

_KEY: Final = "installation"
_DIGITS: Final = string.ascii_lowercase + string.digits


async def ensure_installation(database: Database, copy: Path) -> Installation:
    """Return the installation's name, made when there is none; ``copy`` is the file that also holds it.

    Raises :class:`~bot.errors.StorageUnavailable`.
    """
    try:
        spare = read_installation(copy)
        found = await database.write(lambda connection: _ensure(connection, spare))
        if found != spare:
            write_whole(copy, f"{found.name}\n".encode())
    except OSError as error:
        raise StorageUnavailable(f"{copy} cannot be used: {error.strerror}") from error
    return found


def _ensure(connection: sqlite3.Connection, spare: Installation | None) -> Installation:
    found = read_meta(connection, _KEY)
    if found is not None:
        return Installation(found)
    made = spare or Installation(secrets.choice(_DIGITS[:26]) + "".join(secrets.choice(_DIGITS) for _ in range(15)))
    write_meta(connection, _KEY, made.name)
    return made


def read_installation(copy: Path) -> Installation | None:
    """Return the name that the file holds, ``None`` where there is none yet."""
    try:
        return Installation(copy.read_text("ascii").strip())
    except (FileNotFoundError, UnicodeError, ConfigInvalid):
        return None
