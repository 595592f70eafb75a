"""Tells when something in a folder changed, through the operating system's own notifications.

The folder is watched, not the file: editors replace files, and a watch on a replaced file sees nothing any more.
A slow heartbeat beside the notifications makes a lost one harmless.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import structlog
from watchfiles import awatch


async def watch_changes(
    directory: Path, *, debounce_ms: int = 200, heartbeat_s: float = 5.0, stop: asyncio.Event | None = None
) -> AsyncIterator[None]:
    """Yield after each burst of changes below ``directory``, and every ``heartbeat_s`` seconds.

    Ends when ``stop`` is set.  A folder that is missing or cannot be watched is looked at by the heartbeat alone until
    it can be.
    """
    stop = stop or asyncio.Event()
    told = False
    while not stop.is_set():
        try:
            async for _ in awatch(
                directory,
                watch_filter=None,
                debounce=debounce_ms,
                rust_timeout=int(heartbeat_s * 1000),
                yield_on_timeout=True,
                stop_event=stop,
            ):
                told = False
                yield
        except (OSError, RuntimeError) as error:  # watchfiles raises RuntimeError when inotify has no watches left
            if not told:
                structlog.get_logger().warning("folder not watched", folder=directory.name, reason=type(error).__name__)
                told = True
        try:
            async with asyncio.timeout(heartbeat_s):  # wait_for may swallow a cancellation in Python 3.11
                await stop.wait()
        except TimeoutError:
            yield
