"""Joins the page of memory to the parts, and serves it alone where no Mneme runs."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.page.control import ask_for_link, delete_redirect, delete_redirects, write_redirect
from adapters.page.gate import Sessions, Visitor, always_allowed
from adapters.page.site import LoopbackPage
from adapters.page.visits import Found, ListedReminder, PageParts
from adapters.tools.memory_search import to_recalled
from bot.commands.remember import item_of, says_more
from bot.compose.building import load_live_settings, open_parts
from bot.compose.lock import is_running, only_mneme
from bot.compose.logs import set_up_logs
from bot.compose.retrieval import build_retrieval
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.features.page.visitors import find_chat, open_everything
from bot.features.reminders.wording import write_repetition, write_when
from bot.memory.helpfulness import HELP_FLOOR, HELPS, list_helpful
from bot.memory.items import MemoryItem, Recalled
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from bot.messages import Address, Author
from bot.ports.chat_settings import ChatSettings
from bot.ports.recall import MemoryQuery
from bot.runtime.container import Container
from language.registry import choose_texts
from language.texts import Texts

_LAPSE_S = 5.0
_MOST_FOUND = 40


def build_page_parts(parts: Container, *, alone: bool = False) -> PageParts:
    """Return what the page shows and changes; ``alone`` while no long-term memory runs."""

    async def search(scope: Scope, text: str, reader: Reader) -> Found:
        reading = (lambda: False) if alone else parts.settings.uses_long_term_memory
        asked = MemoryQuery(text, reader.id, reader.name, parts.clock.now(), limit=_MOST_FOUND)
        found = await build_retrieval(parts, reading)(scope, asked)
        helpful = list_helpful(found.items, found.relevant, floor=0.0 if found.overview else HELP_FLOOR)
        return Found(tuple(_judge(memory, helps) for memory, helps in helpful)[:_MOST_FOUND], found.notes)

    def find_zone(visitor: Visitor) -> tzinfo | None:
        chosen = parts.chat_settings.find(Address("telegram", *visitor.user)).time_zone if visitor.user else ""
        return ZoneInfo(chosen) if chosen else parts.clock.now().tzinfo

    async def remember(scope: Scope, text: str, author: Author) -> int:
        if not parts.settings.keeps_items() or not says_more(text):
            return 0
        now = parts.clock.now()
        return await parts.editor.add(scope, item_of(text, author, now, now))

    async def list_reminders(scope: Scope, texts: Texts) -> list[ListedReminder]:
        kept = await parts.reminders.list_scope(scope, limit=1000)
        coming = sorted((at, each.id, each) for each in kept if (at := each.wake_at) is not None)
        return [
            ListedReminder(
                each,
                write_when(at, each.zone, texts),
                write_repetition(each.repetition, each.start, texts) if each.repetition else "",
            )
            for at, _, each in coming
        ]

    async def settle(chat: Address, edit: Callable[[ChatSettings], ChatSettings]) -> None:
        settings = await parts.chat_settings.adjust(chat, edit)
        if show_menu := parts.menus.get(chat.platform):
            await show_menu(chat, settings.language)

    return PageParts(
        timeline=parts.timeline,
        names=parts.names,
        browser=parts.browser,
        editor=parts.editor,
        eraser=parts.eraser,
        undo=parts.undo,
        kept=parts.kept,
        records=parts.records,
        search=search,
        texts=lambda language: choose_texts(language, parts.settings.current().language),
        zone=find_zone,
        now=parts.clock.now,
        documents=parts.documents,
        usage=parts.usage,
        prices=parts.budgets.list_prices,
        chat_settings=parts.chat_settings,
        find_chat=lambda scope: find_chat(parts, scope),
        settle=settle,
        reminders=parts.reminders,
        list_reminders=list_reminders,
        exporter=parts.exporter,
        remember=remember,
    )


def _judge(memory: MemoryItem | Recalled, helps: float) -> Recalled:
    recalled = to_recalled(memory, helps) if isinstance(memory, MemoryItem) else memory
    return replace(recalled, signals={**recalled.signals, HELPS: helps})


def build_sessions(parts: Container, *, allowed: Callable[[Visitor], Awaitable[bool]] = always_allowed) -> Sessions:
    """Return the links and sessions of one door, by the settings in force; ``allowed`` as :class:`Sessions` asks it."""
    return Sessions(
        parts.clock,
        link_s=lambda: parts.settings.current().page.link_minutes * 60.0,
        idle_s=lambda: parts.settings.current().page.session_minutes * 60.0,
        allowed=allowed,
        used=partial(delete_redirect, _find_state(parts.places)),
    )


def _find_state(places: Folders) -> Path:
    return places.data / "state"


async def run_page(places: Folders, *, browse: bool) -> None:
    """Print a link to the page, and open it where there is a browser: asked of the running Mneme, else served here.

    Raises :class:`~bot.errors.ConfigInvalid` where the page is switched off.
    """
    live = load_live_settings(places)
    if not live.current().page.enabled:
        raise ConfigInvalid("the page is switched off: set page.enabled to true in runtime-config.json")
    if is_running(places):
        link = await ask_for_link(_find_state(places))
        if link is None:
            raise ConfigInvalid("the running Mneme does not answer: was page.enabled false when it started?")
        await _show(link, places, live, browse=browse)
        return
    with only_mneme(places):
        await _serve_alone(places, live, browse=browse)


async def _serve_alone(places: Folders, live: LiveSettings, *, browse: bool) -> None:
    set_up_logs(live.current().log.level, "json", places.logs / "mneme.log")
    parts = await open_parts(places, live)
    page = LoopbackPage(build_page_parts(parts, alone=True), build_sessions(parts))
    beside = [
        asyncio.create_task(_lapse(parts), name="lapse"),
        asyncio.create_task(parts.housekeeping.catch_up(), name="catch up"),
    ]
    try:
        await parts.housekeeping.resume()
        sys.stderr.write("Ctrl-C closes the page.\n")
        await _show(await page.make_link(open_everything()), places, live, browse=browse)
        await page.wait_until_unused()
    finally:
        await page.close()
        await asyncio.to_thread(delete_redirects, _find_state(places))
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        with suppress(StorageUnavailable):
            await parts.housekeeping.lapse(everything=True)
        await parts.close()


async def _lapse(parts: Container) -> None:
    """Make erases final in time: alone there is no other job that does it."""
    while True:
        await asyncio.sleep(_LAPSE_S)
        with suppress(StorageUnavailable):
            await parts.housekeeping.lapse()


async def _show(link: str, places: Folders, live: LiveSettings, *, browse: bool) -> None:
    sys.stdout.write(f"{link}\n")
    sys.stdout.flush()
    minutes = live.current().page.link_minutes
    sys.stderr.write(f"Opens the page of memory on this machine, once, within {minutes} minutes.\n")
    if browse and sys.stdout.isatty():
        with suppress(OSError):  # the link has been printed
            file = await asyncio.to_thread(write_redirect, _find_state(places), link)
            await asyncio.to_thread(webbrowser.open, file.as_uri())  # a browser of the terminal is waited for
