"""``mneme export`` and ``mneme import``."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.config.folders import prepare_folders
from bot.runtime.installation import Data, Preferences


class Platform(StrEnum):
    """Where somebody talks to Mneme."""

    TELEGRAM = "telegram"
    CONSOLE = "console"


class Dates(StrEnum):
    """The order of day, month and year."""

    DMY = "dmy"
    MDY = "mdy"
    YMD = "ymd"


SomePlatform = Annotated[
    Platform | None,
    typer.Option("--platform", help="Where they talk to Mneme; default: telegram with an owner, else console."),
]

if TYPE_CHECKING:  # the parts of Mneme take a second to import
    from bot.runtime.app import OpenApp


def add_commands(cli: typer.Typer, _: OpenApp) -> None:
    """Add the feature's commands."""

    @cli.command()
    def export(
        data: Data = None,
        preferences: Preferences = None,
        scope: Annotated[
            str | None,
            typer.Option("--scope", metavar="TAG", help="A memory by its name (tu42, tcn100123), any of them."),
        ] = None,
        user: Annotated[
            int | None, typer.Option("--user", metavar="ID", help="The memory of a Telegram user; default: the owner.")
        ] = None,
        platform: SomePlatform = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE", help="The zip; default: mneme-TAG-DATE.zip here.")
        ] = None,
    ) -> None:
        """Write one memory whole (conversations, memories, wishes …) as a zip to read, keep or import elsewhere."""
        from bot.features.transfer.terminal import run_export  # noqa: PLC0415 - see the module's docstring

        places = prepare_folders(data, preferences)
        asyncio.run(run_export(places, scope=scope, user=user, platform=platform, out=out))

    @cli.command("import")
    def import_(
        file: Annotated[
            Path,
            typer.Argument(
                metavar="FILE",
                help="A conversation exported by Telegram Desktop (JSON), WhatsApp, ChatGPT, Claude, DiscordChatExpor"
                "ter, Messenger, Instagram or Slack, or JSON lines; the zip of one of these, or an export of "
                "Mneme.  See docs/import.md.",
            ),
        ],
        data: Data = None,
        preferences: Preferences = None,
        scope: Annotated[
            str | None,
            typer.Option("--scope", help="Whose memory, as file names show it; default: all, or the file's."),
        ] = None,
        *,
        who: Annotated[
            str | None,
            typer.Option(
                "--as", metavar="NAME_OR_ID", help='Who in the file is the user; "nobody" if they are not in it.'
            ),
        ] = None,
        user: Annotated[
            int | None,
            typer.Option("--user", metavar="ID", help="The Telegram user whose memory it goes to; default: the owner."),
        ] = None,
        platform: SomePlatform = None,
        dates: Annotated[
            Dates | None, typer.Option("--dates", help="How a WhatsApp file writes dates where nothing in it tells.")
        ] = None,
        trust: Annotated[
            bool,
            typer.Option("--trust", help="Believe an export of Mneme whoever made it: all authors, all their trust."),
        ] = False,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be imported; write nothing.")] = False,
        as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    ) -> None:
        """Bring conversations along, or read memories back, from an exported file; doing it again adds nothing."""
        from bot.config.folders import find_folders, prepare_folders  # noqa: PLC0415
        from bot.features.transfer.terminal import ImportCommand, run_import  # noqa: PLC0415

        asked = ImportCommand(file, scope, who, user, platform, dry_run, as_json, dates or "", trust)
        places = find_folders(data, preferences) if dry_run else prepare_folders(data, preferences)
        asyncio.run(run_import(places, asked))
