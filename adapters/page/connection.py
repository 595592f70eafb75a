"""A connection to the page: whoever keeps a request to themselves keeps the page from nobody.

A request must be there within seconds.  Where there are as many connections as there may be, the next one takes the
place of one that still waits for a request, of the peer that has most of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 64
"""Connections at a time."""
_PATIENCE_S: Final = 10.0
"""From the first byte of a request to its last; between requests the server's own keep-alive counts."""


class Connection(H11Protocol):
    """One connection, by uvicorn's protocol."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take the place of a connection that waits, if there is no other."""
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.is_owed()]
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST and waiting:
            peers = Counter(each.peer for each in waiting)
            longest = min(waiting, key=lambda each: (-peers[each.peer], each.since))
            longest.transport.abort()
            self.connections.discard(longest)  # it would be gone with the next turn of the loop only

    def data_received(self, data: bytes) -> None:
        """Read on, and see whether the request is there."""
        super().data_received(data)
        if not self.is_owed():
            self._rest()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._rest()
        super().connection_lost(exc)

    @property
    def peer(self) -> str:
        """The address of who called."""
        return self.client[0] if self.client else ""

    @property
    def since(self) -> float:
        """A moment that is the smaller the longer the request is waited for."""
        return self._waiting.when() if self._waiting is not None else 0.0

    def is_owed(self) -> bool:
        """Return whether a request, or the rest of one, has yet to come."""
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY}

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(_PATIENCE_S, self.transport.abort)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
