"""The gate before every page: who may call it from where, how much they may send, and what every answer carries.

A loopback address can be reached by any web site whose name somebody points there (DNS rebinding), so that only the
names that are ours are answered; a change must come from one of our own pages (its Origin), which no other site can
claim.  Pure ASGI: the rules hold for every route, also for those that do not exist.

Whoever comes in has a session, exchanged for a link that opens once.  Both live in this process alone and end with it.
A session's visitor is asked about anew at every request, so that taking access back ends it.

How ``mneme page`` asks a running Mneme for a link: through a socket that only the data folder's owner can open.

The running process alone may write to its database, so it serves the page; a link that is asked for here may see every
memory of the installation, as whoever can open the folder can anyway.

A browser is led to a link by a file: whatever stands in a program's arguments, every user of the machine can read.  It
lies in a folder of its own that nobody else may open, and goes when its link is used, else when the page closes.
"""

import asyncio
import hashlib
import hmac
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog

from bot.core.rights import Role
from bot.errors import MnemeError
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Author
from bot.ports.when import Clock

Message = MutableMapping[str, Any]  # Any: ASGI's own
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LARGEST: Final = 64 * 1024
"""Bytes of a form: a memory has 4,000 characters at most."""
TELEGRAM: Final = "https://web.telegram.org https://*.telegram.org"
"""Telegram's web clients show a Mini App in a frame; the others in a window of its own."""
_STATIC: Final = "/static/"
_SECONDS: Final = 3600


@dataclass(frozen=True, slots=True)
class Door:
    """One way in: the names that it answers to (``host[:port]``) and the origins of its own pages.

    ``prefix`` is the path under which it stands, "" for the root; a reverse proxy may take it off unless it is
    ``secret``.  ``framed_by`` is who may show it in a frame; ``secure`` says that it is called by TLS, and framed.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    cookie: str
    prefix: str = ""
    secret: bool = False
    framed_by: str = "'none'"
    secure: bool = False

    @property
    def policy(self) -> str:
        """The content security policy of every page: nothing but our own files, and nothing inline."""
        own = "; ".join(
            f"{kind} 'self'" for kind in ("script-src", "style-src", "img-src", "connect-src", "form-action")
        )
        return f"default-src 'none'; {own}; base-uri 'none'; frame-ancestors {self.framed_by}"

    def write_cookie(self, token: str) -> str:
        """Return the header that keeps a session's token in the browser, "" to take it away: no script can read it.

        A page within Telegram's is a third party there, so that ``Strict`` would never be sent; partitioned, its cookie
        belongs to this page within that one alone, and the form's key and Origin guard every change as elsewhere.
        """
        kept = f"{self.cookie}={token}; Path={self.prefix or '/'}; HttpOnly"
        kept += "; SameSite=None; Secure; Partitioned" if self.secure else "; SameSite=Strict"
        return kept if token else f"{kept}; Max-Age=0"


class TooLargeError(Exception):
    """A body that is larger than any form of ours, or has more fields."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Answers what must not pass; ``app`` sees the rest, with the door's prefix taken off its path."""

    app: App
    door: Door

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began, status = time.perf_counter(), 0
        path: str = scope["path"]
        inside = self.door.prefix and (path == self.door.prefix or path.startswith(f"{self.door.prefix}/"))
        if inside:
            path = path.removeprefix(self.door.prefix) or "/"
        scope = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), *self._headers(path)]}
            await send(message)

        try:
            hidden = self.door.secret and not inside
            refusal = (404, "nothing here") if hidden else self._refuse(scope)
            if refusal:
                await _say(answer, *refusal)
            else:
                await self.app(scope, _limit(receive), answer)
        except Exception as error:  # noqa: BLE001 - the edge: its text may hold what somebody wrote, and goes nowhere
            structlog.get_logger().error("page failed", error=type(error).__name__)
            if not status:
                await _say(answer, 500, "that did not work")
        finally:
            _log(scope, status, began)

    def _refuse(self, scope: Message) -> tuple[int, str] | None:
        headers = [(key.lower(), value.decode("latin-1").lower()) for key, value in scope["headers"]]
        hosts = [value for key, value in headers if key == b"host"]
        if len(hosts) != 1 or hosts[0] not in self.door.hosts:
            return 421, "this address is not ours"
        if scope["method"] == "GET":
            return None
        if scope["method"] != "POST":
            return 405, "GET and POST alone"
        origins = [value for key, value in headers if key == b"origin"]
        if len(origins) != 1 or origins[0] not in self.door.origins:
            return 403, "a change must come from this page itself"
        length = next((value for key, value in headers if key == b"content-length"), "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, "too large"
        return None

    def _headers(self, path: str) -> list[tuple[bytes, bytes]]:
        kept = f"private, max-age={_SECONDS}" if path.startswith(_STATIC) else "no-store"
        unframed = (("x-frame-options", "DENY"), ("cross-origin-opener-policy", "same-origin"))
        pairs = (
            ("cache-control", kept),
            ("content-security-policy", self.door.policy),
            ("x-content-type-options", "nosniff"),
            # Not "no-referrer": with that a browser sends a form without its Origin.
            ("referrer-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
            *(() if self.door.secure else unframed),
        )
        return [(key.encode(), value.encode()) for key, value in pairs]


def _limit(receive: Receive) -> Receive:
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST:
            raise TooLargeError
        return message

    return limited


async def _say(send: Send, status: int, text: str) -> None:
    await send(
        {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain; charset=utf-8")]}
    )
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


def _log(scope: Message, status: int, began: float) -> None:
    """Tell which page was asked for, never its address: that holds tokens and names, its query words."""
    shown = getattr(scope.get("endpoint"), "__name__", "none")
    took = round((time.perf_counter() - began) * 1000, 1)
    structlog.get_logger().info("page", method=scope["method"], shown=shown, status=status, ms=took)


_BYTES: Final = 32
_MOST: Final = 20
"""Links and sessions kept of each kind for one user: their own oldest gives way, nobody else's."""
_LONGEST_S: Final = 8 * 3600.0
"""A session ends after so long however much it is used."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever looks: the scopes that they may choose from, ``None`` for every one of the installation.

    ``reader`` is whom memories are told to ("you"), ``language`` an IETF tag, "" when unknown.  ``user`` are the bot's
    and the user's id where access can be taken back: :attr:`Sessions.allowed` is asked with it.
    ``author_id`` is who adds, edits and may take back what was erased here;
    0 whoever opened the page in this installation.
    ``operator`` says that they run it.
    """

    scopes: tuple[Scope, ...] | None
    reader: Reader = field(default_factory=Reader)
    language: str = ""
    user: tuple[int, int] | None = None
    author_id: int = 0
    operator: bool = False

    def may_see(self, scope: Scope) -> bool:
        return self.scopes is None or scope in self.scopes

    @property
    def author(self) -> Author:
        """Who says what is typed on the page; id 0 for whoever opened it in this installation."""
        trusted = self.operator or self.scopes is None
        return Author(self.author_id, self.reader.name, Trust.OWNER if trusted else Trust.USER)

    def find_role(self, scope: Scope) -> Role:
        """Return what they are to one of theirs: a memory that chats share is nobody's but the operator's."""
        return Role.OWNER if self.operator or self.scopes is None or not scope.shared else Role.MEMBER


@dataclass(frozen=True, slots=True)
class PageSession:
    """A visitor who has come in; ``form_key`` stands in every form of theirs."""

    visitor: Visitor
    form_key: str = field(repr=False)
    begun_s: float = 0.0
    seen_s: float = 0.0

    def has_form_key(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode(), self.form_key.encode())


@dataclass(frozen=True, slots=True)
class _Link:
    visitor: Visitor
    ends_s: float


_T = TypeVar("_T", _Link, PageSession)


async def always_allowed(_visitor: Visitor) -> bool:
    """Return ``True``: for a page that nobody with an id comes to."""
    return True


@dataclass(slots=True, eq=False)
class Sessions:
    """Links and sessions by the hashes of their tokens: what is in memory here opens nothing.

    ``link_s`` and ``idle_s`` are asked each time; ``allowed`` says whether a visitor with an id may still come
    in as what they came in; ``used`` is told the token of a link that has been used.
    """

    clock: Clock
    _: KW_ONLY
    link_s: Callable[[], float]
    idle_s: Callable[[], float]
    allowed: Callable[[Visitor], Awaitable[bool]] = always_allowed
    used: Callable[[str], None] = lambda _token: None
    _links: dict[str, _Link] = field(init=False, default_factory=dict)
    _sessions: dict[str, PageSession] = field(init=False, default_factory=dict)

    def issue_link(self, visitor: Visitor) -> str:
        """Return a token that is exchanged for a session once, within the time of a link."""
        token = secrets.token_hex(_BYTES)  # letters that no chat takes for markup
        _put(self._links, token, _Link(visitor, self.clock.monotonic() + self.link_s()))
        return token

    def redeem(self, token: str) -> str | None:
        """Return the token of a new session for that of a link, ``None`` if it was used, is too old or never was."""
        link = self._links.pop(hash_token(token), None)
        if link is None:
            return None
        self.used(token)
        if self.clock.monotonic() > link.ends_s:
            return None
        return self.begin(link.visitor)

    def begin(self, visitor: Visitor) -> str:
        token, now = secrets.token_urlsafe(_BYTES), self.clock.monotonic()
        _put(self._sessions, token, PageSession(visitor, secrets.token_urlsafe(_BYTES), now, now))
        return token

    async def find(self, token: str) -> PageSession | None:
        """Return the session of a token, ``None`` if it has ended or its visitor may not look any more."""
        key, now = hash_token(token), self.clock.monotonic()
        session = self._sessions.get(key)
        if session is None:
            return None
        visitor = session.visitor
        late = now - session.seen_s > self.idle_s() or now - session.begun_s > _LONGEST_S
        if late or (visitor.user is not None and not await self.allowed(visitor)):
            self._sessions.pop(key, None)
            return None
        seen = replace(session, seen_s=now)
        if key in self._sessions:  # it may have ended while we asked
            self._sessions[key] = seen
        return seen

    def end(self, token: str) -> None:
        self._sessions.pop(hash_token(token), None)

    @property
    def waiting(self) -> bool:
        """Whether anybody may still come in or go on."""
        now = self.clock.monotonic()
        return any(link.ends_s >= now for link in self._links.values()) or any(
            now - session.seen_s <= self.idle_s() for session in self._sessions.values()
        )


def hash_token(token: str) -> str:
    """Return what a token is known by: it cannot be found from it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _put(kept: dict[str, _T], token: str, value: _T) -> None:
    own = [key for key, each in kept.items() if each.visitor.user == value.visitor.user]
    for key in own[: max(0, len(own) - _MOST + 1)]:
        del kept[key]
    kept[hash_token(token)] = value


_NAME: Final = "page.sock"
_LINE: Final = b"link\n"
_LIMIT_S: Final = 10.0


class Control:
    """Answers each connection with a link."""

    def __init__(self, folder: Path, make_link: Callable[[], Awaitable[str]]) -> None:
        self._folder = folder
        self._make_link = make_link
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to answer; where no socket can be made, ``mneme page`` is told so by nobody answering."""
        (self._folder / _NAME).unlink(missing_ok=True)
        try:
            with _shorten(self._folder) as path:
                self._server = await asyncio.start_unix_server(self._answer, path)
            (self._folder / _NAME).chmod(0o600)
        except OSError as error:
            structlog.get_logger().warning("page control not started", reason=error.strerror)

    async def close(self) -> None:
        """Stop answering; no file leads to a link any more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            (self._folder / _NAME).unlink(missing_ok=True)
        await asyncio.to_thread(delete_redirects, self._folder)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_LIMIT_S):
                if await reader.readline() == _LINE:
                    writer.write(f"{await self._make_link()}\n".encode())
                    await writer.drain()
        except (MnemeError, OSError, TimeoutError) as error:
            structlog.get_logger().warning("page link not given", cause=type(error).__name__)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def ask_for_link(folder: Path) -> str | None:
    """Return a link from the Mneme that uses a folder, ``None`` if nobody answers there."""
    try:
        async with asyncio.timeout(_LIMIT_S):
            with _shorten(folder) as path:
                reader, writer = await asyncio.open_unix_connection(path)
            try:
                writer.write(_LINE)
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
    return line.decode("ascii", errors="replace").strip() or None


@contextmanager
def _shorten(folder: Path) -> Iterator[str]:
    """Yield a short path to the socket: the system takes no more than some hundred bytes, and folders lie deep."""
    with tempfile.TemporaryDirectory(prefix="mneme-") as short:
        link = os.path.join(short, "s")  # noqa: PTH118 - a socket's path is text
        os.symlink(folder.absolute(), link)  # noqa: PTH211 - as above
        yield os.path.join(link, _NAME)  # noqa: PTH118 - as above


_FOLDER: Final = "page-link"
_PAGE: Final = (
    '<!doctype html><meta charset="utf-8"><title>Mneme</title>'
    '<meta http-equiv="refresh" content="0;url={link}"><p><a href="{link}">Mneme</a></p>\n'
)


def write_redirect(state: Path, link: str) -> Path:
    """Write the file for a link below the state folder and return where it is.  Blocks; raises ``OSError``."""
    (state / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    file = _find_file(state, link.rpartition("/")[2])
    file.touch(mode=0o600)
    file.write_text(_PAGE.format(link=escape(link)), encoding="utf-8")
    return file


def delete_redirect(state: Path, token: str) -> None:
    """Delete the file of the link that ends in a token, if there is one."""
    _find_file(state, token).unlink(missing_ok=True)


def delete_redirects(state: Path) -> None:
    """Delete the files of all links."""
    shutil.rmtree(state / _FOLDER, ignore_errors=True)


def _find_file(state: Path, token: str) -> Path:
    return (state / _FOLDER / hash_token(token)).with_suffix(".html")
