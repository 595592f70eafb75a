"""HTTP to a LightRAG server: one deadline, one size limit, one kind of error.

httpx's own time-outs are per read: a server that drips a byte a second never meets them.  Here the whole call runs
under :func:`asyncio.timeout` and the body is counted while it comes in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import httpx
import orjson

from adapters.rag.pool import Pool
from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.memory.scope import Scope
from bot.retry import read_retry_after

_CHUNK: Final = 65_536
_LONGEST_PAUSE_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: ``body`` is the parsed JSON, ``None`` if it was none; ``retry_after_s`` the pause it asks for."""

    status: int
    body: object
    retry_after_s: float | None = None

    @property
    def detail(self) -> str:
        """FastAPI's ``detail`` text of an error, "" if there is none."""
        detail = self.body.get("detail") if isinstance(self.body, dict) else None
        return detail if isinstance(detail, str) else ""


class Wire:
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
        self._pool = Pool(connections, transport)
        self._base_url = base_url
        self._api_key = api_key
        self._workspace = workspace
        self._heard = heard
        self._largest = largest

    async def call(
        self, method: str, path: str, scope: Scope | None, *, deadline_s: float, json: object = None
    ) -> Reply:
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
        announced = response.headers.get("Content-Length", "0")
        body = bytearray()
        if not announced.isdecimal() or int(announced) <= self._largest:
            async for chunk in response.aiter_bytes(_CHUNK):
                body += chunk
                if len(body) > self._largest:
                    break
            else:
                return bytes(body)
        raise _unavailable(f"an answer of more than {self._largest} bytes")


def _reply(response: httpx.Response, body: bytes) -> Reply:
    try:
        parsed = orjson.loads(body) if body else None
    except orjson.JSONDecodeError as error:
        if response.is_success:
            raise _unavailable("an answer that is not JSON") from error
        parsed = None
    asked_s = read_retry_after(response.headers.get("Retry-After", ""), longest_s=_LONGEST_PAUSE_S)
    return Reply(response.status_code, parsed, asked_s)


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


def refused(reply: Reply) -> MemoryUnavailable:
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
