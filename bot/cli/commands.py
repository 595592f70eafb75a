"""The commands of ``mneme``.

Every command imports what it needs when it runs, so that a chat is at its prompt quickly.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.server import server

app = typer.Typer(
    name="mneme",
    help="A self-hosted assistant whose memory can be trusted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(server, name="memory-server")

Data = Annotated[
    Path | None, typer.Option("--data", help="Folder where everything lives.  Default: $MNEME_DATA, else ./data.")
]
Preferences = Annotated[
    Path | None,
    typer.Option("--preferences", help="Folder with runtime-config.json, prompts/ and skills/."),
]


@app.command()
def run(data: Data = None, preferences: Preferences = None) -> None:
    """Start: on Telegram with a token, else as a chat in this terminal."""
    from bot.compose.entry_points import run_default  # noqa: PLC0415 - see the module's docstring
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    asyncio.run(run_default(prepare_folders(data, preferences)))


@app.command()
def chat(
    data: Data = None,
    preferences: Preferences = None,
    *,
    plain: Annotated[bool, typer.Option("--plain", help="For scripts: one message per input line.")] = False,
    settle: Annotated[
        bool, typer.Option("--settle", help="After each answer wait until all is indexed in long-term memory.")
    ] = False,
) -> None:
    """Chat in this terminal."""
    from bot.compose.entry_points import run_chat  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    asyncio.run(run_chat(prepare_folders(data, preferences), plain=plain, settle=settle))


@app.command()
def setup(data: Data = None) -> None:
    """Make the local embedding model, so that the first start is quick."""
    from adapters.embedding.minilm import MiniLmWordEmbedder  # noqa: PLC0415
    from bot.config.folders import find_model_folder  # noqa: PLC0415

    model = MiniLmWordEmbedder(find_model_folder((data or Path("data")).absolute()))
    asyncio.run(model.prepare(lambda line: typer.echo(f"      {line}")))
    model.close()


@app.command()
def check(
    data: Data = None,
    preferences: Preferences = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    acknowledge: Annotated[
        bool, typer.Option("--acknowledge", help="Take note of damage that was found: it is not told again.")
    ] = False,
) -> None:
    """Report health: config, store, LightRAG, LLM, Telegram.  Exit code 1 if something is down or was damaged."""
    from bot.compose.health import run_check  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    raise typer.Exit(
        asyncio.run(run_check(prepare_folders(data, preferences), as_json=as_json, acknowledge=acknowledge))
    )


@app.command()
def restore(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A back-up, or a store; without one they are listed.")
    ] = None,
    data: Data = None,
    preferences: Preferences = None,
    *,
    latest: Annotated[bool, typer.Option("--latest", help="The newest back-up.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be restored; change nothing.")] = False,
) -> None:
    """Go back to a back-up of the store; what is there is kept, what was erased stays erased."""
    from bot.compose.restoring import run_restore  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    places = prepare_folders(data, preferences)
    raise typer.Exit(asyncio.run(run_restore(places, file, latest=latest, dry_run=dry_run)))


@app.command()
def pair(data: Data = None, preferences: Preferences = None) -> None:
    """Print a one-time code that lets somebody talk to the bot on Telegram."""
    from bot.compose.entry_points import issue_code  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    asyncio.run(issue_code(prepare_folders(data, preferences)))


@app.command()
def users(
    data: Data = None,
    preferences: Preferences = None,
    *,
    revoke: Annotated[int | None, typer.Option("--revoke", metavar="ID", help="Take this user's pairing back.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """List who may talk to the bot, since when and how much; or take a pairing back."""
    from bot.config.folders import prepare_folders  # noqa: PLC0415
    from bot.features.users.joining import run_users  # noqa: PLC0415

    raise typer.Exit(asyncio.run(run_users(prepare_folders(data, preferences), revoke=revoke, as_json=as_json)))


@app.command()
def page(
    data: Data = None,
    preferences: Preferences = None,
    *,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the link in a browser, from a terminal.")
    ] = True,
) -> None:
    """Look at memory in a browser, and change it: prints a link that works once, on this machine."""
    from bot.config.folders import prepare_folders  # noqa: PLC0415
    from bot.features.page.parts import run_page  # noqa: PLC0415

    asyncio.run(run_page(prepare_folders(data, preferences), browse=browser))


@app.command()
def usage(
    data: Data = None,
    preferences: Preferences = None,
    *,
    month: Annotated[str | None, typer.Option("--month", metavar="YYYY-MM", help="Default: this month.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """Show what language models have cost, by chat, model and purpose, in tokens and money."""
    from bot.config.folders import prepare_folders  # noqa: PLC0415
    from bot.features.costs.joining import run_usage  # noqa: PLC0415

    asyncio.run(run_usage(prepare_folders(data, preferences), month=month, as_json=as_json))


Scope = Annotated[
    str | None,
    typer.Option("--scope", help="Whose memory, as file names show it; default: all, or the file's."),
]


class Platform(StrEnum):
    """Where somebody talks to Mneme."""

    TELEGRAM = "telegram"
    CONSOLE = "console"


@app.command()
def export(
    data: Data = None,
    preferences: Preferences = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="TAG", help="A memory by its name (tu42, tcn100123), any of them.")
    ] = None,
    user: Annotated[
        int | None, typer.Option("--user", metavar="ID", help="The memory of a Telegram user; default: the owner.")
    ] = None,
    platform: Annotated[
        Platform | None,
        typer.Option("--platform", help="Where they talk to Mneme; default: telegram with an owner, else console."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The zip; default: mneme-TAG-DATE.zip here.")
    ] = None,
) -> None:
    """Write one memory whole (conversations, memories, wishes …) as a zip to read, keep or import elsewhere."""
    from bot.config.folders import prepare_folders  # noqa: PLC0415
    from bot.features.transfer.cli_export import run_export  # noqa: PLC0415 - see the module's docstring

    chosen = platform.value if platform else None
    asyncio.run(run_export(prepare_folders(data, preferences), scope=scope, user=user, platform=chosen, out=out))


@app.command()
def reindex(data: Data = None, preferences: Preferences = None) -> None:
    """Queue everything said but small talk for long-term memory once more: for a server that lost its data."""
    from bot.compose.administration import run_reindex  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    asyncio.run(run_reindex(prepare_folders(data, preferences)))


@app.command("dead-letters")
def dead_letters(
    data: Data = None,
    preferences: Preferences = None,
    *,
    revive: Annotated[bool, typer.Option("--revive", help="Put all of them back into the queue.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """List what long-term memory gave up, with the reasons."""
    from bot.compose.administration import run_dead_letters  # noqa: PLC0415
    from bot.config.folders import prepare_folders  # noqa: PLC0415

    asyncio.run(run_dead_letters(prepare_folders(data, preferences), revive=revive, as_json=as_json))


class Dates(StrEnum):
    """The order of day, month and year."""

    DMY = "dmy"
    MDY = "mdy"
    YMD = "ymd"


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A conversation exported by Telegram Desktop (JSON), WhatsApp, ChatGPT, Claude, DiscordChatExporter, "
            "Messenger, Instagram or Slack, or JSON lines; the zip of one of these, or an export of Mneme.  "
            "See docs/import.md.",
        ),
    ],
    data: Data = None,
    preferences: Preferences = None,
    scope: Scope = None,
    *,
    who: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME_OR_ID", help='Who in the file is the user; "nobody" if they are not in it.'),
    ] = None,
    user: Annotated[
        int | None,
        typer.Option("--user", metavar="ID", help="The Telegram user whose memory it goes to; default: the owner."),
    ] = None,
    platform: Annotated[
        Platform | None,
        typer.Option("--platform", help="Where they talk to Mneme; default: telegram with an owner, else console."),
    ] = None,
    dates: Annotated[
        Dates | None, typer.Option("--dates", help="How a WhatsApp file writes dates where nothing in it tells.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Believe an export of Mneme whoever made it: all authors, all their trust.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be imported; write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """Bring conversations along, or read memories back, from an exported file; doing it again adds nothing."""
    from bot.config.folders import find_folders, prepare_folders  # noqa: PLC0415
    from bot.features.transfer.cli_import import run_import  # noqa: PLC0415
    from bot.features.transfer.report import ImportCommand  # noqa: PLC0415

    asked = ImportCommand(
        file, scope, who, user, platform.value if platform else None, dry_run, as_json, dates or "", trust
    )
    places = find_folders(data, preferences) if dry_run else prepare_folders(data, preferences)
    asyncio.run(run_import(places, asked))
