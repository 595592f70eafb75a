"""The page in a real browser: nothing refused by its own policy, readable, and open to keyboard and screen reader."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from adapters.page.gate import Visitor
from adapters.page.site import PublicPage, build_site, open_loopback_door
from adapters.page.visits import TABS
from bot.features.page.parts import build_page_parts, build_sessions
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from harness.application import NO_RAG, run_console
from harness.browser import DESKTOP, PHONE, Browser, find_chromium, open_browser
from harness.page import Circle, OpenedPage, fill, open_page
from language import languages

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="no Chromium with chromedriver is installed")
SCOPE = Scope("cu42")
ANNA = Visitor((SCOPE,), Reader(42, "Anna", alone=True))
PAGES = (
    "timeline",
    "people",
    "people/1",
    "memories",
    "memories/2",
    "search?q=Vera",
    "documents",
    "settings",
)
DARK = ("people", "memories/2/forget", "turn/p3", "forgotten", "costs", "reminders")
_OVERLAPPING = """
const boxes = [...document.querySelectorAll('svg.map text')].filter(e => e.checkVisibility())
  .map(e => [e.textContent, e.getBoundingClientRect()]);
const hits = [];
for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
  const [a, p] = boxes[i], [b, q] = boxes[j];
  const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
  const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
  if (x > 2 && y > 4) hits.push(a + ' / ' + b);
}
return hits;
"""
_BROKEN = """
return [...document.querySelectorAll('.logo, .top li a, .leave button')].filter(e => {
  const box = e.getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(e);
  const lines = new Set([...range.getClientRects()].map(each => Math.round(each.top)));
  return box.left < 0 || box.right > innerWidth || lines.size > 1
    || document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) !== e;
}).map(e => e.textContent);
"""
_DRESS = """
const [family, weight, size] = arguments, sheet = document.styleSheets[0];
while (window.dressed) { sheet.deleteRule(sheet.cssRules.length - 1); window.dressed--; }
for (const [which, letters] of [['.spot text', 13], ['.spot text.note', 11]]) {
  sheet.insertRule(`${which} { font: ${weight} ${letters * size}px ${family}; }`, sheet.cssRules.length);
  window.dressed = (window.dressed || 0) + 1;
}
"""
_LETTERS = """
const svg = [...document.querySelectorAll('svg.map')].find(e => e.checkVisibility());
return 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for all tests here."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[OpenedPage]:
    """A page over a circle of fifty people."""
    async with run_console(tmp_path, NO_RAG) as chat, open_page(chat.app.parts) as opened:
        await fill(chat.app.parts, Circle.of(50), 60, SCOPE)
        yield opened


async def enter(page: OpenedPage, browser: Browser, visitor: Visitor = ANNA) -> str:
    """Come in by a link, which leads on by itself; return the address of the scope's pages."""
    await asyncio.to_thread(browser.open, await page.link(visitor))
    await asyncio.to_thread(browser.wait_for, "return document.querySelector('.top nav') !== null")
    return f"{page.base}/m/cu42"


@pytest.mark.parametrize(
    ("size", "dark", "paths"), [(PHONE, False, PAGES), (DESKTOP, True, DARK)], ids=["phone", "desktop dark"]
)
async def test_every_page_is_open_to_everybody(
    page: OpenedPage, browser: Browser, size: tuple[int, int], paths: tuple[str, ...], *, dark: bool
) -> None:
    """axe-core finds nothing, nothing stands beyond the screen, and the browser refuses nothing."""
    browser.show_as(size, dark=dark)
    home = await enter(page, browser)
    browser.list_complaints()

    def look() -> dict[str, list[str]]:
        found = {}
        for path in paths:
            browser.open(f"{home}/{path}")
            faults = browser.find_faults()
            if browser.run("return document.documentElement.scrollWidth > window.innerWidth"):
                faults.append("wider than the screen")
            found[path] = faults + browser.list_complaints()
        return found

    assert await asyncio.to_thread(look) == {path: [] for path in paths}


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_map_can_be_read(page: OpenedPage, browser: Browser, size: tuple[int, int]) -> None:
    """No label stands on another, and letters are no smaller than twelve pixels, whatever font and size there is.

    Seen to fail where the drawing left it to the font how broad a word is.
    """
    browser.show_as(size)
    home = await enter(page, browser)

    def look() -> tuple[dict[str, list[str]], float]:
        browser.open(f"{home}/people")
        letters, found = browser.run(_LETTERS), {"as it is": browser.run(_OVERLAPPING)}
        for family, weight, scale in itertools.product(("serif", "sans-serif", "monospace"), (400, 900), (1, 1.3)):
            browser.run(_DRESS, family, weight, scale)
            found[f"{family} {weight} {scale}"] = browser.run(_OVERLAPPING)
        return found, letters

    overlapping, letters = await asyncio.to_thread(look)

    assert {font: hits for font, hits in overlapping.items() if hits} == {}
    assert letters >= 12


@pytest.mark.parametrize("language", [each.code for each in languages()])
async def test_the_head_fits_a_small_phone(page: OpenedPage, browser: Browser, language: str) -> None:
    """No word of it is broken, and every part of the memory can be seen, the open one too."""
    browser.show_as((320, 640))
    home = await enter(page, browser, replace(ANNA, language=language))

    def look() -> tuple[list[str], int]:
        browser.open(f"{home}/settings")
        return browser.run(_BROKEN), browser.run("return document.querySelectorAll('.top li a').length")

    assert await asyncio.to_thread(look) == ([], len(TABS))


async def test_words_filter_while_they_are_typed(page: OpenedPage, browser: Browser) -> None:
    """Without a new page, and the address keeps what was asked."""
    browser.show_as(DESKTOP)
    home = await enter(page, browser)

    def look() -> tuple[int, str]:
        browser.open(f"{home}/memories")
        browser.run("window.same = true; document.getElementById('q').focus()")
        browser.press(*"sister")
        browser.wait_for("return document.querySelectorAll('.item').length === 1 && window.same")
        return browser.run("return document.querySelectorAll('.item').length"), browser.run("return location.search")

    count, asked = await asyncio.to_thread(look)

    assert count == 1
    assert "q=sister" in asked


async def test_the_map_is_walked_by_keyboard(page: OpenedPage, browser: Browser) -> None:
    """The first key skips to the content; a sign of the map takes the focus and opens its page."""
    browser.show_as(DESKTOP)
    home = await enter(page, browser)

    def look() -> tuple[str, str, str]:
        browser.open(f"{home}/people")
        browser.press("\ue004")
        skip = browser.run("return document.activeElement.className")
        browser.run("[...document.querySelectorAll('svg.map.wide a')][0].focus()")
        named = browser.run("return document.activeElement.querySelector('title').textContent")
        browser.press("\ue007")
        browser.wait_for("return document.querySelector('dl.facts') !== null")
        return skip, named, browser.run("return document.querySelector('h1').textContent")

    skip, named, opened = await asyncio.to_thread(look)

    assert skip == "skip"
    assert named.startswith(f"{opened}, ")


async def test_a_mini_app_enters_by_what_telegram_tells_the_browser(tmp_path: Path, browser: Browser) -> None:
    """It stands behind the # of the address, which no server sees, and is gone from there at once."""
    told = []

    async def admit(init_data: str) -> Visitor | None:
        told.append(init_data)
        return ANNA

    async with run_console(tmp_path, NO_RAG) as chat:
        await fill(chat.app.parts, Circle.of(5), 6, SCOPE)
        parts, sessions = build_page_parts(chat.app.parts, alone=True), build_sessions(chat.app.parts)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        app = PublicPage(build_site(parts, sessions, open_loopback_door(port, "/app-test"), admit), f"127.0.0.1:{port}")
        await app.start()
        base = f"http://127.0.0.1:{port}/app-test"

        def look() -> str:
            browser.open(f"{base}/app#tgWebAppData={quote('user=1&hash=2')}&tgWebAppVersion=8.0")
            browser.wait_for("return document.querySelector('.top nav') !== null")
            address: str = browser.run("return location.href")
            return address

        address = await asyncio.to_thread(look)
        await app.close()

    assert told == ["user=1&hash=2"]
    assert "tgWebAppData" not in address
