"""HTTP to a LightRAG server, and the documents it has: one deadline, one kind of error, safe to cancel.

httpx's own time-outs are per read: a server that drips a byte a second never meets them.  Here the whole call runs
under :func:`asyncio.timeout` and the body is counted while it comes in.

httpcore 1.0 can lose a connection whose request is cancelled between connecting and sending: it stays in the pool as
neither idle nor usable, and after as many of those as the pool is large every request waits for ever (measured: 16 of
16 after 200 cancellations).  Deadlines are cancellations, so a pool that has seen one is retired: it takes no new
request and is closed with its last one.

Names: two bots give the same tag to the same person, and every terminal is ``cu1``; so whatever a server keeps by name
carries the installation's own name as well: the workspace where the server keeps workspaces apart, the document where
it has one workspace for all.

Records: a document's id is the md5 of its name, so the client knows it beforehand.  There is no route that shows one
record; its state is read from the track of its own POST, from the 409 that a second POST of the same name gets, or from
the listing (sorted by id, so that a record is found among N by log2(N/200) requests).
"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import md5
from typing import Final

import httpx
import orjson

from bot.errors import MemoryUnavailable, StorageUnavailable
from bot.memory.document import Source, parse_source
from bot.memory.scope import Installation, Scope
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

    ``workspace`` names a scope's workspace for the request's header.  ``heard`` is told which incarnation of it has
    answered, where the server says so.
    """

    def __init__(
        self,
        base_url: Callable[[], str],
        api_key: Callable[[], str],
        *,
        workspace: Callable[[Scope], str],
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

    @property
    def has_address(self) -> bool:
        return bool(self._base_url())

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
        if scope is not None:
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


_MARKED: Final = re.compile(r"(?P<installation>[a-z][a-z0-9]{15})_(?P<source>(?:conv|doc)_.+)")
_NOBODY: Final = "-"
"""No scope's tag."""


@dataclass(frozen=True, slots=True)
class ServerNames:
    """Names for the server in force; ``shared`` says whether it keeps (or may keep) everything in one workspace."""

    installation: Installation
    shared: Callable[[], bool] = lambda: False

    def workspace(self, scope: Scope) -> str:
        return self.installation.workspace(scope)

    def document(self, source: str) -> str:
        """Return the name that a document has on the server."""
        return f"{self.installation.name}_{source}" if self.shared() else source

    def source(self, document: str) -> Source | None:
        """Return what a document's name on the server says, ``None`` for one that no Mneme gives.

        A document of another installation belongs to a tag that no scope has.
        """
        marked = _MARKED.fullmatch(document)
        said = parse_source(marked["source"] if marked else document)
        if said is None:
            return None
        foreign = marked["installation"] != self.installation.name if marked else self.shared()
        return Source(said.said_at, _NOBODY, said.uid) if foreign else said


_STATUS: Final = re.compile(r"\(Status: (?:DocStatus\.)?([A-Za-z]+)\)")
_PAGE: Final = 200
NO_SUCH_ROUTE: Final = frozenset({404, 405, 501})


class DocumentState(Enum):
    """Where a document stands."""

    PROCESSED = auto()
    UNDERWAY = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """One document: ``original`` names the document that this one is a mere duplicate of, "" otherwise."""

    id: str
    source: str
    state: DocumentState
    updated_at: str = ""
    original: str = ""


def document_id(source: str) -> str:
    """Return the id LightRAG gives to a document of this (flat) name."""
    return "doc-" + md5(source.encode(), usedforsecurity=False).hexdigest()


def read_conflict(reply: ServerReply) -> DocumentState | None:
    """Return the state that the 409 of a second POST tells; ``None`` if it is about something else (deleting)."""
    match = _STATUS.search(reply.detail)
    return parse_state(match[1]) if match else None


def parse_state(status: str) -> DocumentState:
    """Map LightRAG's status words; an unknown one means that work goes on."""
    match status.lower():
        case "processed":
            return DocumentState.PROCESSED
        case "failed":
            return DocumentState.FAILED
        case _:
            return DocumentState.UNDERWAY


class DocumentRecords:
    """Asks about the documents of the server, each time within ``deadline_s`` seconds; ``names`` are what they bear."""

    def __init__(self, transport: Transport, names: ServerNames, deadline_s: Callable[[], float]) -> None:
        self._transport, self.names, self._deadline_s = transport, names, deadline_s

    async def call(self, method: str, path: str, scope: Scope, json: object = None) -> ServerReply:
        return await self._transport.call(method, path, scope, deadline_s=self._deadline_s(), json=json)

    async def delete(self, scope: Scope, *ids: str) -> bool:
        """Ask for the removal of documents; ``False`` when the server is busy and did not take the order.

        ``True`` says nothing about the end of it, not even that the documents exist.
        """
        asked = {"doc_ids": list(ids), "delete_file": False, "delete_llm_cache": True}
        reply = await self.call("DELETE", "/documents/delete_document", scope, asked)
        return object_in(reply).get("status") == "deletion_started"

    async def list_tracked(self, scope: Scope, track: str) -> tuple[DocumentRecord, ...]:
        """Return what a POST has become; empty for a moment after it, after a crash and for a wrong track id."""
        reply = await self.call("GET", f"/documents/track_status/{track}", scope)
        if reply.status == 404:  # noqa: PLR2004 - HTTP's "not found"
            return ()
        return tuple(_records(object_in(reply)))

    async def find(self, scope: Scope, wanted: str) -> DocumentRecord | None:
        """Return the record of id ``wanted`` from the listing, ``None`` if it is not there or cannot be listed."""
        first, last = 1, 1
        while first <= last:
            page = (first + last) // 2
            records, pages = await self._page(scope, page)
            last = pages if last == 1 else min(last, pages)
            ids = [record.id for record in records]
            if wanted in ids:
                return records[ids.index(wanted)]
            if ids and wanted > ids[-1]:
                first = page + 1
            else:
                last = page - 1
        return None

    async def all(self, scope: Scope) -> tuple[DocumentRecord, ...]:
        found: list[DocumentRecord] = []
        page = pages = 1
        while page <= pages:
            records, pages = await self._page(scope, page)
            found += records
            page += 1
        return tuple(found)

    async def _page(self, scope: Scope, page: int) -> tuple[list[DocumentRecord], int]:
        asked = {"page": page, "page_size": _PAGE, "sort_field": "id", "sort_direction": "asc"}
        reply = await self.call("POST", "/documents/paginated", scope, asked)
        if reply.status in NO_SUCH_ROUTE:
            return [], 0
        body = object_in(reply)
        pagination = body.get("pagination")
        pages = pagination.get("total_pages") if isinstance(pagination, dict) else None
        if not isinstance(pages, int):
            raise MemoryUnavailable("long-term memory unavailable: a listing without page numbers")
        return list(_records(body)), pages


def object_in(reply: ServerReply) -> dict[str, object]:
    """Return the JSON object of a success; raises :class:`~bot.errors.MemoryUnavailable` for all else."""
    if reply.status != 200 or not isinstance(reply.body, dict):  # noqa: PLR2004 - HTTP's "OK"
        raise refuse_status(reply)
    return reply.body


def _records(body: dict[str, object]) -> Iterator[DocumentRecord]:
    documents = body.get("documents")
    for document in documents if isinstance(documents, list) else ():
        if not isinstance(document, dict):
            continue
        identity, source, status = (document.get(key) for key in ("id", "file_path", "status"))
        if not (isinstance(identity, str) and isinstance(source, str) and isinstance(status, str)):
            continue
        metadata = document.get("metadata")
        duplicate = isinstance(metadata, dict) and metadata.get("is_duplicate") is True
        original = str(metadata.get("original_doc_id", "")) if duplicate and isinstance(metadata, dict) else ""
        yield DocumentRecord(
            identity, source, parse_state(status), str(document.get("updated_at", "")), original or "?" * duplicate
        )
