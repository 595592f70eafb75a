"""The site behind one door: its routes, the pages for what went wrong, and how it is served.

It is served on loopback while somebody has a link or a session, and to a reverse proxy where there is one.
Whoever keeps a request to themselves keeps the page from nobody: a request must be there within seconds, and where
there are as many connections as there may be, the next one takes the place of one that still waits for a request, of
the peer that has most of them.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import h11
import structlog
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapters.page.gate import TELEGRAM, Door, Gate, Sessions, TooLargeError, Visitor
from adapters.page.looking import LookingPages, PeoplePages
from adapters.page.records import ChangingPages, RecordPages
from adapters.page.visits import (
    FOLDER,
    ChangedError,
    ForeignFormError,
    NotYoursError,
    PageError,
    PageParts,
    SignedOutError,
    Visits,
    Wording,
    read_form,
    show_page,
)
from bot.errors import ConfigInvalid, MnemeError

Handler = Callable[[Request], Awaitable[Response]]


Admit = Callable[[str], Awaitable[Visitor | None]]
"""Returns whom Telegram's data let in, ``None`` for data that is forged or old, and for a stranger's."""


def build_site(parts: PageParts, sessions: Sessions, door: Door, admit: Admit | None = None) -> Gate:
    """Return the ASGI application of a door; nothing runs until somebody calls it.

    ``admit`` makes a Mini App of it: one comes in by what Telegram says of one, and not by a link.
    """
    visits = Visits(parts, sessions, door)
    looking, changing, entrance = LookingPages(visits), ChangingPages(visits), Entrance(visits, admit)
    people, records = PeoplePages(visits), RecordPages(visits)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    pages: dict[str, Handler] = {
        "/": looking.choose,
        "/m/{tag}/timeline": looking.timeline,
        "/m/{tag}/turn/{uid}": looking.turn,
        "/m/{tag}/turn/{uid}/forget": changing.ask,
        "/m/{tag}/people": people.people,
        "/m/{tag}/people/{number}": people.person,
        "/m/{tag}/memories": changing.memories,
        "/m/{tag}/memories/forget": changing.ask,
        "/m/{tag}/memories/{number}": changing.memory,
        "/m/{tag}/memories/{number}/forget": changing.ask,
        "/m/{tag}/search": looking.search,
        "/m/{tag}/forgotten": looking.forgotten,
        "/m/{tag}/reminders": records.reminders,
        "/m/{tag}/lists": records.lists,
        "/m/{tag}/documents": records.documents,
        "/m/{tag}/documents/{uid}": records.document,
        "/m/{tag}/documents/{uid}/forget": records.ask_document,
        "/m/{tag}/costs": records.costs,
        "/m/{tag}/settings": records.settings,
    }
    forms: dict[str, Handler] = {
        "/leave": entrance.leave,
        "/m/{tag}/turn/{uid}/forget": changing.forget,
        "/m/{tag}/memories": changing.add,
        "/m/{tag}/memories/forget": changing.forget,
        "/m/{tag}/memories/{number}/edit": changing.edit,
        "/m/{tag}/memories/{number}/pin": changing.pin,
        "/m/{tag}/memories/{number}/forget": changing.forget,
        "/m/{tag}/undo": changing.undo,
        "/m/{tag}/export": records.export,
        "/m/{tag}/reminders/{number}/cancel": records.cancel_reminder,
        "/m/{tag}/lists/{number}": records.mark_listed,
        "/m/{tag}/documents/{uid}/forget": records.forget_document,
        "/m/{tag}/settings": records.change_settings,
    }
    if admit is None:
        pages["/open/{token}"] = entrance.open
    else:
        pages["/app"], forms["/app"] = entrance.show_app, entrance.enter_app
    for methods, routes in ((["GET"], pages), (["POST"], forms)):
        for path, handler in routes.items():
            app.add_route(path, handler, methods=methods, name=f"{methods[0]} {path}")
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    for error in (PageError, TooLargeError, MnemeError, HTTPException):
        app.add_exception_handler(error, entrance.refuse)
    return Gate(app, door)


@dataclass(frozen=True, slots=True)
class Entrance:
    """The ways in and out, and what is said to whoever gets no page."""

    visits: Visits
    admit: Admit | None = None

    async def open(self, request: Request) -> Response:
        """Exchange a link for a session, once.

        The answer is a page that goes on by itself, not a redirect: after a link on another site a browser would send
        a redirect without the cookie that came with it.
        """
        token = self.visits.sessions.redeem(request.path_params["token"][:200])
        words = self.visits.words(request)
        if token is None:
            return self._show("message.html", words, words.page.link_title, words.page.link_spent, status=403)
        return self._show("enter.html", words, words.page.entered, token=token)

    async def show_app(self, request: Request) -> Response:
        """Let a script of ours hand over what Telegram tells the browser alone; whoever has come in goes on."""
        words = self.visits.words(request)
        if await self.visits.sessions.find(request.cookies.get(self.visits.door.cookie, "")) is not None:
            return self._show("enter.html", words, words.page.entered)
        return self._show("app.html", words, words.page.app_title)

    async def enter_app(self, request: Request) -> Response:
        """Begin the session of whoever opened the Mini App, if they may talk to the bot."""
        told = (await read_form(request)).get("init_data", "")
        visitor = await self.admit(told) if self.admit is not None else None
        words = self.visits.words(request, visitor)
        if visitor is None:
            structlog.get_logger().warning("page refused to a mini app")
            return self._show("message.html", words, words.page.app_title, words.page.app_refused, status=403)
        return self._show("enter.html", words, words.page.entered, token=self.visits.sessions.begin(visitor))

    async def leave(self, request: Request) -> Response:
        visit, _ = await self.visits.submit(request, "page")
        self.visits.sessions.end(request.cookies.get(self.visits.door.cookie, ""))
        page = visit.words.page
        return self._show("message.html", visit.words, page.closed_title, page.closed, token="")

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Say in the visitor's words why a page is not shown; whoever has not come in learns nothing else."""
        words = self.visits.words(request)
        page = words.page
        status, title, text = 404, page.missing_title, page.missing
        match error:
            case SignedOutError():
                status, title, text = 401, page.closed_title, page.closed
            case ForeignFormError():
                status, title, text = 403, page.changed_title, page.changed
            case NotYoursError():
                status, title, text = 403, page.failed_title, words.texts.memory.not_yours
            case TooLargeError():
                status, title, text = 413, page.failed_title, page.too_large
            case ChangedError():
                status, title, text = 409, page.changed_title, page.changed
            case MnemeError():
                structlog.get_logger().warning("page unavailable", cause=type(error).__name__)
                status, title, text = 503, page.failed_title, page.failed
            case HTTPException():
                status = error.status_code
        back = "" if isinstance(error, SignedOutError) else f"{self.visits.door.prefix}/"
        return self._show("message.html", words, title, text, back=back, status=status)

    def _show(
        self,
        template: str,
        words: Wording,
        title: str,
        text: str = "",
        *,
        back: str = "",
        status: int = 200,
        token: str | None = None,
    ) -> Response:
        """Return a page around which nothing of anybody's stands; ``token`` is the session to keep, "" to end it."""
        door = self.visits.door
        page = show_page(template, title, words, door.prefix, text=text, back=back)
        return HTMLResponse(page, status, {} if token is None else {"set-cookie": door.write_cookie(token)})


_LOOPBACK: Final = "127.0.0.1"
_LOOK_S: Final = 30.0
_PREFIX_BYTES: Final = 8
_GRACE_S: Final = 2


class _Server(uvicorn.Server):
    """A server beside others in one process: signals are Mneme's business."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
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
        self._rest()
        super().connection_lost(exc)

    @property
    def peer(self) -> str:
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
