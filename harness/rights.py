"""Every kind of deed × every role, what really happened beside the table.

In a group through a strict Telegram; on the page of a memory that several share through its own forms, over HTTP.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Final

from adapters.page.sessions import Visitor
from bot.core.rights import Role, Whose, is_allowed
from bot.memory.documents.chunking import DocumentChunk
from bot.memory.items import ItemType, Layer, MemoryItem, Provenance, Trust
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Address, Author
from bot.ports.document_store import NewDocument
from bot.ports.eraser import ErasureTarget
from bot.ports.memory_store import Selector
from bot.ports.reminders import Reminder
from bot.runtime.container import Container
from harness.application import NO_RAG, TelegramChats, run_console, run_on_telegram
from harness.fakes.telegram import FakeTelegram
from harness.page import PageVisitor, open_page

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
async def open_group(folder: Path) -> AsyncIterator[TelegramChats]:
    """Run an application with an open group of all roles."""
    async with FakeTelegram() as telegram:
        telegram.chats.admins.add((GROUP, PEOPLE[Role.ADMIN]))
        listed = [PEOPLE[Role.ADMIN], PEOPLE[Role.MEMBER], SAID]
        async with run_on_telegram(
            folder, telegram, allowedUsers=listed, allowedChats=[GROUP], openGroups=True, ownerId=PEOPLE[Role.OWNER]
        ) as talk:
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


Attempt = Callable[[_Group, int, int], Awaitable[bool]]

DEEDS: Final[tuple[tuple[str, str, Attempt], ...]] = (
    ("memory", "edit", _edit),
    ("memory", "pin", _pin),
    ("memory", "forget", _forget_memory),
    ("forget", "by number", _forget_number),
    ("forget", "by words", _forget_words),
    ("undo", "of an erase", _undo),
    ("export", "of the memory", _export),
    ("forget", "everything", _forget_everything),
)
_OF_ALL: Final = frozenset({_export, _forget_everything})


SHARED: Final = Scope("s_family")
"""On the page somebody is the operator, or one of those who share a memory: of a memory of their own, its owner."""
_MEMBER: Final = Visitor((SHARED,), Reader(PEOPLE[Role.MEMBER], "Kim"), author_id=PEOPLE[Role.MEMBER])
VISITORS: Final = {Role.OWNER: replace(_MEMBER, operator=True), Role.MEMBER: _MEMBER}


async def try_page(folder: Path) -> list[Outcome]:
    """Have both roles send every form of the page, about their own and about others' words."""
    outcomes = []
    async with run_console(folder, NO_RAG) as talk, open_page(talk.app.parts) as opened:
        for form, (command, attempt, all_of_it) in FORMS.items():
            for role, visitor in VISITORS.items():
                for whose in (Whose.ALL,) if all_of_it else (Whose.OWN, Whose.OTHERS):
                    async with opened.visit(visitor) as browser:
                        page = _Page(talk.app.parts, browser, SAID if whose is Whose.OTHERS else _MEMBER.author_id)
                        happened = await attempt(page)
                    allowed = is_allowed(command, whose, role)
                    outcomes.append(Outcome(command, f"page: {form}", whose, role, allowed, happened))
    return outcomes


@dataclass(slots=True)
class _Page:
    """Somebody's browser, and whose words they reach for."""

    parts: Container
    browser: PageVisitor
    author: int

    async def keep(self) -> int:
        """Keep a memory of the author and return its number."""
        said = Provenance(self.author, "", "chat", Trust.USER, self.parts.clock.now())
        text = f"The door {secrets.token_hex(6)} is red."
        kept = MemoryItem(Layer.SEMANTIC, ItemType.FACT, text, text, said, text)
        return await self.parts.editor.add(SHARED, kept) & 0xFFFFFFFF

    async def send(self, form: str, page: str, **fields: str) -> bool:
        """Send a form of the memory's pages and return whether it was taken."""
        sent = await self.browser.submit(f"/m/{SHARED}/{form}", f"/m/{SHARED}/{page}", **fields)
        return sent.status_code == HTTPStatus.OK

    async def holds(self, number: int) -> MemoryItem | None:
        opened = await self.parts.browser.open(SHARED, number)
        return opened.item if opened is not None else None


async def _add_there(page: _Page) -> bool:
    word = secrets.token_hex(6)
    await page.keep()
    await page.send("memories", "memories", text=f"The gate is {word}.")
    found = await page.parts.editor.page(SHARED, Selector.ALL, search=word)
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
    done = await page.parts.eraser.erase(SHARED, ErasureTarget(items=(item.id,)), author_id=page.author)
    await page.send("undo", "memories", erase=done.undo)
    return await page.holds(number) is not None


async def _export_there(page: _Page) -> bool:
    await page.keep()
    return await page.send("export", "memories")


async def _cancel_there(page: _Page) -> bool:
    due = page.parts.clock.now() + timedelta(days=1)
    start = due.replace(tzinfo=None)
    kept = await page.parts.reminders.keep(
        Reminder(SHARED, Address("console", 0, page.author), page.author, "", "water", due, start, "UTC")
    )
    assert kept is not None
    await page.send(f"reminders/{kept.number}/cancel", "reminders", shown=str(kept.version))
    return kept.number not in {each.number for each in await page.parts.reminders.list_scope(SHARED, limit=500)}


async def _forget_document(page: _Page) -> bool:
    uid = f"d{secrets.token_hex(6)}"
    new = NewDocument(
        uid,
        f"{uid}.pdf",
        "Kettle",
        "pdf",
        Author(page.author, "", Trust.USER),
        page.parts.clock.now(),
        "console",
        1,
        0,
        "",
        uid,
        (DocumentChunk(("Manual",), "Fill the tank.", 1),),
    )
    await page.parts.documents.add(SHARED, new, index=False)
    await page.send(f"documents/{uid}/forget", f"documents/{uid}/forget")
    return await page.parts.documents.get(SHARED, uid) is None


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
}
"""Every form about a memory, but that of a chat's settings, which a memory that several chats share does not have."""
