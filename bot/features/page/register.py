"""Adds it to Mneme."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.features.page.command import PageCommand
from bot.features.page.control import Pages, serve_page
from bot.runtime.app import App


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

    command = PageCommand(
        app.voice,
        lambda: pages.get(""),
        lambda platform: platform in pages,
        lambda: app.settings.current().page.link_minutes,
    )
    app.added.serving.append(serve)
    app.added.commands.append(command)
    app.added.menu.append(command.name)
