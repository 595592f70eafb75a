"""What an installation is known by and seals its exports with, made at the first start and kept for ever.

Its name stands in the database, so that a back-up carries it, and in a file beside it, in case a damaged database loses
it: with another name the old workspaces on the memory server would be nobody's, and no erase would reach them.
The key that seals exports stands in the database alone and is shown to nobody.
"""

import secrets
import sqlite3
import string
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from adapters.sqlite.database import Database
from adapters.sqlite.rows.codec import read_meta, write_meta
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.files import write_whole
from bot.memory.scope import Installation

_INSTALLATION: Final = "installation"
_DIGITS: Final = string.ascii_lowercase + string.digits
_EXPORT_KEY: Final = "export key"
_KEY_BYTES: Final = 32


async def ensure_installation(database: Database, copy: Path) -> Installation:
    """Return the installation's name, made when there is none; ``copy`` is the file that also holds it.

    Raises :class:`~bot.errors.StorageUnavailable`.
    """
    try:
        spare = read_installation(copy)
        name = await _ensure(database, _INSTALLATION, lambda: _make_name() if spare is None else spare.name)
        found = Installation(name)
        if found != spare:
            write_whole(copy, f"{found.name}\n".encode())
    except OSError as error:
        raise StorageUnavailable(f"{copy} cannot be used: {error.strerror}") from error
    return found


def _make_name() -> str:
    return secrets.choice(_DIGITS[:26]) + "".join(secrets.choice(_DIGITS) for _ in range(15))


def read_installation(copy: Path) -> Installation | None:
    """Return the name that the file holds, ``None`` where there is none yet."""
    try:
        return Installation(copy.read_text("ascii").strip())
    except (FileNotFoundError, UnicodeError, ConfigInvalid):
        return None


async def ensure_export_key(database: Database) -> bytes:
    """Return the key, made the first time.  Raises :class:`~bot.errors.StorageUnavailable`."""
    return bytes.fromhex(await _ensure(database, _EXPORT_KEY, lambda: secrets.token_hex(_KEY_BYTES)))


def read_export_key(path: Path) -> bytes:
    """Return the key of the store at ``path``, b"" where there is none; nothing is written, nor waited for."""
    if not path.exists():
        return b""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return bytes.fromhex(read_meta(connection, _EXPORT_KEY) or "")
    except sqlite3.Error:
        return b""


async def _ensure(database: Database, key: str, make: Callable[[], str]) -> str:

    def ensure(connection: sqlite3.Connection) -> str:
        if (found := read_meta(connection, key)) is None:
            write_meta(connection, key, found := make())
        return found

    return await database.write(ensure)
