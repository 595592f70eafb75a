"""Every kind of deed × every role, what really happened beside the table.

In a group, through a strict Telegram; the forms of the page are tried by ``harness/page_rights.py``.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bot.core.rights import Role, Whose, is_allowed
from bot.memory.documents.chunking import DocumentChunk
from bot.memory.items import Trust
from bot.memory.scope import Scope
from bot.messages import Address, Author
from bot.ports.documents import DocumentStore, NewDocument
from bot.ports.memory_store import Selector
from bot.ports.reminders import Reminders
from bot.runtime.app import App
from harness.application import TelegramChats, run_on_telegram
from harness.fakes.telegram import FakeTelegram

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
