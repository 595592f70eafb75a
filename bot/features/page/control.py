"""The page of memory beside a running Mneme: built when somebody asks for it first, so that a start pays nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from adapters.page.control import Control
from adapters.page.gate import Visitor
from bot.features.page.visitors import is_owner, open_everything, open_own
from bot.memory.scope import Scope
from bot.messages import InboundMessage
from bot.ports.page import MemoryPage
from bot.runtime.app import App

if TYPE_CHECKING:
    from adapters.page.site import LoopbackPage


class Pages(dict[str, MemoryPage | None]):
    """By "" the page on this machine, and by platform one that the platform opens by itself (``None``)."""


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

    async def make_link_for(self, message: InboundMessage, scope: Scope) -> str:
        """Return an address that shows one scope, to whoever opens it first."""
        return await self.make_link(open_own(message, scope))

    async def _is_owner(self, visitor: Visitor) -> bool:
        return is_owner(self._app, visitor.author_id)

    async def close(self) -> None:
        """Stop listening, if anything listens."""
        if self._page is not None:
            await self._page.close()


@asynccontextmanager
async def serve_page(app: App) -> AsyncIterator[None]:
    """Let a running Mneme open its page when ``mneme page`` asks for it, for as long as this lasts."""
    if not app.settings.current().page.enabled:
        yield
        return
    page, pages = RunningPage(app), app.need(Pages)
    control = Control(app.places.data / "state", lambda: page.make_link(open_everything()))
    await control.start()
    pages[""] = page
    try:
        yield
    finally:
        pages.pop("", None)
        await control.close()
        await page.close()
