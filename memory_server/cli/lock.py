"""One server per data folder: two writers with their own vectors in memory would not see each other's changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from memory_server.errors import ConfigInvalid


@contextmanager
def lock_folder(data_dir: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process.

    Raises :class:`ConfigInvalid` when it is held, or the folder cannot be used.
    """
    # A lock by the mere existence of a file, the library's way out without flock, would outlast a killed process.
    lock = FileLock(data_dir / "server.lock", timeout=0, mode=0o600, fallback_to_soft=False)
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        (data_dir / "workspaces").mkdir(exist_ok=True, mode=0o700)
        next((data_dir / "workspaces").iterdir(), None)
        lock.acquire()
    except Timeout as error:
        raise ConfigInvalid(f"another memory server uses {data_dir}; stop it first") from error
    except OSError as error:
        path = error.filename or data_dir
        raise ConfigInvalid(f"{path} cannot be used: {error.strerror}; let us read and write the folder") from error
    try:
        yield
    finally:
        lock.release()
