"""The page of memory over a running application, and people who open it.

They have a browser without eyes, which keeps cookies and sends forms; what they read is a made-up circle of people, of
any size, told over some years.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import islice, product
from urllib.parse import urlsplit

import httpx

from adapters.page.gate import Sessions, Visitor
from adapters.page.site import LoopbackPage
from bot.features.page.parts import build_page_parts, build_sessions
from bot.memory.items import ItemType
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.runtime.app import App
from bot.turn import Exchange
from harness.samples import item, read_words, turn

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
        return self.origin + self.prefix

    async def link(self, visitor: Visitor) -> str:
        link = await self.page.make_link(visitor)
        parts = urlsplit(link)
        self.origin, self.prefix = f"{parts.scheme}://{parts.netloc}", parts.path.partition("/open/")[0]
        return link

    @asynccontextmanager
    async def visit(self, visitor: Visitor) -> AsyncIterator[PageVisitor]:
        link = await self.link(visitor)
        async with self.call() as http:
            assert (await http.get(link)).status_code == 200
            yield PageVisitor(http, self.origin, self.prefix)

    @asynccontextmanager
    async def call(self) -> AsyncIterator[httpx.AsyncClient]:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, follow_redirects=True) as http:
            yield http


@asynccontextmanager
async def open_page(parts: App) -> AsyncIterator[OpenedPage]:
    sessions = build_sessions(parts)
    page = LoopbackPage(build_page_parts(parts, alone=True), sessions)
    try:
        yield OpenedPage(page, sessions)
    finally:
        await page.close()


def find_key(page: str) -> str:
    found = _KEY.search(page)
    assert found is not None
    return found[1]


def find_hidden(page: str) -> dict[str, str]:
    """Return what a page's forms send besides what is typed."""
    return dict(re.findall(r'type="hidden" name="(?!key")(\w+)" value="([^"]*)"', page))


def show_text(page: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", page)).split())


ANNA = Author(42, "Anna")
_WORDS = read_words("circle")
_FIRST, _LAST, _PLACES, _FIRMS = (_WORDS[name] for name in ("first", "last", "places", "firms"))
_ROLES, _SAYINGS = _WORDS["roles"], _WORDS["sayings"]


@dataclass(frozen=True, slots=True)
class Circle:
    """People, the most talked about first; who belongs together stands side by side."""

    people: tuple[str, ...]
    seed: int = 7

    @classmethod
    def of(cls, size: int) -> Circle:
        """Return a circle of so many people: first names as long as there are any."""
        full = (f"{first} {last}" for last, first in product(_LAST, _FIRST))
        return cls((*_FIRST, *islice(full, max(0, size - len(_FIRST))))[:size])

    def tell(self, exchanges: int, scope: Scope, *, until: datetime) -> Iterator[Exchange]:
        """Yield what Anna said about them over three years, oldest first; everybody is named at least once."""
        chance = random.Random(self.seed)
        begin, step = until - timedelta(days=3 * 365), timedelta(days=3 * 365) / max(exchanges, 1)
        for number in range(exchanges):
            one = number if number < len(self.people) else int(len(self.people) * chance.random() ** 2)
            other = (one + chance.choice((1, 1, 1, 2, 3, 7))) % len(self.people)
            said, answer = _SAYINGS[number % len(_SAYINGS)]
            if number < len(_ROLES) and number < len(self.people):
                said, answer = f"My {_ROLES[number]} {{a}} lives in {{place}}.", "I will remember that."
            words = {
                "a": self.people[one],
                "b": self.people[other],
                "place": _PLACES[one % len(_PLACES)],
                "firm": _FIRMS[one % len(_FIRMS)],
            }
            at = (begin + number * step).replace(microsecond=0)
            yield Exchange(scope, f"p{number}", 0, ANNA, said.format(**words), answer, at, message_id=number + 1)


async def fill(parts: App, circle: Circle, exchanges: int, scope: Scope, *, every: int = 1, at_once: int = 1) -> None:
    """Store what is told of a circle, ``at_once`` at a time; one in ``every`` sayings has an item of its words."""
    address, others = Address("telegram", 1, 42), (ItemType.FACT, ItemType.PREFERENCE, ItemType.DECISION, ItemType.TASK)
    told = circle.tell(exchanges, scope, until=datetime(2026, 2, 7, 13, 30, tzinfo=UTC))
    while group := tuple(islice(told, at_once)):
        records = []
        for said in group:
            kind = ItemType.FACT if said.user_text.startswith("My ") else others[said.message_id // every % len(others)]
            memory = item(said.user_text, exchange=said.uid, author=ANNA, type_=kind, said_at=said.said_at)
            items = () if said.message_id % every else (memory,)
            records.append(turn(said, scope=scope, address=address, items=items))
        await asyncio.gather(*(parts.turns.commit(record) for record in records))
