"""Connections that survive cancelled requests.

httpcore 1.0 can lose a connection whose request is cancelled between connecting and sending: it stays in the pool as
neither idle nor usable, and after as many of those as the pool is large every request waits for ever (measured: 16 of
16 after 200 cancellations).  Deadlines are cancellations, so a pool that has seen one is retired: it takes no new
request and is closed with its last one.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx

_IDLE_CONNECTION_S: Final = 2.0
"""Shorter than uvicorn's keep-alive of 5 s: a connection that the server is just closing is never used again."""


@dataclass(slots=True, eq=False)
class _Generation:
    """One httpx client and how many requests it is carrying; ``secure`` if it can verify certificates."""

    http: httpx.AsyncClient
    secure: bool
    users: int = 0
    retired: bool = False


class Pool:
    """At most ``connections`` at once per generation; ``transport`` replaces the network and is then kept for ever.

    Reading the certificate authorities takes some 20 ms of the event loop, so it is done for https alone, and once.
    """

    def __init__(self, connections: int, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._limits = httpx.Limits(
            max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=_IDLE_CONNECTION_S
        )
        self._transport = transport
        self._tls: ssl.SSLContext | None = None
        self._current: _Generation | None = None
        self._closing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def client(self, *, secure: bool) -> AsyncIterator[httpx.AsyncClient]:
        """Lend a client for one request to an https (``secure``) or http address.

        A request that does not end by itself retires the client, and so does a change of the kind of address.
        """
        if self._current is not None and self._current.secure != secure:
            self._retire(self._current)
        generation = self._current = self._current or self._new(secure=secure)
        generation.users += 1
        try:
            yield generation.http
        except (TimeoutError, asyncio.CancelledError):
            self._retire(generation)
            raise
        finally:
            generation.users -= 1
            if generation.retired and not generation.users:
                self._close(generation)

    async def close(self) -> None:
        """Close all connections."""
        if self._current is not None:
            await self._current.http.aclose()
            self._current = None
        await asyncio.gather(*self._closing, return_exceptions=True)

    def _new(self, *, secure: bool) -> _Generation:
        if secure and self._tls is None:
            self._tls = httpx.create_ssl_context()
        verify = self._tls if secure and self._tls is not None else False  # nothing to verify on plain http
        transport = self._transport or httpx.AsyncHTTPTransport(verify=verify, limits=self._limits, trust_env=False)
        http = httpx.AsyncClient(
            transport=transport,
            timeout=None,  # noqa: S113 - the deadline of the whole call takes its place
            trust_env=False,  # memories do not travel through a proxy that an environment variable names
            follow_redirects=False,
        )
        return _Generation(http, secure)

    def _retire(self, generation: _Generation) -> None:
        if self._transport is None:
            generation.retired = True
            if self._current is generation:
                self._current = None
            if not generation.users:
                self._close(generation)

    def _close(self, generation: _Generation) -> None:
        task = asyncio.create_task(generation.http.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
