"""The page of memory as a Telegram Mini App: who may come in by it, and the menu button that opens it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiogram import Bot

from adapters.page.gate import Visitor
from adapters.page.site import PublicPage, build_site, open_public_door
from adapters.telegram.access import AllowLists, is_known_person, read_init_data
from adapters.telegram.account import reset_menu_button, set_menu_button
from bot.features.page.parts import build_page_parts, build_sessions
from bot.features.page.settings import PageSettings
from bot.features.page.visitors import Pages, open_own
from bot.memory.items import Trust
from bot.messages import Address, Author, InboundMessage
from bot.runtime.app import App
from bot.runtime.chat_rules import find_scope
from language.registry import choose_texts


@asynccontextmanager
async def serve_app(app: App, bot: Bot) -> AsyncIterator[PublicPage | None]:
    """Serve the Mini App for as long as this lasts, where a public address is set; else take its button away."""
    settings = app.settings.current
    mark = app.places.data / "state" / "menu-button"
    if not settings.of(PageSettings).public_url or not settings.of(PageSettings).enabled:
        if mark.exists() and await reset_menu_button(bot):
            mark.unlink(missing_ok=True)
        yield None
        return
    gate = AppGate(app, bot.id)
    page_settings = settings.of(PageSettings)
    sessions = build_sessions(app, allowed=gate.may_stay)
    door = open_public_door(page_settings.public_url)
    page = PublicPage(build_site(build_page_parts(app), sessions, door, gate.admit), page_settings.public_listen)
    await page.start()
    try:
        mark.touch()
        text = choose_texts("", settings.language).page.menu_button
        await set_menu_button(bot, text, f"{page_settings.public_url.rstrip('/')}/app")
        app.need(Pages)["telegram"] = None
        yield page
    finally:
        app.need(Pages).pop("telegram", None)
        await page.close()


class AppGate:
    """Lets in whom Telegram vouches for and who may talk to the bot, each to the memory of their direct chat alone."""

    def __init__(self, app: App, bot_id: int) -> None:
        self._app = app
        self._bot_id = bot_id
        self._lists = AllowLists.read_from(lambda: app.settings.current.telegram, app.chats.home)

    async def may_stay(self, visitor: Visitor) -> bool:
        """Return whether somebody would be let in now as what they came in: whoever runs the bot may have changed."""
        operates = visitor.author_id in self._lists.owners()
        return visitor.operator == operates and await self._is_known(visitor.author_id)

    async def _is_known(self, user_id: int) -> bool:
        """Return whether a user may talk to the bot now, by the rules for messages of direct chats."""
        return await is_known_person(self._lists, self._app.access, self._bot_id, user_id)

    async def admit(self, init_data: str) -> Visitor | None:
        """Return whom a Mini App was opened by, ``None`` for forged or old data, and for a stranger."""
        app, settings = self._app, self._app.settings.current
        user = read_init_data(settings.telegram.token, init_data, app.clock.now())
        if user is None or not await self._is_known(user.id):
            return None
        trust = Trust.OWNER if user.id in self._lists.owners() else Trust.USER
        address = Address("telegram", self._bot_id, user.id)
        author = Author(user.id, user.name, trust)
        message = InboundMessage(address, 0, 0, author, "", app.clock.now(), language=user.language)
        scope = find_scope(message, settings, app.chats, app.rules.find_scope_kind(message, settings))
        return open_own(message, scope)
