"""``mneme page``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from bot.config.folders import prepare_folders
from bot.runtime.installation import Data, Preferences

if TYPE_CHECKING:  # the parts of Mneme take a second to import
    from bot.runtime.app import OpenApp


def add_commands(cli: typer.Typer, open_app: OpenApp) -> None:
    """Add the feature's commands."""

    @cli.command()
    def page(
        data: Data = None,
        preferences: Preferences = None,
        *,
        browser: Annotated[
            bool, typer.Option("--browser/--no-browser", help="Open the link in a browser, from a terminal.")
        ] = True,
    ) -> None:
        """Look at memory in a browser, and change it: prints a link that works once, on this machine."""
        from bot.features.page.terminal import run_page  # noqa: PLC0415

        asyncio.run(run_page(prepare_folders(data, preferences), open_app, browse=browser))
