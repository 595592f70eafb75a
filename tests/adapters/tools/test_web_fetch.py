"""web_fetch: pages in parts, and whose word it takes for an address."""

from __future__ import annotations

import pytest

from adapters.documents.reader import SubprocessReader
from adapters.documents.source import ReadingLimits
from adapters.tools.web_fetch import WebFetch, tells_unsaid
from adapters.web.fetcher import FetchLimits, GuardedFetcher
from bot.errors import CommandInvalid, DocumentUnreadable, PageRefused
from bot.messages import Author, Quote
from bot.ports.tool import ConfirmationRequest
from bot.turn import Exchange, ToolCall, ToolRun
from harness.documents.samples import write_pdf
from harness.fakes.faulty_http import answer_with, serving
from tests.adapters.tools.fixtures import MINE, WHEN, said
from tests.cases import each_row

TOOL = WebFetch(GuardedFetcher(lambda: FetchLimits(private=frozenset({"127.0.0.1"}))), SubprocessReader(ReadingLimits))


async def test_a_page_comes_in_parts() -> None:
    """With its title, where it was found, and what to call for the rest; a PDF is read likewise."""
    lines = "".join(f"<p>Line {number} of the long report about the harvest.</p>" for number in range(600))
    page = f"<html><head><title>Report</title></head><body><h1>Harvest</h1>{lines}</body></html>"
    pdf = answer_with(write_pdf(["The pump is blue."], title="Pumps"), kind="application/pdf")
    async with serving({"/report": answer_with(page.encode()), "/a.pdf": pdf}) as site:
        url = f"http://127.0.0.1:{site.port}/report"
        first = await TOOL.run(said("read it"), {"url": url})
        last = await TOOL.run(said("read it"), {"url": url, "part": 3})
        with pytest.raises(CommandInvalid, match="3 parts"):
            await TOOL.run(said("read it"), {"url": url, "part": 4})
        document = await TOOL.run(said("read it"), {"url": f"http://127.0.0.1:{site.port}/a.pdf"})

    assert isinstance(first, str)
    assert isinstance(last, str)
    assert isinstance(document, str)
    assert first.startswith(
        f"Title: Report\nAddress: {url}\nPart 1 of 3. Call again with part 2 for more.\n\n# Harvest\n\nLine 0"
    )
    assert "Line 599 of" in last
    assert "Title: Pumps" in document
    assert "The pump is blue." in document


async def test_what_cannot_be_read_is_said() -> None:
    """Refused, gone, or no document."""
    async with serving({"/x": answer_with(b"\x00\x01\x02" * 99, kind="application/octet-stream")}) as site:
        with pytest.raises(DocumentUnreadable):
            await TOOL.run(said("read"), {"url": f"http://127.0.0.1:{site.port}/x"})
        with pytest.raises(PageRefused, match="404"):
            await TOOL.run(said("read"), {"url": f"http://127.0.0.1:{site.port}/y"})
    for url in ("http://10.0.0.1/", "http://[::1]/"):
        with pytest.raises(PageRefused, match="private"):
            await TOOL.run(said("read"), {"url": url})
    for url in ("http://localhost/", "file:///etc/passwd", "x", "http://a:b@c.org/"):
        with pytest.raises(CommandInvalid):
            await TOOL.run(said("read"), {"url": url})


@each_row(
    ("text", "url"),
    [
        ("What does https://example.com/plan?x=1 say?", "https://example.com/plan?x=1"),
        ("See (https://example.com/plan).", "https://example.com/plan"),
        ("See <https://example.com/plan>, please", "https://EXAMPLE.com/plan#top"),
        ("read example.com/plan.", "https://example.com/plan"),
        ("read example.com", "http://example.com/"),
        ("сравни bücher.example.com и пример.рф", "https://пример.рф/"),
        ("https://en.wikipedia.org/wiki/Pump_(device)", "https://en.wikipedia.org/wiki/Pump_(device)"),
    ],
)
def test_a_typed_address_is_requested(text: str, url: str) -> None:
    """However it stands in the sentence, with or without its scheme."""
    assert TOOL.is_requested(said(text), {"url": url})


@each_row(
    ("text", "url"),
    [
        ("What does https://example.com/plan say?", "https://example.com/plan?d=secret"),
        ("What does https://example.com/plan say?", "https://example.com/"),
        ("What does https://example.com/plan say?", "https://example.com/plan/secret"),
        ("What does https://example.com say?", "https://secret.example.com/"),
        ("What does https://example.com say?", "https://example.com:8443/"),
        ("What does example.com say?", "https://example.com.evil.org/"),
        ("Yes, do it", "https://example.com/"),
    ],
)
def test_nothing_may_be_added_to_a_typed_address(text: str, url: str) -> None:
    """Every letter of an address can carry something away."""
    assert not TOOL.is_requested(said(text), {"url": url})


def test_what_others_wrote_is_no_request() -> None:
    """Neither a quotation nor a forward of an address."""
    quoted = said("what is that?", quote=Quote("https://example.com/a", "Bob"))
    forwarded = said("https://example.com/a", forwarded_from="Bob")

    assert not TOOL.is_requested(quoted, {"url": "https://example.com/a"})
    assert not TOOL.is_requested(forwarded, {"url": "https://example.com/a"})


async def test_the_question_names_the_exact_address() -> None:
    """What is shown is what the button sends, and nothing is fetched for it."""
    asked = await TOOL.ask(said("go on"), {"url": "HTTPS://Example.com:443/a?b=%20c#d"})

    assert asked == ConfirmationRequest("https://example.com/a?b=%20c", "https://example.com/a?b=%20c", fetches=True)
    with pytest.raises(CommandInvalid, match="too long"):
        await TOOL.ask(said("go on"), {"url": f"https://example.com/{'a' * 1500}"})


_MARK = "abcdefghijkl"
_MEMORY = f"<<<memory {_MARK}\n- [2026 | you] Порту, Portugal\nmemory {_MARK}>>>"
_SEEN = ToolRun(ToolCall("c", "memory_search", "{}"), "My city is Porto", ok=True)
_TOLD = Exchange(MINE, "a", 1, Author(42, "Anna"), "My locker number is 4711.", "Noted.", WHEN)


async def test_an_address_that_tells_what_is_remembered_is_asked_about() -> None:
    """Words of items, of the history and of our tools, in any case, encoded or within others; typed ones may go out.

    Without ``tells_unsaid`` each of them is fetched.
    """
    known = {"context": _MEMORY, "mark": _MARK, "tool_runs": (_SEEN,), "history": (_TOLD,)}
    turn, typed = said("what's the weather", **known), said("Is it warm in Porto, Порту, Portugal? 4711", **known)
    telling = ("?q=PORTO", "%D0%9F%D0%BE%D1%80%D1%82%D1%83", "myPortugal", "a/4711")
    async with serving({}) as site:
        urls = [f"http://127.0.0.1:{site.port}/{path}" for path in telling]
        assert [await TOOL.run(turn, {"url": url}) for url in urls] == [
            await TOOL.ask(turn, {"url": url}) for url in urls
        ]
        assert site.requests == []
        for url in (*urls, f"http://127.0.0.1:{site.port}/2026/warm/what"):
            with pytest.raises(PageRefused, match="404"):
                await TOOL.run(typed, {"url": url})

    assert tells_unsaid(turn, "https://porto.example/")
    assert tells_unsaid(turn, "https://xn--n1abeif.example/")
    assert not tells_unsaid(turn, "https://weather.example/2026/warm")
