"""Every form of the page × every role × whose words, over HTTP: what really happened beside the table of rights.

People come in as they do: by the Mini App, as who Telegram says they are, and by the link of ``mneme page``.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from adapters.page.control import ask_for_link
from bot.core.rights import Role, Whose, is_allowed
from bot.features.page.register import serve_page
from bot.features.page.visitors import find_chat
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.documents import DocumentStore
from bot.ports.eraser import ErasureTarget
from bot.ports.memory_store import Selector
from bot.ports.reminders import Reminder, Reminders
from bot.runtime.app import App
from harness.page import PageVisitor, find_free_door, find_hidden, find_key, open_mini_app
from harness.rights import PEOPLE, SAID, SCOPE, Outcome, add_document, open_group

SHARED: Final = Scope("s_family")
_MEMORY: Final = {"memory": {"scopeDirect": "shared", "sharedName": "family"}}


@dataclass(frozen=True, slots=True)
class Place:
    """A memory, and what each role of the installation is to it on the page; who is not named sees nothing of it."""

    name: str
    scope: Scope
    roles: Mapping[Role, Role]
    link: bool = False
    """Whether one comes in by the link of ``mneme page``, and not by the Mini App."""


_SHARING: Final = MappingProxyType({Role.OWNER: Role.OWNER, Role.ADMIN: Role.MEMBER, Role.MEMBER: Role.MEMBER})
_IN_SHARED: Final = (Place("a shared memory", SHARED, _SHARING),)
_IN_OWN: Final = (
    Place("an admin's own memory", Scope(f"tu{PEOPLE[Role.ADMIN]}"), MappingProxyType({Role.ADMIN: Role.OWNER})),
    Place("a member's own memory", Scope(f"tu{PEOPLE[Role.MEMBER]}"), MappingProxyType({Role.MEMBER: Role.OWNER})),
    Place("the group's memory", SCOPE, MappingProxyType({})),
    Place("the group's memory by a link", SCOPE, MappingProxyType({Role.OWNER: Role.OWNER}), link=True),
)


async def try_page(folder: Path) -> list[Outcome]:
    """Have every role send every form of the page in every kind of memory, about their own and about others' words.

    Who is nothing to a memory sends those about their own: that is the most that anybody may.
    """
    return [
        *await _try_places(folder / "shared", _IN_SHARED, _MEMORY),
        *await _try_places(folder / "own", _IN_OWN, {}),
    ]


async def _try_places(folder: Path, places: tuple[Place, ...], settings: dict[str, Any]) -> list[Outcome]:  # Any: JSON
    outcomes = []
    async with (
        open_group(folder, others={**find_free_door(), **settings}) as talk,
        serve_page(talk.app.parts),
        open_mini_app(talk) as app,
        AsyncExitStack() as stack,
    ):
        parts = talk.app.parts
        operator = await _Visitor.come(await stack.enter_async_context(_Link(parts)))
        browsers = {role: await stack.enter_async_context(app.visit(PEOPLE[role])) for role in Role}
        visitors = {role: await _Visitor.come(browser) for role, browser in browsers.items()}
        for place in places:
            for form, (command, attempt, all_of_it) in FORMS.items():
                for role, visitor in ({Role.OWNER: operator} if place.link else visitors).items():
                    known = place.roles.get(role)
                    own_or_others = (Whose.OWN, Whose.OTHERS) if known is not None else (Whose.OWN,)
                    for whose in (Whose.ALL,) if all_of_it else own_or_others:
                        author = SAID if whose is Whose.OTHERS else PEOPLE[role]
                        happened = await attempt(_Page(parts, visitor, operator, place.scope, author))
                        settles = form != "settings" or not place.scope.shared  # such a memory is no chat's
                        allowed = known is not None and settles and is_allowed(command, whose, known)
                        deed = f"page: {form}, {place.name}"
                        outcomes.append(Outcome(command, deed, whose, role, allowed, happened))
        for role, visitor in visitors.items():
            allowed = role in _SHARING and is_allowed("page", Whose.OWN, role)
            outcomes.append(Outcome("page", f"page: {LEAVE}", Whose.OWN, role, allowed, await visitor.leave()))
    return outcomes


@dataclass(frozen=True, slots=True)
class _Visitor:
    """Somebody's browser, and the key of their forms, "" for who was not let in."""

    browser: PageVisitor
    key: str

    @classmethod
    async def come(cls, browser: PageVisitor) -> _Visitor:
        shown = await browser.get("/")
        return cls(browser, find_key(shown.text) if shown.status_code == HTTPStatus.OK else "")

    async def leave(self) -> bool:
        """Leave the page and return whether that ended a session."""
        before = await self.browser.get("/")
        await self.browser.post(LEAVE, key=self.key)
        after = await self.browser.get("/")
        return (before.status_code, after.status_code) == (HTTPStatus.OK, HTTPStatus.UNAUTHORIZED)


class _Link:
    """The operator's browser, opened by the link that ``mneme page`` asks the running Mneme for."""

    def __init__(self, parts: App) -> None:
        self._folder = parts.places.data / "state"
        self._http = httpx.AsyncClient(trust_env=False, follow_redirects=True)

    async def __aenter__(self) -> PageVisitor:
        link = await ask_for_link(self._folder)
        assert link is not None
        assert (await self._http.get(link)).status_code == HTTPStatus.OK
        address = urlsplit(link)
        origin, prefix = f"{address.scheme}://{address.netloc}", address.path.partition("/open/")[0]
        self._http.base_url = httpx.URL(f"{origin}{prefix}/")
        return PageVisitor(self._http, origin, prefix)

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()


@dataclass(slots=True)
class _Page:
    """Somebody at a memory, and whose words they reach for."""

    parts: App
    visitor: _Visitor
    operator: _Visitor
    scope: Scope
    author: int

    async def keep(self) -> int:
        """Keep a memory of the author and return its number."""
        said = Provenance(self.author, "", "chat", Trust.USER, self.parts.clock.now())
        text = f"The door {secrets.token_hex(6)} is red."
        kept = MemoryItem(Layer.SEMANTIC, ItemType.FACT, text, text, said, text)
        return await self.parts.editor.add(self.scope, kept) & 0xFFFFFFFF

    async def send(self, form: str, page: str, **fields: str) -> bool:
        """Send a form as it stands on the operator's page, with the sender's own key, and say whether it was taken.

        Whoever is shown no such form has seen it elsewhere: that alone must not do.
        """
        there = await self.operator.browser.get(f"/m/{self.scope}/{page}")
        sent = {**find_hidden(there.text), "key": self.visitor.key, **fields}
        return (await self.visitor.browser.post(f"/m/{self.scope}/{form}", **sent)).status_code == HTTPStatus.OK

    async def holds(self, number: int) -> MemoryItem | None:
        opened = await self.parts.browser.open(self.scope, number)
        return opened.item if opened is not None else None


async def _add_there(page: _Page) -> bool:
    word = secrets.token_hex(6)
    await page.keep()
    await page.send("memories", "memories", text=f"The gate is {word}.")
    found = await page.parts.editor.page(page.scope, Selector.ALL, search=word)
    return found.total == 1


async def _edit_there(page: _Page) -> bool:
    number = await page.keep()
    await page.send(f"memories/{number}/edit", f"memories/{number}", text="It is painted black.")
    item = await page.holds(number)
    return item is not None and item.content == "It is painted black."


async def _pin_there(page: _Page) -> bool:
    number = await page.keep()
    await page.send(f"memories/{number}/pin", f"memories/{number}", pinned="1")
    item = await page.holds(number)
    return item is not None and item.pinned


async def _forget_there(page: _Page) -> bool:
    number = await page.keep()
    await page.send(f"memories/{number}/forget", f"memories/{number}/forget")
    return await page.holds(number) is None


async def _forget_several(page: _Page) -> bool:
    number = await page.keep()
    await page.send("memories/forget", f"memories/forget?item={number}")
    return await page.holds(number) is None


async def _forget_said(page: _Page) -> bool:
    number = await page.keep()
    item = await page.holds(number)
    assert item is not None
    uid = item.provenance.exchange
    await page.send(f"turn/{uid}/forget", f"turn/{uid}/forget")
    return await page.holds(number) is None


async def _undo_there(page: _Page) -> bool:
    number = await page.keep()
    item = await page.holds(number)
    assert item is not None
    done = await page.parts.eraser.erase(page.scope, ErasureTarget(items=(item.id,)), author_id=page.author)
    await page.send("undo", "memories", erase=done.undo)
    return await page.holds(number) is not None


async def _export_there(page: _Page) -> bool:
    await page.keep()
    return await page.send("export", "memories")


async def _cancel_there(page: _Page) -> bool:
    due = page.parts.clock.now() + timedelta(days=1)
    start = due.replace(tzinfo=None)
    kept = await page.parts.need(Reminders).keep(
        Reminder(page.scope, Address("console", 0, page.author), page.author, "", "water", due, start, "UTC")
    )
    assert kept is not None
    await page.send(f"reminders/{kept.number}/cancel", "reminders", shown=str(kept.version))
    return kept.number not in {
        each.number for each in await page.parts.need(Reminders).list_scope(page.scope, limit=500)
    }


async def _forget_document(page: _Page) -> bool:
    uid = await add_document(page.parts, page.scope, page.author)
    await page.send(f"documents/{uid}/forget", f"documents/{uid}/forget")
    return await page.parts.need(DocumentStore).get(page.scope, uid) is None


async def _settle_there(page: _Page) -> bool:
    taken, chat = await page.send("settings", "settings", language="de"), find_chat(page.parts, page.scope)
    if chat is None:
        return taken
    settled = page.parts.chat_settings.find(chat).language == "de"
    await page.parts.chat_settings.adjust(chat, lambda settings: replace(settings, language=""))
    return settled


FORMS: Final[Mapping[str, tuple[str, Callable[[_Page], Awaitable[bool]], bool]]] = {
    "memories": ("remember", _add_there, False),
    "memories/{number}/edit": ("memory", _edit_there, False),
    "memories/{number}/pin": ("memory", _pin_there, False),
    "memories/{number}/forget": ("forget", _forget_there, False),
    "memories/forget": ("forget", _forget_several, False),
    "turn/{uid}/forget": ("forget", _forget_said, False),
    "undo": ("undo", _undo_there, False),
    "export": ("export", _export_there, True),
    "reminders/{number}/cancel": ("reminders", _cancel_there, False),
    "documents/{uid}/forget": ("docs", _forget_document, False),
    "settings": ("settings", _settle_there, True),
}
"""Every form about a memory: the command whose right it asks, what tries it, and whether that is about all of it."""
LEAVE: Final = "/leave"
