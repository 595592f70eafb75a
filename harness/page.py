"""The page of memory over a running application, and a browser without eyes: it keeps cookies and sends forms."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

import httpx

from adapters.page.gate import Sessions, Visitor
from adapters.page.site import LoopbackPage
from bot.features.page.parts import build_page_parts, build_sessions
from bot.runtime.container import Container

_KEY = re.compile(r'name="key" value="([^"]+)"')
_TAG = re.compile(r"<[^>]+>")


@dataclass
class PageVisitor:
    """Somebody with a browser at a page."""

    http: httpx.AsyncClient
    origin: str
    prefix: str

    async def get(self, path: str) -> httpx.Response:
        """Open a page, by its path within the site or as a link of the site names it."""
        return await self.http.get(path.removeprefix(self.prefix))

    async def read(self, path: str) -> str:
        """Return what a page says, without its markup."""
        found = await self.get(path)
        assert found.status_code == 200, (path, found.status_code)
        return show_text(found.text)

    async def submit(self, path: str, page: str, **fields: str) -> httpx.Response:
        """Send a form that stands on ``page``."""
        shown = (await self.get(page)).text
        return await self.post(path, key=find_key(shown), **{**find_hidden(shown), **fields})

    async def post(self, path: str, **fields: str) -> httpx.Response:
        """Send these fields, wherever the form stands."""
        return await self.http.post(path.removeprefix(self.prefix), data=fields, headers={"origin": self.origin})


@dataclass
class OpenedPage:
    """A page that listens on loopback."""

    page: LoopbackPage
    sessions: Sessions
    origin: str = ""
    prefix: str = ""

    @property
    def base(self) -> str:
        """The address that all pages begin with."""
        return self.origin + self.prefix

    async def link(self, visitor: Visitor) -> str:
        """Return a one-time link."""
        link = await self.page.make_link(visitor)
        parts = urlsplit(link)
        self.origin, self.prefix = f"{parts.scheme}://{parts.netloc}", parts.path.partition("/open/")[0]
        return link

    @asynccontextmanager
    async def visit(self, visitor: Visitor) -> AsyncIterator[PageVisitor]:
        """Come in by a link."""
        link = await self.link(visitor)
        async with self.call() as http:
            assert (await http.get(link)).status_code == 200
            yield PageVisitor(http, self.origin, self.prefix)

    @asynccontextmanager
    async def call(self) -> AsyncIterator[httpx.AsyncClient]:
        """Call the page as somebody who has not come in."""
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, follow_redirects=True) as http:
            yield http


@asynccontextmanager
async def open_page(parts: Container, sessions: Sessions | None = None) -> AsyncIterator[OpenedPage]:
    """Serve the page of these parts."""
    sessions = sessions or build_sessions(parts)
    page = LoopbackPage(build_page_parts(parts, alone=True), sessions)
    try:
        yield OpenedPage(page, sessions)
    finally:
        await page.close()


def find_key(page: str) -> str:
    """Return the key of a page's forms."""
    found = _KEY.search(page)
    assert found is not None
    return found[1]


def find_hidden(page: str) -> dict[str, str]:
    """Return what a page's forms send besides what is typed."""
    return dict(re.findall(r'type="hidden" name="(?!key")(\w+)" value="([^"]*)"', page))


def show_text(page: str) -> str:
    """Return the words of a page."""
    return " ".join(unescape(_TAG.sub(" ", page)).split())
