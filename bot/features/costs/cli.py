"""``mneme usage``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from bot.config.folders import prepare_folders
from bot.runtime.installation import Data, Preferences

if TYPE_CHECKING:  # the parts of Mneme take a second to import
    from bot.runtime.app import OpenApp


def add_commands(cli: typer.Typer, _: OpenApp) -> None:
    """Add the feature's commands."""

    @cli.command()
    def usage(
        data: Data = None,
        preferences: Preferences = None,
        *,
        month: Annotated[str | None, typer.Option("--month", metavar="YYYY-MM", help="Default: this month.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    ) -> None:
        """Show what language models have cost, by chat, model and purpose, in tokens and money."""
        from bot.features.costs.terminal import run_usage  # noqa: PLC0415

        asyncio.run(run_usage(prepare_folders(data, preferences), month=month, as_json=as_json))
