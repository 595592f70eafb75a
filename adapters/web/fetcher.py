"""Fetches a page, step by step, with the guard before each step.

A name is looked up once, all that it leads to is checked, and the connection goes to one of just these addresses: a
name that leads elsewhere a moment later ("rebinding") is never asked again.  Redirections are followed by hand, each
like an address of its own.  Nothing of ours goes along: no cookies, no credentials, no proxy of the environment.

Whoever can make an assistant fetch an address can make it knock at the doors behind its router (server-side request
forgery).  Browsers and C libraries read addresses generously: ``http://2130706433/``, ``http://0x7f.1/`` and
``http://[::ffff:7f00:1]/`` are all this machine.  So a host is first brought to the one form that it means, and then
what it leads to is looked at, not how it is spelled.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import httpx
import idna
import structlog

from bot.errors import PageRefused
from bot.ports.document_reading import FetchedPage

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
        address = parse_address(url)
        if address.host not in self._limits().private:
            self._guard.check_name(address)
        return address.url

    async def fetch(self, url: str, into: Path) -> FetchedPage:
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


Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS: Final = frozenset({80, 443, 8080, 8443})
"""Where pages are served; other ports are other services, which misread a request at best."""
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_LONGEST: Final = 2048
_UNWANTED: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\\u2028\u2029\ud800-\udfff]")
_BYTES, _BYTE = 4, 256
_NUMBER: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_PRIVATE_NAMES: Final = (
    *(".localhost", ".local", ".internal", ".intranet", ".lan", ".home", ".corp", ".private", ".home.arpa"),
    *(".localdomain", ".onion", ".test", ".invalid", ".example", ".alt"),
)
"""Ends of names that no public server has (RFC 6761, 6762, 7686, 8375, 9476, and what routers hand out)."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An address that was understood.  ``host`` is an ASCII name or the plain form of an IP address.

    ``literal`` is the IP address where the host is one.
    """

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""
    literal: Address | None = None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host
        port = "" if _DEFAULT_PORTS[self.scheme] == self.port else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.target}"


def parse_address(url: str) -> WebAddress:
    """Return what an address means.

    Raises :class:`~bot.errors.PageRefused`: ``malformed``, ``scheme``, ``credentials``.  The text of the error does not
    repeat the address, which may hold a token.
    """
    if len(url) > _LONGEST or _UNWANTED.search(url):
        raise PageRefused("the address is too long, or holds characters that addresses do not have", why="malformed")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise PageRefused("this is no address of a page", why="malformed") from error
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS:
        raise PageRefused("only addresses with http:// and https:// are fetched", why="scheme")
    if "@" in parts.netloc:
        raise PageRefused("an address with a name or password in it is not fetched", why="credentials")
    host, literal = _read_host(parts.netloc)
    if port == 0:
        raise PageRefused("there is no port 0", why="malformed")
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return WebAddress(scheme, host, port or _DEFAULT_PORTS[scheme], target, literal)


def _read_host(netloc: str) -> tuple[str, Address | None]:
    """Return the host in its plain form, and the IP address that it is."""
    if netloc.startswith("["):
        inner, closed, _ = netloc[1:].partition("]")
        try:
            literal = IPv6Address(inner)
        except ValueError as error:
            raise PageRefused("this is no address of a page", why="malformed") from error
        if not closed or literal.scope_id:
            raise PageRefused("an address of one network interface is not fetched", why="malformed")
        return str(literal), literal
    name = netloc.rpartition(":")[0] if ":" in netloc else netloc
    host = _to_ascii(name)
    last = host.rpartition(".")[2]
    if _NUMBER.fullmatch(last):
        number = _read_ipv4(host)
        return str(number), number
    return host, None


def _to_ascii(name: str) -> str:
    """Return a name as it is looked up: small letters, punycode, without the dot of the root."""
    if name.isascii():
        host = name.lower().removesuffix(".")
        if not re.fullmatch(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,126}", host):
            raise PageRefused("this is no name of a server", why="malformed")
        return host
    try:
        return _to_ascii(idna.encode(name, uts46=True).decode("ascii"))
    except (idna.IDNAError, UnicodeError) as error:
        raise PageRefused("this is no name of a server", why="malformed") from error


def _read_ipv4(host: str) -> IPv4Address:
    """Return what a host that ends in a number means: one to four parts, decimal, octal or hexadecimal (inet_aton)."""
    *leading, last = (_read_number(part) for part in host.split("."))
    fits = len(leading) < _BYTES and all(0 <= number < _BYTE for number in leading)
    if not fits or not 0 <= last < _BYTE ** (_BYTES - len(leading)):
        raise PageRefused("this is no address of a page", why="malformed")
    return IPv4Address(last + sum(number << (8 * (3 - place)) for place, number in enumerate(leading)))


def _read_number(part: str) -> int:
    """Return the number that a part of an IPv4 address is, -1 if it is none."""
    if not _NUMBER.fullmatch(part):
        return -1
    base = 16 if part[:2] in {"0x", "0X"} else 8 if len(part) > 1 and part.startswith("0") else 10
    try:
        return int(part.removeprefix("0x").removeprefix("0X") or "0", base)
    except ValueError:
        return -1


_GLOBAL_UNICAST: Final = ip_network("2000::/3")
_NAT64: Final = ip_network("64:ff9b::/96")
_NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT
            "192.0.0.0/24",
            "192.88.99.0/24",  # relays of 6to4
            "198.18.0.0/15",
            "240.0.0.0/4",
            "2001::/23",  # Teredo, benchmarking, ORCHID
            "2001:db8::/32",
            "2002::/16",  # 6to4: any IPv4 address behind it
            "3fff::/20",
        ),
    )
)
"""From IANA's registries of special addresses, beside what :mod:`ipaddress` knows."""


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public internet.

    Addresses that carry an IPv4 address are not, but for NAT64's, which IPv6-only networks need: what it carries
    counts.
    """
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _GLOBAL_UNICAST or address.scope_id:
            return False
    special = address.is_private or address.is_multicast or address.is_reserved or not address.is_global
    return not special and not any(address in network for network in _NOT_PUBLIC if network.version == address.version)


@dataclass(frozen=True, slots=True)
class AddressGuard:
    """Decides what may be connected to.

    ``networks`` are admitted beside the public internet and ``ports`` are all that are: the defaults are what runs.
    """

    networks: tuple[Network, ...] = ()
    ports: frozenset[int] = PORTS

    def check_name(self, address: WebAddress) -> None:
        """Raise :class:`~bot.errors.PageRefused` for a port or name that no public page has."""
        if address.port not in self.ports:
            raise PageRefused(f"port {address.port} is not one of web pages", why="port")
        if address.literal is None and f".{address.host}".endswith(_PRIVATE_NAMES):
            raise PageRefused("addresses of private networks are not fetched", why="private")

    def check_addresses(self, found: Iterable[str]) -> tuple[Address, ...]:
        """Return what a name led to, IPv4 first; raises :class:`~bot.errors.PageRefused` if any of it is not public."""
        addresses = tuple(ip_address(each) for each in dict.fromkeys(found))
        for address in addresses:
            admitted = any(address in network for network in self.networks if network.version == address.version)
            if not (admitted or is_public(address)):
                raise PageRefused("addresses of private networks are not fetched", why="private")
        return tuple(sorted(addresses, key=lambda address: address.version))
