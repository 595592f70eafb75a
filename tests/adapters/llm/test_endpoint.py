"""Addresses and keys as people write them."""

from __future__ import annotations

import pytest

from adapters.llm.endpoint import parse_endpoint
from bot.errors import ModelRefused
from tests.cases import each_row


@each_row("key", ["sk-se cret", "sk-secret\nX-Evil: 1", "ключ", "sk-\x00"])
def test_a_key_that_cannot_be_a_header_is_refused_without_being_repeated(key: str) -> None:
    """A key with a line break would leak into the HTTP library's own error."""
    with pytest.raises(ModelRefused, match=r"llm\.apiKey") as raised:
        parse_endpoint("https://api.example.org/v1", key)

    assert "se" not in str(raised.value).replace("characters", "").replace("again", "").split("holds")[1]


@each_row(
    ("url", "base"),
    [
        ("https://api.example.org/v1/", "https://api.example.org/v1"),
        ("https://api.example.org/v1/chat/completions", "https://api.example.org/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://user:pass@localhost:1234/v1", "http://localhost:1234/v1"),
        (
            " https://generativelanguage.example.org/v1beta/openai/ ",
            "https://generativelanguage.example.org/v1beta/openai",
        ),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_addresses_are_taken_as_people_write_them(url: str, base: str) -> None:
    """With or without slash, version or route; a password leaves the URL, because URLs are logged."""
    endpoint = parse_endpoint(url, "")

    assert endpoint.base == base
    assert endpoint.headers.get("Authorization", "") == ("Basic dXNlcjpwYXNz" if "user" in url else "")


@each_row("url", ["", "ftp://x", "localhost:11434", "http://", "http://x:99999"])
def test_what_is_no_address_is_refused(url: str) -> None:
    """The error names the setting."""
    with pytest.raises(ModelRefused, match=r"llm\.url"):
        parse_endpoint(url, "")
