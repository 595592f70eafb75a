"""Every kind of deed × every role, what really happened beside the table of rights.

In a group, through a strict Telegram; and every form of the page × whose words, over HTTP, where people come in as they
do: by the Mini App, as who Telegram says they are, and by the link of ``mneme page``.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from adapters.page.gate import ask_for_link
from bot.core.rights import Role, Whose, is_allowed
from bot.features.page.parts import find_chat
from bot.features.page.register import serve_page
from bot.memory.chunking import DocumentChunk
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.documents import DocumentStore, NewDocument
from bot.ports.eraser import ErasureTarget
from bot.ports.lists import Deed, ItemState, ListItem, Lists
from bot.ports.memory_store import Selector
from bot.ports.reminders import Reminder, Reminders
from bot.runtime.app import App
from harness.application import TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from harness.page import PageVisitor, find_hidden, find_key
from tests.mini_app import find_free_door, open_mini_app

GROUP: Final = -100
SCOPE: Final = Scope("tcn100")
SAID: Final = 10
"""Who has said what the others reach for."""
PEOPLE: Final = {Role.OWNER: 1, Role.ADMIN: 7, Role.MEMBER: 8, Role.STRANGER: 9}
_NUMBER: Final = re.compile(r"number (\d+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One deed of one role: whether the table allows it, and whether it happened."""

    command: str
    deed: str
    whose: Whose
    role: Role
    allowed: bool
    happened: bool


@asynccontextmanager
async def open_group(
    folder: Path,
    others: dict[str, Any] | None = None,  # Any: settings as JSON
) -> AsyncIterator[TelegramChats]:
    """Run an application with an open group of all roles, and ``others`` than Telegram's settings."""
    async with FakeTelegram() as telegram:
        telegram.chats.admins.add((GROUP, PEOPLE[Role.ADMIN]))
        listed = [PEOPLE[Role.ADMIN], PEOPLE[Role.MEMBER], SAID]
        group = {"allowedUsers": listed, "allowedChats": [GROUP], "openGroups": True}
        async with run_on_telegram(folder, telegram, others=others, ownerId=PEOPLE[Role.OWNER], **group) as talk:
            yield talk


async def try_everything(folder: Path) -> list[Outcome]:
    """Have every role do every deed to own and to others' words; the order is that of the deeds."""
    outcomes = []
    async with open_group(folder) as talk:
        group = _Group(talk)
        for command, deed, attempt in DEEDS:
            for role in reversed(Role):
                whoses = (Whose.ALL,) if attempt in _OF_ALL else (Whose.OWN, Whose.OTHERS)
                for whose in whoses:
                    happened = await attempt(group, PEOPLE[role], PEOPLE[role] if whose is Whose.OWN else SAID)
                    allowed = is_allowed(command, whose, role)
                    outcomes.append(Outcome(command, deed, whose, role, allowed, happened))
    return outcomes


@dataclass(slots=True)
class _Group:
    talk: TelegramChats
    told: int = 0

    async def say(self, text: str, user: int) -> str:
        return await self.talk.ask(
            text.replace(" ", "@mneme_bot ", 1) if " " in text else f"{text}@mneme_bot", user=user, chat=GROUP
        )

    async def remember(self, user: int) -> int:
        """Have somebody say something new, and return its number."""
        self.told += 1
        word = "".join(chr(ord("a") + int(digit)) for digit in str(self.told))
        answer = await self.say(f"/remember The door of house {word}{word}x is painted {word}ish.", user)
        found = _NUMBER.search(answer)
        assert found is not None, answer
        return int(found[1])

    async def contents(self) -> dict[int, tuple[str, int, bool]]:
        """Return content, author and pin of every live memory by its number."""
        page = await self.talk.app.parts.editor.page(SCOPE, Selector.ALL, size=1000)
        return {item.id & 0xFFFFFFFF: (item.content, item.provenance.author_id, item.pinned) for item in page.items}


async def _edit(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    await group.say(f"/memory edit {number} It is painted black, says {actor}.", actor)
    content, whose, _ = (await group.contents())[number]
    # Whatever is edited is the editor's word: written in another's name it would count as done to all.
    return content.startswith("It is painted black") or whose != author


async def _pin(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    await group.say(f"/memory pin {number}", actor)
    return (await group.contents())[number][2]


async def _forget_memory(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    await group.say(f"/memory forget {number}", actor)
    return number not in await group.contents()


async def _forget_number(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    await group.say(f"/forget {number}", actor)
    return number not in await group.contents()


async def _forget_words(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    words = (await group.contents())[number][0]
    await group.say(f"/forget {words.split()[4]}", actor)
    return number not in await group.contents()


async def _undo(group: _Group, actor: int, author: int) -> bool:
    number = await group.remember(author)
    await group.say(f"/forget {number}", author)
    assert number not in await group.contents()
    await group.say("/undo", actor)
    return number in await group.contents()


async def _forget_everything(group: _Group, actor: int, author: int) -> bool:
    await group.remember(author)
    telegram = group.talk.telegram
    await group.say("/forget everything", actor)
    shown = telegram.chats.of(GROUP)[-1]
    keys = [key["callback_data"] for row in (shown.keyboard or {}).get("inline_keyboard", []) for key in row]
    if keys:
        await telegram.presses(keys[0], user=actor, shown=shown)
        await group.talk.taken()
    else:
        await group.say("/forget everything yes", actor)
    return not await group.contents()


async def _export(group: _Group, actor: int, author: int) -> bool:
    await group.remember(author)
    before = len(group.talk.telegram.chats.of(GROUP))
    await group.say("/export yes", actor)
    await group.talk.taken()
    return any(shown.file is not None for shown in group.talk.telegram.chats.of(GROUP)[before:])


async def _cancel_reminder(group: _Group, actor: int, author: int) -> bool:
    await group.say("/remind in 20 hours water the plants", author)
    reminders = group.talk.app.parts.need(Reminders)
    number = max(each.number for each in await reminders.list_scope(SCOPE, limit=500))
    await group.say(f"/remind cancel {number}", actor)
    return number not in {each.number for each in await reminders.list_scope(SCOPE, limit=500)}


async def _forget_document(group: _Group, actor: int, author: int) -> bool:
    parts = group.talk.app.parts
    uid = await add_document(parts, SCOPE, author)
    await group.say(f"/docs forget {uid}.pdf yes", actor)
    return await parts.need(DocumentStore).get(SCOPE, uid) is None


async def add_document(parts: App, scope: Scope, author: int) -> str:
    """Keep a document that somebody sent, and return its name in the store."""
    uid, now, pages = f"d{secrets.token_hex(6)}", parts.clock.now(), (DocumentChunk(("Manual",), "Fill the tank.", 1),)
    sent = Author(author, "", Trust.USER)
    new = NewDocument(uid, f"{uid}.pdf", "Kettle", "pdf", sent, now, "console", 1, 0, "", uid, pages)
    await parts.need(DocumentStore).add(scope, new, index=False)
    return uid


async def _settle(group: _Group, actor: int, _author: int) -> bool:
    parts = group.talk.app.parts
    chat = Address("telegram", 42, GROUP)
    await group.say("/settings language de", actor)
    settled = parts.chat_settings.find(chat).language == "de"
    await parts.chat_settings.adjust(chat, lambda settings: replace(settings, language=""))
    return settled


async def _import(group: _Group, actor: int, _author: int) -> bool:
    """Send a conversation and return whether it is offered to import it."""
    telegram, before = group.talk.telegram, len(group.talk.telegram.texts(GROUP))
    said = {"id": 1, "type": "message", "date_unixtime": "1672531200", "from": "Bob", "from_id": "user2", "text": "Hi."}
    chat = json.dumps({"name": "Bob", "type": "personal_chat", "id": 2, "messages": [said]}).encode()
    await telegram.sends(chat, user=actor, chat=GROUP, name="result.json", caption="/import@mneme_bot")
    await group.talk.next(GROUP, before)
    return bool((telegram.chats.of(GROUP)[-1].keyboard or {}).get("inline_keyboard"))


Attempt = Callable[[_Group, int, int], Awaitable[bool]]

DEEDS: Final[tuple[tuple[str, str, Attempt], ...]] = (
    ("memory", "edit", _edit),
    ("memory", "pin", _pin),
    ("memory", "forget", _forget_memory),
    ("forget", "by number", _forget_number),
    ("forget", "by words", _forget_words),
    ("undo", "of an erase", _undo),
    ("export", "of the memory", _export),
    ("remind", "cancel", _cancel_reminder),
    ("docs", "forget", _forget_document),
    ("settings", "of the group", _settle),
    ("import", "of a conversation", _import),
    ("forget", "everything", _forget_everything),
)
_OF_ALL: Final = frozenset({_export, _forget_everything, _settle, _import})


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


async def _tick_there(page: _Page) -> bool:
    store = page.parts.need(Lists)
    (kept,) = await store.add(
        page.scope, [ListItem("shopping", "", "milk", Deed(page.author, "", page.parts.clock.now()))]
    )
    await page.send(f"lists/{kept.number}", "lists", shown="OPEN")
    return next(item for item in await store.read(page.scope) if item.id == kept.id).state is ItemState.DONE


async def _forget_document_there(page: _Page) -> bool:
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
    "lists/{number}": ("list", _tick_there, False),
    "documents/{uid}/forget": ("docs", _forget_document_there, False),
    "settings": ("settings", _settle_there, True),
}
"""Every form about a memory: the command whose right it asks, what tries it, and whether that is about all of it."""
LEAVE: Final = "/leave"
