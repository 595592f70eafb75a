"""Fetching pages from a real server on loopback: what is asked for, what is refused, what goes along."""

from __future__ import annotations

import gzip
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from adapters.web.fetcher import AddressGuard, FetchLimits, GuardedFetcher
from bot.errors import PageRefused
from harness.fakes.faulty_http import FakeSite, answer_with, redirect, serving

HERE = ip_network("127.0.0.1/32")


class Names:
    """Looks names up in a list; each look-up takes the next answer for a name, and the last one for ever."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): given for name, given in answers.items()}
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        given = self.answers.get(host)
        if given is None:
            raise OSError("no such name")
        return given.pop(0) if len(given) > 1 else given[0]


def fetcher(server: FakeSite, names: Names, **limits: object) -> GuardedFetcher:
    """Return a fetcher that is admitted to 127.0.0.1, and to no other address of this machine."""
    guard = AddressGuard((HERE,), frozenset({server.port}))
    made = FetchLimits(**limits)  # type: ignore[arg-type]  # each has its type
    return GuardedFetcher(lambda: made, guard=guard, resolve=names.resolve)


async def why(fetching: GuardedFetcher, url: str, into: Path) -> str:
    """Return why a fetch is refused."""
    with pytest.raises(PageRefused) as refused:
        await fetching.fetch(url, into)
    return refused.value.why


async def test_a_page_is_fetched_with_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name goes along as the host; no cookie, no credentials, no proxy of the environment."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    cookie = "Set-Cookie: id=1"
    async with serving({"/a?q=1": redirect("/b"), "/b": answer_with(b"<p>hi</p>", cookie)}) as server:
        fetching = fetcher(server, Names(pages_org=[["127.0.0.1"]]))
        url = f"http://pages.org:{server.port}/a?q=1#part"

        first = await fetching.fetch(url, tmp_path / "page")
        await fetching.fetch(url, tmp_path / "page")

    assert (first.url, first.media_type, first.size) == (f"http://pages.org:{server.port}/b", "text/html", 9)
    assert (tmp_path / "page").read_bytes() == b"<p>hi</p>"
    assert all(f"Host: pages.org:{server.port}\r\n" in request for request in server.requests)
    sent = "".join(server.requests).lower()
    assert not any(name in sent for name in ("cookie:", "authorization:", "referer:", "python-httpx"))


async def test_a_name_is_looked_up_once(tmp_path: Path) -> None:
    """A name that leads to this machine at the second look ("rebinding") is not looked at twice for one request.

    Mutation check: with the name in place of the checked address in the request, httpx looks it up by itself.
    """
    async with serving({"/": answer_with(), "/again": redirect("/")}) as server:
        names = Names(rebind_org=[["127.0.0.1"], ["127.0.0.2"]])
        fetching = fetcher(server, names)

        await fetching.fetch(f"http://rebind.org:{server.port}/", tmp_path / "page")
        asked = list(names.asked)
        later = await why(fetching, f"http://rebind.org:{server.port}/again", tmp_path / "page")

    assert asked == ["rebind.org"]
    assert later == "private"


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.2:{port}/secret",
        "http://2130706434:{port}/secret",
        "//127.0.0.2:{port}/secret",
        "http://[::1]:{port}/secret",
        "http://inner.org:{port}/secret",
        "http://mixed.org:{port}/secret",
        "http://127.0.0.1:22/",
        "http://user:pass@127.0.0.1:{port}/secret",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
        "/loop",
    ],
)
async def test_a_redirection_is_checked_like_an_address(tmp_path: Path, place: str) -> None:
    """Wherever a public page sends us, the rules are the same, and the end of a loop comes soon.

    Mutation check: with redirections followed by the client, what lies at /secret is fetched.
    """
    answers = {"/secret": answer_with(b"secret"), "/loop": redirect("/loop")}
    async with serving(answers) as server:
        server.answers["/"] = redirect(place.format(port=server.port))
        names = Names(pages_org=[["127.0.0.1"]], inner_org=[["127.0.0.2"]], mixed_org=[["127.0.0.1", "10.0.0.1"]])
        reason = await why(fetcher(server, names), f"http://pages.org:{server.port}/", tmp_path / "page")

    assert reason in {"private", "port", "credentials", "scheme", "redirects"}
    assert not any("/secret" in request for request in server.requests)
    assert len(server.requests) <= 6


async def test_an_allowed_host_is_reached_by_its_own_name_alone(tmp_path: Path) -> None:
    """A host of the list may be private; a page elsewhere that redirects to it leads nowhere."""
    async with serving({"/": answer_with(b"nas"), "/go": redirect("http://nas.lan:{port}/")}) as server:
        server.answers["/go"] = redirect(f"http://nas.lan:{server.port}/")
        names = Names(nas_lan=[["127.0.0.2"], ["127.0.0.1"]], pages_org=[["127.0.0.1"]])
        fetching = fetcher(server, names, private=frozenset({"nas.lan"}))
        names.answers["nas.lan"] = [["127.0.0.1"]]

        own = await fetching.fetch(f"http://nas.lan:{server.port}/", tmp_path / "page")
        led = await why(fetching, f"http://pages.org:{server.port}/go", tmp_path / "page")

    assert own.size == 3
    assert led == "private"


async def test_limits_hold(tmp_path: Path) -> None:
    """Of size, packed or not, of time, and of what it is; what is not there is said."""
    endless = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"x" * 1000
    bomb = gzip.compress(bytes(5_000_000))
    answers = {
        "/large": answer_with(b"x" * 200_000),
        "/bomb": answer_with(bomb, "Content-Encoding: gzip"),
        "/brotli": answer_with(b"x", "Content-Encoding: br"),
        "/broken": answer_with(b"no gzip", "Content-Encoding: gzip"),
        "/endless": endless,
        "/video": answer_with(b"x", kind="video/mp4"),
        "/zip": answer_with(b"x", kind="application/zip"),
        "/packed": answer_with(gzip.compress(b"<p>hi</p>"), "Content-Encoding: gzip"),
        "/odd": b"SMTP ready\r\nContent-Length: 1\r\n\r\n",
    }
    async with serving(answers) as server:
        fetching = fetcher(server, Names(pages_org=[["127.0.0.1"]]), size=100_000, seconds=3.0)
        at = f"http://pages.org:{server.port}"
        reasons = {path: await why(fetching, at + path, tmp_path / "page") for path in answers if path != "/packed"}
        unpacked = await fetching.fetch(f"{at}/packed", tmp_path / "page")
        gone = await why(fetching, f"{at}/nowhere", tmp_path / "page")
        nobody = await why(fetching, f"http://nobody.org:{server.port}/", tmp_path / "page")

    assert reasons == {
        "/large": "too_large",
        "/bomb": "too_large",
        "/brotli": "kind",
        "/broken": "unreachable",
        "/endless": "timed_out",
        "/video": "kind",
        "/zip": "kind",
        "/odd": "unreachable",
    }
    assert unpacked.size == 9
    assert (gone, nobody) == ("status", "unresolved")


async def test_another_address_of_a_name_is_tried(tmp_path: Path) -> None:
    """A name with an address that nothing answers at is fetched from the next."""
    async with serving({"/": answer_with()}) as server:
        names = Names(pages_org=[["127.0.0.3", "127.0.0.1"]])
        guard = AddressGuard((ip_network("127.0.0.0/8"),), frozenset({server.port}))
        fetching = GuardedFetcher(FetchLimits, guard=guard, resolve=names.resolve)

        fetched = await fetching.fetch(f"http://pages.org:{server.port}/", tmp_path / "page")

    assert fetched.size == 12


async def test_the_guard_that_runs_admits_nothing_of_this_machine(tmp_path: Path) -> None:
    """Without a list in a test's hand a name that leads to loopback is refused, and nobody is asked."""
    async with serving({"/": answer_with()}) as server:
        names = Names(pages_org=[["127.0.0.1"]])
        reason = await why(GuardedFetcher(FetchLimits, resolve=names.resolve), "http://pages.org/", tmp_path / "page")

    assert reason == "private"
    assert server.requests == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for pages.org alone, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "pages.org")])
    begun = datetime.now(UTC) - timedelta(days=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(begun)
        .not_valid_after(begun + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("pages.org")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "pages.pem"
    form = serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


async def test_a_server_has_to_prove_its_name(tmp_path: Path, certificate: Path) -> None:
    """The connection goes to an address, and the certificate is still held to the name that was asked for.

    Mutation check: without ``sni_hostname`` it is held to the address, and the first page is refused, too.
    """
    serving_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving_tls.load_cert_chain(certificate)
    async with serving({"/": answer_with()}, tls=serving_tls) as server:
        names = Names(pages_org=[["127.0.0.1"]], other_org=[["127.0.0.1"]])
        guard = AddressGuard((HERE,), frozenset({server.port}))
        trusting = ssl.create_default_context(cafile=str(certificate))
        fetching = GuardedFetcher(FetchLimits, guard=guard, resolve=names.resolve, tls=trusting)
        strict = GuardedFetcher(FetchLimits, guard=guard, resolve=names.resolve)

        page = await fetching.fetch(f"https://pages.org:{server.port}/", tmp_path / "page")
        other = await why(fetching, f"https://other.org:{server.port}/", tmp_path / "page")
        unknown = await why(strict, f"https://pages.org:{server.port}/", tmp_path / "page")

    assert page.size == 12
    assert (other, unknown) == ("unreachable", "unreachable")
