"""Keeps background tasks running: one that ends unexpectedly is logged and started again, with growing pauses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.errors import MnemeError
from bot.retry import Backoff, Pauses

_BACKOFF: Final = Backoff(1.0, 60.0)
"""Pauses before a background task that ended is started again."""
_STEADY_S: Final = 300.0
"""A background task that ran so long begins again with the shortest pause."""


async def supervise(
    name: str,
    run: Callable[[], Awaitable[None]],
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:
    """Run ``run`` until this is cancelled, and again whenever it ends, whatever it ended with."""
    pauses = Pauses(_BACKOFF)
    while True:
        began = monotonic()
        try:
            await run()
        except MnemeError as error:
            structlog.get_logger().error("background task ended", task=name, cause=str(error))
        except Exception:  # noqa: BLE001 - the edge of a background task: it is started again
            structlog.get_logger().exception("background task broke", task=name)
        else:
            structlog.get_logger().error("background task ended", task=name, cause="it returned")
        if monotonic() - began >= _STEADY_S:
            pauses.reset()
        await sleep(pauses.next_s())
