"""Which addresses a message wants to have read."""

from __future__ import annotations

from bot.memory.document import find_addresses, find_request, name_page
from tests.cases import each_row

URL = "https://example.org/a"


@each_row(
    ("text", "found"),
    [
        (URL, (URL,)),
        (f"  {URL}.\n", (URL,)),
        (f"read {URL}", (URL,)),
        (f"Please read {URL}, and tell me who wrote it.", (URL,)),
        (f"Lies bitte {URL}", (URL,)),
        (f"Прочитай {URL}", (URL,)),
        (f"{URL} {URL} https://example.org/b", (URL, "https://example.org/b")),
        ("https://en.example.org/wiki/Port_(city)", ("https://en.example.org/wiki/Port_(city)",)),
        (" ".join(f"https://example.org/{n}" for n in range(9)), tuple(f"https://example.org/{n}" for n in range(3))),
        (f"My site is {URL}, it is new.", ()),
        (f"Have you heard of {URL}?", ()),
        ("read the book", ()),
        ("example.org", ()),
        ("ftp://example.org/a", ()),
        ("", ()),
    ],
)
def test_an_address_is_read_when_it_is_all_or_asked_for(text: str, found: tuple[str, ...]) -> None:
    """One that is mentioned in a sentence is left alone."""
    assert find_addresses(text) == found


def test_what_is_asked_besides_is_a_request() -> None:
    """A polite word or two is none."""
    assert find_request(f"Please read {URL}, thanks!") == ""
    assert find_request(URL) == ""
    assert find_request(f"read {URL} and tell me who wrote it") != ""
    assert find_request(f"Read {URL}: who wrote it?") != ""


def test_pages_have_names_of_their_own() -> None:
    """Short ones are their address; long ones differ in their end."""
    one, other = (name_page(f"https://example.org/{'x' * 100}?id={n}") for n in (1, 2))

    assert name_page("https://example.org/blog/post/") == "example.org/blog/post"
    assert one != other
    assert len(one) <= 80
