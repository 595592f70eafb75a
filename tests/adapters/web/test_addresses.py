"""What an address leads to is told from every way of writing it."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from adapters.web.fetcher import AddressGuard, is_public, parse_address
from bot.errors import PageRefused
from tests.cases import each_row


def verdict(url: str) -> str:
    """Return why an address is refused before anything is looked up, "" if it is not."""
    try:
        check(url)
    except PageRefused as refusal:
        return refusal.why
    return ""


def check(url: str) -> None:
    """Do what is done before a name is looked up."""
    address = parse_address(url)
    AddressGuard().check_name(address)
    if address.literal is not None:
        AddressGuard().check_addresses((str(address.literal),))


@each_row(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0177.1/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0X7F.1/",
        "http://0x7f.0x0.0x0.0x1/",
        "http://127.0.0.1./",
        "http://0/",
        "http://0.0.0.0/",
        "http://0x/",
        "http://１２７。０。０。１/",
        "http://①②⑦.0.0.1/",
        "http://10.1.2.3/",
        "http://172.16.0.1/",
        "http://192.168.1.1:80/",
        "http://3232235777/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://192.0.0.8/",
        "http://192.88.99.1/",
        "http://198.18.0.1/",
        "http://203.0.113.5/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://[::1]/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[64:ff9b:1::8.8.8.8]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:808:808::]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[2001:db8::1]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[ff02::1]/",
        "http://[100::1]/",
        "http://[3fff::1]/",
        "http://[5f00::1]/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://router.lan/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://x.onion/",
    ],
)
def test_private_places_are_refused(url: str) -> None:
    """This machine, its networks, and what carries their addresses, however they are spelled."""
    assert verdict(url) == "private"


@each_row(
    ("url", "why"),
    [
        ("file:///etc/passwd", "scheme"),
        ("FILE:/etc/passwd", "scheme"),
        ("ftp://ftp.debian.org/", "scheme"),
        ("gopher://8.8.8.8:80/_GET", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/html,hi", "scheme"),
        ("unix:///var/run/docker.sock", "scheme"),
        ("//example.com/", "scheme"),
        ("example.com", "scheme"),
        ("", "scheme"),
        ("http://user@example.com/", "credentials"),
        ("http://user:pass@example.com/", "credentials"),
        ("http://8.8.8.8@127.0.0.1/", "credentials"),
        ("http://127.0.0.1#@8.8.8.8/", "private"),
        ("http://8.8.8.8\\@127.0.0.1/", "malformed"),
        ("http:\\\\127.0.0.1/", "malformed"),
        ("http://example.com\n.evil.org/", "malformed"),
        ("http://exa mple.com/", "malformed"),
        ("http://exa\tmple.com/", "malformed"),
        ("http://example.com/\ud800", "malformed"),
        ("http://%31%32%37.0.0.1/", "malformed"),
        ("http://127.0.0.1%00.example.com/", "malformed"),
        ("http://[fe80::1%25eth0]/", "malformed"),
        ("http://[fe80::1%eth0]/", "malformed"),
        ("http://[::1/", "malformed"),
        ("http://[v1.a]/", "malformed"),
        ("http://[127.0.0.1]/", "malformed"),
        ("http:///etc", "malformed"),
        ("http://./", "malformed"),
        ("http://a..b/", "malformed"),
        ("http://256.0.0.1/", "malformed"),
        ("http://1.2.3.4.5/", "malformed"),
        ("http://4294967296/", "malformed"),
        ("http://08.8.8.8/", "malformed"),
        ("http://example.com.0x7g.1/", "malformed"),
        ("http://example.com:0/", "malformed"),
        ("http://example.com:99999/", "malformed"),
        ("http://example.com:8O/", "malformed"),
        ("http://example.com:22/", "port"),
        ("http://example.com:6379/", "port"),
        ("https://example.com:25/", "port"),
        ("http://" + "a" * 3000 + ".com/", "malformed"),
    ],
)
def test_what_is_no_address_of_a_page_is_refused(url: str, why: str) -> None:
    """Other schemes, credentials, other services, and what one program reads differently from another."""
    assert verdict(url) == why


@each_row(
    ("url", "plain"),
    [
        ("https://Example.COM", "https://example.com/"),
        ("https://example.com./a?b=1#c", "https://example.com/a?b=1"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:8443/x", "https://example.com:8443/x"),
        ("https://bücher.example.com/", "https://xn--bcher-kva.example.com/"),
        ("https://пример.рф/путь", "https://xn--e1afmkfd.xn--p1ai/путь"),
        ("http://0x08080808/", "http://8.8.8.8/"),
        ("http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"),
        ("http://[64:ff9b::8.8.8.8]/", "http://[64:ff9b::808:808]/"),
    ],
)
def test_public_places_are_not(url: str, plain: str) -> None:
    """They are brought to one plain form."""
    assert verdict(url) == ""
    assert parse_address(url).url == plain


@each_row("address", ["1.1.1.1", "93.184.215.14", "2a00:1450:4001::1", "2001:4860:4860::8888"])
def test_the_public_internet_is_public(address: str) -> None:
    """What servers have is not refused."""
    assert is_public(ip_address(address))


def test_a_refusal_does_not_repeat_the_address() -> None:
    """It may hold a token, and errors reach logs."""
    for url in ("http://127.0.0.1/?token=hush", "ftp://x/?token=hush", "http://u:hush@x.com/", "http://x.com:22/hush"):
        with pytest.raises(PageRefused) as refused:
            check(url)

        assert "hush" not in str(refused.value)
