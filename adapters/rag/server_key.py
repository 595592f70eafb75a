"""The key between Mneme and the memory server that it starts: made once, readable by the owner alone."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

import structlog

from bot.errors import StorageUnavailable

_BYTES = 32
_KEY = re.compile(r"[A-Za-z0-9_-]{20,200}")


def server_key(path: Path) -> str:
    """Return the key kept in ``path``, making it (mode 0600, 256 random bits) when it is missing or damaged.

    Only we and the server that we start use it, so that a new one costs nothing but that server's next start.
    Safe when two processes start at once: both get the same key.  Raises :class:`~bot.errors.StorageUnavailable`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if _KEY.fullmatch(known := path.read_bytes().decode("ascii", "replace").strip()):
                path.chmod(0o600)
                return known
            structlog.get_logger().warning("the memory server's key was damaged; a new one is made", file=str(path))
            path.unlink()
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(_BYTES), "ascii")
        with suppress(FileExistsError):  # another process was quicker: its key is the key
            path.hardlink_to(fresh)
        fresh.unlink()
        return path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise StorageUnavailable(
            f"the memory server's key cannot be kept in {path} ({error}); make the folder ours to read and write"
        ) from error
