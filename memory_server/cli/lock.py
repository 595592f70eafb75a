"""One server per data folder: two writers with their own vectors in memory would not see each other's changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_server.errors import ConfigInvalid

if os.name == "posix":
    import fcntl


@contextmanager
def only_server(data_dir: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process.

    Raises :class:`ConfigInvalid` when it is held, or the folder cannot be used.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        (data_dir / "workspaces").mkdir(exist_ok=True, mode=0o700)
        handle = os.open(data_dir / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        next((data_dir / "workspaces").iterdir(), None)
    except OSError as error:
        path = error.filename or data_dir
        raise ConfigInvalid(f"{path} cannot be used: {error.strerror}; let us read and write the folder") from error
    try:
        if os.name == "posix":
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise ConfigInvalid(f"another memory server uses {data_dir}; stop it first") from error
    finally:
        os.close(handle)
