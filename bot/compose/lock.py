"""One Mneme per data folder: two would answer the same messages, settle each other's replies and index twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from filelock import FileLock, Timeout

from bot.config.folders import Folders
from bot.errors import ConfigInvalid

_PATIENCE_S = 2.0
"""A restart may overlap the last moments of the process before."""


@contextmanager
def only_mneme(places: Folders, *, patience_s: float = _PATIENCE_S) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process, however it ends.

    Raises :class:`ConfigInvalid` when another process holds it, and names that process.
    """
    path = places.data / "state" / "lock"
    # A lock by the mere existence of a file, the library's way out without flock, would outlast a killed process.
    lock = FileLock(path, timeout=patience_s, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout as error:
        owner = path.read_text(encoding="ascii", errors="replace").strip() or "unknown"
        raise ConfigInvalid(
            f"another Mneme (process {owner}) uses {places.data}; stop it first, or give this one --data of its own"
        ) from error
    except OSError as error:
        raise ConfigInvalid(f"{path} cannot be written ({error.strerror}); set another data folder: --data") from error
    try:
        with suppress(OSError):  # written for the message above: a full disk must not keep anybody from starting
            path.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def is_running(places: Folders) -> bool:
    """Return whether a Mneme holds the folder now."""
    try:
        with only_mneme(places, patience_s=0.0):
            return False
    except ConfigInvalid:
        return True
