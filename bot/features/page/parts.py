"""What the page shows and changes, of the parts of a Mneme."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.console.plain import ADDRESS
from adapters.page.gate import Sessions, Visitor, always_allowed, delete_redirect
from adapters.page.visits import Found, PageParts
from adapters.tools.memory import to_recalled
from bot.commands.memory import item_of, says_more
from bot.config.folders import Folders
from bot.features.page.settings import PageSettings
from bot.memory.helpfulness import HELP_FLOOR, HELPS, list_helpful
from bot.memory.items import MemoryItem, Recalled
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Address, Author
from bot.ports.chats import ChatSettings
from bot.ports.documents import DocumentStore
from bot.ports.lists import Lists
from bot.ports.memory_store import MemoryQuery
from bot.ports.reminders import ComingReminders, Reminders
from bot.ports.transfer import Exporter
from bot.ports.usage import UsageLedger, find_prices
from bot.runtime.app import App
from language.registry import choose_texts


def find_chat(app: App, scope: Scope) -> Address | None:
    """Return the one chat that a scope belongs to, ``None`` for topics and for memories that several chats share."""
    tag = scope.tag
    if tag.startswith("c"):
        return ADDRESS
    bot_id = app.settings.current.telegram.token.partition(":")[0]
    if tag[:2] not in {"tu", "tc"} or not bot_id.isdecimal():
        return None
    return Address("telegram", int(bot_id), int(tag[2:].replace("n", "-")))


_MOST_FOUND = 40


def build_page_parts(app: App, *, alone: bool = False) -> PageParts:
    """Return what the page shows and changes; ``alone`` while no long-term memory runs."""

    async def search(scope: Scope, text: str, reader: Reader) -> Found:
        reading = (lambda: False) if alone else app.settings.uses_long_term_memory
        asked = MemoryQuery(text, reader.id, reader.name, app.clock.now(), limit=_MOST_FOUND)
        found = await app.make_retrieval(reading)(scope, asked)
        helpful = list_helpful(found.items, found.relevant, floor=0.0 if found.overview else HELP_FLOOR)
        return Found(tuple(_judge(memory, helps) for memory, helps in helpful)[:_MOST_FOUND], found.notes)

    def find_zone(visitor: Visitor) -> tzinfo | None:
        chosen = app.chat_settings.find(Address("telegram", *visitor.user)).time_zone if visitor.user else ""
        return ZoneInfo(chosen) if chosen else app.clock.now().tzinfo

    async def remember(scope: Scope, text: str, author: Author) -> int:
        if not app.settings.keeps_items() or not says_more(text):
            return 0
        now = app.clock.now()
        return await app.editor.add(scope, item_of(text, author, now, now))

    async def settle(chat: Address, edit: Callable[[ChatSettings], ChatSettings]) -> None:
        settings = await app.chat_settings.adjust(chat, edit)
        if show_menu := app.menus.get(chat.platform):
            await show_menu(chat, settings.language)

    return PageParts(
        timeline=app.timeline,
        names=app.names,
        browser=app.browser,
        editor=app.editor,
        eraser=app.eraser,
        undo=app.undo,
        kept=app.kept,
        records=app.records,
        search=search,
        texts=lambda language: choose_texts(language, app.settings.current.language),
        zone=find_zone,
        now=app.clock.now,
        documents=app.find(DocumentStore),
        usage=app.find(UsageLedger),
        prices=lambda: find_prices(app.settings.current.list_features()),
        chat_settings=app.chat_settings,
        find_chat=lambda scope: find_chat(app, scope),
        settle=settle,
        reminders=app.find(Reminders),
        lists=app.find(Lists),
        coming=app.find(ComingReminders),
        exporter=app.find(Exporter),
        remember=remember,
    )


def _judge(memory: MemoryItem | Recalled, helps: float) -> Recalled:
    recalled = to_recalled(memory, helps) if isinstance(memory, MemoryItem) else memory
    return replace(recalled, signals={**recalled.signals, HELPS: helps})


def build_sessions(app: App, *, allowed: Callable[[Visitor], Awaitable[bool]] = always_allowed) -> Sessions:
    """Return the links and sessions of one door, by the settings in force; ``allowed`` as :class:`Sessions` asks it."""
    return Sessions(
        app.clock,
        link_s=lambda: app.settings.current.of(PageSettings).link_minutes * 60.0,
        idle_s=lambda: app.settings.current.of(PageSettings).session_minutes * 60.0,
        allowed=allowed,
        used=partial(delete_redirect, find_state(app.places)),
    )


def find_state(places: Folders) -> Path:
    """Return the folder where the page keeps what belongs to a running Mneme."""
    return places.data / "state"
