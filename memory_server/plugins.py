"""Code of others for documents, by the entry points of installed packages.

    group            the entry point is                                       named in
    mneme.chunkers   a function without arguments that returns a Chunker      MEMORY_SERVER_CHUNKER
    mneme.loaders    a function without arguments that returns a Loader       MEMORY_SERVER_LOADERS, with commas

Nothing is loaded because it is installed.  What cannot be loaded is logged and left out.
https://packaging.python.org/en/latest/specifications/entry-points/
"""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from typing import Any

import structlog

from memory_server.errors import locate_error
from memory_server.ports import Chunker, Loader


def named_chunker() -> Chunker | None:
    """Return the plug-in that cuts documents, ``None`` for our own."""
    name = os.environ.get("MEMORY_SERVER_CHUNKER", "").strip()
    chunker: Chunker | None = _load("mneme.chunkers", name) if name else None
    return chunker


def named_loaders() -> tuple[Loader, ...]:
    """Return the plug-ins that read files, in the order in which they are named."""
    names = (name.strip() for name in os.environ.get("MEMORY_SERVER_LOADERS", "").split(","))
    return tuple(each for name in names if name and (each := _load("mneme.loaders", name)) is not None)


def _load(group: str, name: str) -> Any | None:  # Any: the group says which port it implements
    found = next(iter(entry_points(group=group, name=name)), None)
    log = structlog.get_logger()
    if found is None:
        log.error("plug-in not found", group=group, name=name)
        return None
    try:
        return found.load()()
    except Exception as error:  # noqa: BLE001 - the edge to foreign code: it may raise anything at import or when called
        log.error("plug-in not loaded", group=group, name=name, error=locate_error(error))  # noqa: TRY400 - its text may hold anything
        return None
