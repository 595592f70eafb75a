"""Fetches a page, step by step, with the guard before each step.

A name is looked up once, all that it leads to is checked, and the connection goes to one of just these addresses: a
name that leads elsewhere a moment later ("rebinding") is never asked again.  Redirections are followed by hand, each
like an address of its own.  Nothing of ours goes along: no cookies, no credentials, no proxy of the environment.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import quote, urljoin

import httpx
import structlog

from adapters.web.addresses import Address, AddressGuard, WebAddress, parse_address
from bot.errors import PageRefused
from bot.ports.documents import FetchedPage

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Looks a name up: the IP addresses it leads to; raises ``OSError`` when there are none."""

_REDIRECTIONS: Final = 5
_TRIED: Final = 3
"""Addresses of one name."""
_CONNECT_S: Final = 5.0
_RESERVED: Final = "%:/?#[]@!$&'()*+,;=~"
_CHUNK: Final = 64 * 1024
_HEADERS: Final = {
    "User-Agent": "Mneme/0.1 (personal assistant; fetches what its user asks for)",
    "Accept": "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip",
}
_KINDS: Final = (
    "text/",
    "application/pdf",
    "application/xhtml",
    "application/xml",
    "application/json",
    "application/ld+json",
    "application/jsonl",
    "application/x-ndjson",
    "application/rss",
    "application/atom",
    "application/epub",
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.text",
    "application/octet-stream",
    "binary/octet-stream",
)
"""Media types that may be documents, by their beginning; what has none is looked at."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bytes of one page, unpacked, and seconds for all of it; ``private`` are hosts whose address is not checked."""

    size: int = 10 * 1024 * 1024
    seconds: float = 20.0
    private: frozenset[str] = frozenset()


_EVERYWHERE: Final = (ip_network("0.0.0.0/0"), ip_network("::/0"))


async def resolve(host: str, port: int) -> Sequence[str]:
    """Look a name up as the system does."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class GuardedFetcher:
    """Fetches pages; ``limits`` is asked anew for each.

    ``tls`` is what servers have to prove their names by: certifi's list, unless it is given.
    """

    def __init__(
        self,
        limits: Callable[[], FetchLimits],
        *,
        guard: AddressGuard | None = None,
        resolve: Resolve = resolve,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._limits = limits
        self._guard = guard or AddressGuard()
        self._resolve = resolve
        self._tls = tls

    def normalise(self, url: str) -> str:
        """Return the plain form of an address; see :class:`~bot.ports.documents.PageFetcher`."""
        address = parse_address(url)
        if address.host not in self._limits().private:
            self._guard.check_name(address)
        return address.url

    async def fetch(self, url: str, into: Path) -> FetchedPage:
        """Write what lies at ``url`` to ``into``; see :class:`~bot.ports.documents.PageFetcher`."""
        limits = self._limits()
        try:
            async with asyncio.timeout(limits.seconds):
                page = await self._follow(parse_address(url), into, limits)
        except TimeoutError as error:
            raise PageRefused(f"the page did not come within {limits.seconds:g} s", why="timed_out") from error
        structlog.get_logger().info("page fetched", host=parse_address(page.url).host, size=page.size)
        return page

    async def _follow(self, address: WebAddress, into: Path, limits: FetchLimits) -> FetchedPage:
        """Fetch an address and what it redirects to; only the first host may be one of the private ones."""
        allowed = limits.private & {address.host}
        for _ in range(_REDIRECTIONS + 1):
            found = await self._find(address, allowed)
            outcome = await self._get(address, found, into, limits.size)
            if isinstance(outcome, FetchedPage):
                return outcome
            address = parse_address(outcome)
        raise PageRefused(f"the address redirects more than {_REDIRECTIONS} times", why="redirects")

    async def _find(self, address: WebAddress, allowed: frozenset[str]) -> tuple[Address, ...]:
        """Return the checked addresses of a host."""
        private = address.host in allowed
        if not private:
            self._guard.check_name(address)
        if address.literal is not None:
            found: Sequence[str] = (str(address.literal),)
        else:
            try:
                found = await self._resolve(address.host, address.port)
            except (OSError, UnicodeError) as error:
                raise PageRefused(f"there is no server named {address.host}", why="unresolved") from error
        if not found:
            raise PageRefused(f"there is no server named {address.host}", why="unresolved")
        guard = AddressGuard(_EVERYWHERE) if private else self._guard
        return guard.check_addresses(found)

    async def _get(self, address: WebAddress, found: tuple[Address, ...], into: Path, most: int) -> FetchedPage | str:
        """Return the page, or where it redirects to."""
        if self._tls is None:
            self._tls = await asyncio.to_thread(httpx.create_ssl_context)
        timeout = httpx.Timeout(None, connect=_CONNECT_S)
        async with httpx.AsyncClient(verify=self._tls, trust_env=False, timeout=timeout) as client:
            for place, each in enumerate(found[:_TRIED], 1):
                try:
                    return await self._ask(client, address, each, into, most)
                except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                    if place == len(found[:_TRIED]):
                        raise PageRefused(f"{address.host} cannot be reached", why="unreachable") from error
                except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError) as error:
                    raise PageRefused(
                        f"{address.host} broke off ({type(error).__name__})", why="unreachable"
                    ) from error
        raise PageRefused(f"{address.host} cannot be reached", why="unreachable")

    async def _ask(
        self, client: httpx.AsyncClient, address: WebAddress, pinned: Address, into: Path, most: int
    ) -> FetchedPage | str:
        host = f"[{pinned}]" if isinstance(pinned, IPv6Address) else str(pinned)
        request = client.build_request(
            "GET",
            f"{address.scheme}://{host}:{address.port}{address.target}",
            headers={**_HEADERS, "Host": httpx.URL(address.url).netloc.decode("ascii")},
            extensions={"sni_hostname": address.host},
        )
        response = await client.send(request, stream=True)
        async with aclosing(response):
            if response.is_redirect or (response.has_redirect_location and response.status_code < 400):  # noqa: PLR2004 - HTTP
                return urljoin(address.url, quote(response.headers["Location"], safe=_RESERVED))
            if not response.is_success:
                raise PageRefused(f"{address.host} answered HTTP {response.status_code}", why="status")
            media_type = response.headers.get("Content-Type", "").strip().lower()
            if media_type and not media_type.startswith(_KINDS):
                raise PageRefused("what lies there is no page or document", why="kind")
            size = 0
            with into.open("wb") as file:
                async for chunk in _unpack(response):
                    size += len(chunk)
                    if size > most:
                        raise PageRefused(f"the page is larger than {most // 1024**2} MB", why="too_large")
                    file.write(chunk)
        return FetchedPage(address.url, media_type.partition(";")[0].strip(), size)


async def _unpack(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the content in small pieces, however tightly it was packed."""
    coding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if coding in {"", "identity"}:
        async for chunk in response.aiter_raw(_CHUNK):
            yield chunk
        return
    if coding not in {"gzip", "x-gzip", "deflate"}:
        raise PageRefused("the page is packed in a way that is not read", why="kind")
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        async for chunk in response.aiter_raw(_CHUNK):
            rest = chunk
            while rest:
                yield unpacking.decompress(rest, _CHUNK)
                rest = unpacking.unconsumed_tail
        yield unpacking.flush()
    except zlib.error as error:
        raise PageRefused("the page is packed wrongly", why="unreachable") from error
