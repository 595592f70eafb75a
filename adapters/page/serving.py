"""Serves the page: on loopback while somebody has a link or a session, and to a reverse proxy where there is one."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

import structlog
import uvicorn

from adapters.page.connection import MOST, Connection
from adapters.page.gate import TELEGRAM, Door, Gate
from adapters.page.sessions import Sessions, Visitor
from adapters.page.site import build_site
from adapters.page.visits import PageParts
from bot.errors import ConfigInvalid

_LOOPBACK: Final = "127.0.0.1"
_LOOK_S: Final = 30.0
_PREFIX_BYTES: Final = 8
_GRACE_S: Final = 2


class _Server(uvicorn.Server):
    """A server beside others in one process: signals are Mneme's business."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals as they are."""
        yield


class LoopbackPage:
    """The page on this machine alone.  Nothing listens until a link is asked for, nor when nobody has one any more."""

    def __init__(self, parts: PageParts, sessions: Sessions) -> None:
        self._parts = parts
        self._sessions = sessions
        self._prefix = f"/{secrets.token_hex(_PREFIX_BYTES)}"
        self._running: _Running | None = None
        self._opening = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None

    async def make_link(self, visitor: Visitor) -> str:
        """Return an address that opens the page once, for this visitor."""
        async with self._opening:
            if self._running is None:
                listening = _listen(_LOOPBACK, 0)
                port = listening.getsockname()[1]
                site = build_site(self._parts, self._sessions, open_loopback_door(port, self._prefix))
                self._running = await _Running.start(site, listening)
                self._watching = asyncio.create_task(self._watch(), name="page")
            token = self._sessions.issue_link(visitor)
            return f"http://{_LOOPBACK}:{self._running.port}{self._prefix}/open/{token}"

    async def wait_until_unused(self) -> None:
        """Return once nobody has a link or a session any more."""
        if self._watching is not None:
            await asyncio.gather(self._watching, return_exceptions=True)

    async def close(self) -> None:
        """Stop listening."""
        watching, self._watching = self._watching, None
        if watching is not None and watching is not asyncio.current_task():
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        running, self._running = self._running, None
        if running is not None:
            await running.stop()

    async def _watch(self) -> None:
        while self._sessions.waiting:  # noqa: ASYNC110 - sessions end by the clock, nothing tells of it
            await asyncio.sleep(_LOOK_S)
        async with self._opening:
            running, self._running = self._running, None
        if running is not None:
            await running.stop()


class PublicPage:
    """The Mini App behind a reverse proxy, for as long as Mneme runs."""

    def __init__(self, site: Gate, listen: str) -> None:
        self._site = site
        self._listen = listen
        self._running: _Running | None = None

    @property
    def port(self) -> int:
        """The port that is listened on, 0 while none is."""
        return self._running.port if self._running is not None else 0

    async def start(self) -> None:
        """Begin to listen.  Raises :class:`~bot.errors.ConfigInvalid` where that is not possible."""
        host, _, port = self._listen.rpartition(":")
        try:
            listening = _listen(host.strip("[]"), int(port))
        except OSError as error:
            raise ConfigInvalid(
                f"page.publicListen {self._listen} cannot be listened on ({error.strerror}); choose another port"
            ) from error
        self._running = await _Running.start(self._site, listening)

    async def close(self) -> None:
        """Stop listening."""
        if self._running is not None:
            await self._running.stop()


def open_loopback_door(port: int, prefix: str) -> Door:
    """Return the door of this machine: its address and ``localhost``, whatever name somebody else gave it.

    Browsers send a cookie to every port of a machine, but only to its own path: where the prefix cannot be guessed, no
    other server here gets to see it.
    """
    hosts = frozenset({f"{_LOOPBACK}:{port}", f"localhost:{port}"})
    return Door(hosts, frozenset(f"http://{host}" for host in hosts), "mneme_page", prefix, secret=True)


def open_public_door(url: str) -> Door:
    """Return the door of a public address; its reverse proxy passes on the name that the browser called (Host).

    Raises :class:`~bot.errors.ConfigInvalid` for an address that Telegram would not take.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise ConfigInvalid("page.publicUrl must begin with https://: Telegram opens no other")
    host = parts.netloc.lower()
    return Door(
        frozenset({host, parts.hostname, f"{parts.hostname}:443"}),
        frozenset({f"https://{host.removesuffix(':443')}"}),
        cookie="__Secure-mneme_app",
        prefix=parts.path.rstrip("/"),
        framed_by=TELEGRAM,
        secure=True,
    )


class _Running:
    """A server that has begun to listen."""

    def __init__(self, server: _Server, task: asyncio.Task[None], port: int) -> None:
        self._server = server
        self._task = task
        self.port = port

    @classmethod
    async def start(cls, site: Gate, listening: socket.socket) -> _Running:
        settings = uvicorn.Config(
            site,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            timeout_graceful_shutdown=_GRACE_S,
            http=Connection,
            limit_concurrency=MOST + 1,
            ws="none",
        )
        server = _Server(settings)
        task = asyncio.create_task(server.serve(sockets=[listening]), name="page server")
        port: int = listening.getsockname()[1]
        structlog.get_logger().info("page listens", port=port)
        return cls(server, task, port)

    async def stop(self) -> None:
        self._server.should_exit = True
        await asyncio.gather(self._task, return_exceptions=True)
        structlog.get_logger().info("page closed", port=self.port)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=64)
    listening.setblocking(False)
    return listening
