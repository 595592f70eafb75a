"""The page of memory beside a running Mneme: built when somebody asks for it first, so that a start pays nothing.

/page tells whoever runs the bot a link, and others of Telegram's menu button.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from adapters.page.gate import Control, Visitor
from bot.commands.formatting import make_reply
from bot.features.page.settings import PageSettings
from bot.features.page.visitors import Pages, is_owner, open_everything, open_own
from bot.memory.items import Trust
from bot.messages import ChatKind
from bot.ports.system import CommandCall
from bot.runtime.app import App
from bot.turn import Reply


async def register(app: App) -> None:
    """Add the page to Mneme."""
    pages = Pages()
    app.provide(Pages, pages)

    @asynccontextmanager
    async def serve() -> AsyncIterator[None]:
        async with serve_page(app):
            if (receiver := app.clients.get("telegram")) is None:
                yield
                return
            from bot.features.page.mini_app import serve_app  # noqa: PLC0415 - aiogram takes a second to import

            async with serve_app(app, receiver.bot):
                yield

    command = PageCommand(pages, lambda: app.settings.current.of(PageSettings).link_minutes)
    app.added.serving.append(serve)
    app.added.commands.append(command)
    app.added.menu.append(command.name)


if TYPE_CHECKING:
    from adapters.page.site import LoopbackPage


class RunningPage:
    """The page of a running Mneme on this machine."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._page: LoopbackPage | None = None

    async def make_link(self, visitor: Visitor) -> str:
        """Return an address that opens the page once, for this visitor."""
        if self._page is None:
            # The web server takes a third of a second to import, and few sessions open the page.
            from adapters.page.site import LoopbackPage  # noqa: PLC0415
            from bot.features.page.parts import build_page_parts, build_sessions  # noqa: PLC0415

            sessions = build_sessions(self._app, allowed=self._is_owner)
            self._page = LoopbackPage(build_page_parts(self._app), sessions)
        return await self._page.make_link(visitor)

    async def _is_owner(self, visitor: Visitor) -> bool:
        return is_owner(self._app, visitor.author_id)

    async def close(self) -> None:
        """Stop listening, if anything listens."""
        if self._page is not None:
            await self._page.close()


@asynccontextmanager
async def serve_page(app: App) -> AsyncIterator[None]:
    """Let a running Mneme open its page when ``mneme page`` asks for it, for as long as this lasts."""
    if not app.settings.current.of(PageSettings).enabled:
        yield
        return
    page, pages = RunningPage(app), app.need(Pages)
    control = Control(app.places.data / "state", lambda: page.make_link(open_everything()))
    await control.start()
    pages[""] = lambda message, scope: page.make_link(open_own(message, scope))
    try:
        yield
    finally:
        pages.pop("", None)
        await control.close()
        await page.close()


@dataclass(frozen=True, slots=True)
class PageCommand:
    """Says how to open the page of one's own memory; in a group nobody, as everybody would read the link.

    That on the machine that we run on its operator alone can reach.
    """

    pages: Pages
    link_minutes: Callable[[], int]

    name: ClassVar[str] = "page"

    async def run(self, call: CommandCall) -> Reply:
        """Return the way in."""
        words, make_link = call.texts.page, self.pages.get("")
        if call.message.chat_kind is not ChatKind.DIRECT:
            return make_reply(words.not_here)
        if call.message.address.platform in self.pages:
            return make_reply(words.by_menu)
        if call.author.trust is not Trust.OWNER:
            return make_reply(words.not_yours)
        if make_link is None:
            return make_reply(words.off)
        link = await make_link(call.message, call.scope)
        return make_reply(words.link.format(minutes=self.link_minutes(), link=link))
