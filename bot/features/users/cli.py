"""``mneme users``."""

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
    def users(
        data: Data = None,
        preferences: Preferences = None,
        *,
        revoke: Annotated[
            int | None, typer.Option("--revoke", metavar="ID", help="Take this user's pairing back.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    ) -> None:
        """List who may talk to the bot, since when and how much; or take a pairing back."""
        from bot.features.users.terminal import run_users  # noqa: PLC0415

        raise typer.Exit(asyncio.run(run_users(prepare_folders(data, preferences), revoke=revoke, as_json=as_json)))
