"""HTTP to a LightRAG server: one deadline, one size limit, one kind of error, and connections that survive cancelling.

httpx's own time-outs are per read: a server that drips a byte a second never meets them.  Here the whole call runs
under :func:`asyncio.timeout` and the body is counted while it comes in.

httpcore 1.0 can lose a connection whose request is cancelled between connecting and sending: it stays in the pool as
neither idle nor usable, and after as many of those as the pool is large every request waits for ever (measured: 16 of
16 after 200 cancellations).  Deadlines are cancellations, so a pool that has seen one is retired: it takes no new
request and is closed with its last one.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx
import orjson

from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.memory.scope import Scope
from bot.retry import read_retry_after

_IDLE_CONNECTION_S: Final = 2.0
"""Shorter than uvicorn's keep-alive of 5 s: a connection that the server is just closing is never used again."""


@dataclass(slots=True, eq=False)
class _Generation:
    """One httpx client and how many requests it is carrying; ``secure`` if it can verify certificates."""

    http: httpx.AsyncClient
    secure: bool
    users: int = 0
    retired: bool = False


class ConnectionPool:
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


_CHUNK: Final = 65_536
_LONGEST_PAUSE_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class ServerReply:
    """An answer: ``body`` is the parsed JSON, ``None`` if it was none; ``retry_after_s`` the pause it asks for."""

    status: int
    body: object
    retry_after_s: float | None = None

    @property
    def detail(self) -> str:
        """FastAPI's ``detail`` text of an error, "" if there is none."""
        detail = self.body.get("detail") if isinstance(self.body, dict) else None
        return detail if isinstance(detail, str) else ""


class Transport:
    """One connection pool to the server.  ``base_url`` and ``api_key`` are asked at every call: both may change.

    ``workspace`` names a scope's workspace for the request's header; ``None`` sends no such header.  ``heard`` is told
    which incarnation of a scope's workspace has answered, where the server says so.
    """

    def __init__(
        self,
        base_url: Callable[[], str],
        api_key: Callable[[], str],
        *,
        workspace: Callable[[Scope], str] | None,
        heard: Callable[[Scope, str], None] = lambda _scope, _incarnation: None,
        largest: int,
        connections: int,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._pool = ConnectionPool(connections, transport)
        self._base_url = base_url
        self._api_key = api_key
        self._workspace = workspace
        self._heard = heard
        self._largest = largest

    async def call(
        self, method: str, path: str, scope: Scope | None, *, deadline_s: float, json: object = None
    ) -> ServerReply:
        """Return the server's answer, whatever its status; all of it within ``deadline_s`` seconds.

        Raises :class:`~bot.errors.MemoryUnavailable` when there is none, when it is larger than the limit and when a
        success is not JSON.  Cancellation closes the connection.
        """
        base = self._base_url()
        if not base:
            raise MemoryUnavailable("long-term memory is starting")
        headers = self._headers(scope)
        try:
            async with (
                self._pool.client(secure=base.lower().startswith("https:")) as http,
                asyncio.timeout(deadline_s),
                http.stream(
                    method,
                    base.rstrip("/") + path,
                    content=None if json is None else orjson.dumps(json),
                    headers=headers,
                ) as response,
            ):
                reply = _reply(response, await self._read(response))
                if scope is not None and (incarnation := response.headers.get("Mneme-Incarnation", "")):
                    self._heard(scope, incarnation)
                return reply
        except TimeoutError as error:
            raise _unavailable(f"no answer within {deadline_s:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise _unavailable(_cause(error)) from error

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()

    def _headers(self, scope: Scope | None) -> dict[bytes, bytes]:
        headers = {
            b"Accept": b"application/json",
            b"Accept-Encoding": b"identity",
            b"Content-Type": b"application/json",
        }
        try:
            key = self._api_key()
        except StorageUnavailable as error:
            raise _unavailable("its key cannot be read") from error
        if key:
            headers[b"X-API-Key"] = key.encode()
        if scope is not None and self._workspace is not None:
            headers[b"LIGHTRAG-WORKSPACE"] = self._workspace(scope).encode()
        return headers

    async def _read(self, response: httpx.Response) -> bytes:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise _unavailable("a compressed answer that was not asked for")
        wait_for_port = response.headers.get("Content-Length", "0")
        body = bytearray()
        if not wait_for_port.isdecimal() or int(wait_for_port) <= self._largest:
            async for chunk in response.aiter_bytes(_CHUNK):
                body += chunk
                if len(body) > self._largest:
                    break
            else:
                return bytes(body)
        raise _unavailable(f"an answer of more than {self._largest} bytes")


def _reply(response: httpx.Response, body: bytes) -> ServerReply:
    try:
        parsed = orjson.loads(body) if body else None
    except orjson.JSONDecodeError as error:
        if response.is_success:
            raise _unavailable("an answer that is not JSON") from error
        parsed = None
    asked_s = read_retry_after(response.headers.get("Retry-After", ""), longest_s=_LONGEST_PAUSE_S)
    return ServerReply(response.status_code, parsed, asked_s)


def _cause(error: Exception) -> str:
    match error:
        case httpx.ConnectError() | httpx.ConnectTimeout():
            return "no connection (is it running, is rag.url right?)"
        case httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return "rag.url is not an http address"
        case httpx.RemoteProtocolError() | httpx.ReadError() | httpx.WriteError():
            return "the connection broke"
        case _:
            return f"{type(error).__name__}"


def _unavailable(cause: str) -> MemoryUnavailable:
    return MemoryUnavailable(f"long-term memory unavailable: {cause}")


def refuse_status(reply: ServerReply) -> MemoryUnavailable:
    """Return the error for a status that is not what we asked for; the text names the setting that may be wrong."""
    match reply.status:
        case 401 | 403:
            cause = f"it refuses the API key, HTTP {reply.status} (rag.apiKey)"
        case 404 | 405:
            cause = f"HTTP {reply.status}, this is no LightRAG server (rag.url)"
        case status if status < 300:  # noqa: PLR2004 - the border of HTTP's success codes
            cause = "an answer that makes no sense"
        case status:
            cause = f"HTTP {status}"
    return MemoryUnavailable(f"long-term memory unavailable: {cause}", retry_after_s=reply.retry_after_s)
