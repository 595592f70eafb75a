"""One Mneme per data folder: two would answer the same messages, settle each other's replies and index twice."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.config.folders import Folders
from bot.errors import ConfigInvalid

if os.name == "posix":
    import fcntl

_PATIENCE_S = 2.0
"""A restart may overlap the last moments of the process before."""
_PAUSE_S = 0.1


@contextmanager
def only_mneme(places: Folders, *, patience_s: float = _PATIENCE_S) -> Iterator[None]:
    """Hold the folder's lock, which the system frees with the process, however it ends.

    Raises :class:`ConfigInvalid` when another process holds it, and names that process.
    """
    path = places.data / "state" / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigInvalid(f"{path} cannot be written ({error.strerror}); set another data folder: --data") from error
    try:
        if not _taken(handle, patience_s):
            owner = path.read_text(encoding="ascii", errors="replace").strip() or "unknown"
            raise ConfigInvalid(
                f"another Mneme (process {owner}) uses {places.data}; stop it first, or give this one --data of its own"
            )
        _sign(handle)
        yield
    finally:
        os.close(handle)


def is_running(places: Folders) -> bool:
    """Whether a Mneme holds the folder now."""
    try:
        with only_mneme(places, patience_s=0.0):
            return False
    except ConfigInvalid:
        return True


def _taken(handle: int, patience_s: float) -> bool:
    if os.name != "posix":
        return True
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_S)
        else:
            return True


def _sign(handle: int) -> None:
    """Write down who we are, for the message above; a full disk must not keep anybody from starting."""
    try:
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode("ascii"))
    except OSError:
        return
