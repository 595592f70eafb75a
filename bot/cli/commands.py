"""The commands of ``mneme``.

Every command imports what it needs when it runs, so that a chat is at its prompt quickly.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.compose.features import add_feature_commands
from bot.config.folders import find_model_folder, prepare_folders
from bot.runtime.installation import Data, Preferences
from memory_server.commands import create_app

if TYPE_CHECKING:
    from bot.config.folders import Folders
    from bot.config.live import LiveSettings
    from bot.runtime.app import App
    from memory_server.options import Embedder


async def _open_app(places: Folders, live: LiveSettings) -> App:
    from bot.compose.building import open_parts  # noqa: PLC0415 - see the module's docstring

    return await open_parts(places, live)


def _local_model(data: Path, models: Path | None) -> Embedder:
    from bot.compose.memory_server import local_model  # noqa: PLC0415 - see the module's docstring

    return local_model(data, models)


app = typer.Typer(
    name="mneme",
    help="A self-hosted assistant whose memory can be trusted.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(create_app(_local_model), name="memory-server")
add_feature_commands(app, _open_app)


@app.callback()
def start(context: typer.Context) -> None:
    """A self-hosted assistant whose memory can be trusted.  Without a command: run."""
    if context.invoked_subcommand is None:
        run()


@app.command()
def run(
    data: Data = None,
    preferences: Preferences = None,
    *,
    standby: Annotated[
        bool, typer.Option("--standby", help="Wait until no other Mneme uses the data folder, then take over.")
    ] = False,
) -> None:
    """Start: on Telegram with a token, else as a chat in this terminal."""
    from bot.compose.entry_points import run_default  # noqa: PLC0415 - see the module's docstring

    asyncio.run(run_default(prepare_folders(data, preferences), standby=standby))


@app.command()
def worker(data: Data = None, preferences: Preferences = None) -> None:
    """Answer beside other workers on one PostgreSQL; each has a data folder of its own."""
    from bot.compose.entry_points import run_worker  # noqa: PLC0415 - see the module's docstring

    asyncio.run(run_worker(prepare_folders(data, preferences)))


@app.command()
def chat(
    data: Data = None,
    preferences: Preferences = None,
    *,
    plain: Annotated[bool, typer.Option("--plain", help="For scripts: one message per input line.")] = False,
    settle: Annotated[
        bool, typer.Option("--settle", help="Index all in long-term memory after each answer; /undo ends.")
    ] = False,
) -> None:
    """Chat in this terminal."""
    from bot.compose.entry_points import run_chat  # noqa: PLC0415

    asyncio.run(run_chat(prepare_folders(data, preferences), plain=plain, settle=settle))


@app.command()
def setup(
    data: Data = None, *, anew: Annotated[bool, typer.Option("--anew", help="Make them once more.")] = False
) -> None:
    """Make the local embedding models unless they are there, and check them."""
    from adapters.embedding.files import provide_models  # noqa: PLC0415

    folder = find_model_folder((data or Path("data")).absolute())
    provide_models(folder, lambda line: typer.echo(f"      {line}"), anew=anew).check()
    typer.echo(f"      embedding models ready in {folder}")


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

    raise typer.Exit(
        asyncio.run(run_check(prepare_folders(data, preferences), as_json=as_json, acknowledge=acknowledge))
    )


@app.command()
def backup(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Default: in the folder backups.")] = None,
    data: Data = None,
    preferences: Preferences = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
) -> None:
    """Make a checked copy of the store, also while Mneme runs."""
    from bot.compose.maintenance import make_backup  # noqa: PLC0415

    make_backup(prepare_folders(data, preferences), file, as_json=as_json)


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
    from bot.compose.maintenance import run_restore  # noqa: PLC0415

    places = prepare_folders(data, preferences)
    raise typer.Exit(asyncio.run(run_restore(places, file, latest=latest, dry_run=dry_run)))


@app.command()
def move(
    data: Data = None,
    preferences: Preferences = None,
    *,
    to: Annotated[
        str, typer.Option("--to", metavar="ADDRESS", help="A PostgreSQL: postgresql://…, or `sqlite`: the file.")
    ] = "",
    origin: Annotated[
        str, typer.Option("--from", metavar="ADDRESS", help="Where from.  Default: the store that is in use.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable: rows and checksum of each table.")] = False,
) -> None:
    """Move everything to a PostgreSQL, or back; what was cut off goes on when it is said again."""
    from bot.compose.maintenance import run_move  # noqa: PLC0415

    asyncio.run(run_move(prepare_folders(data, preferences), to=to, origin=origin, as_json=as_json))


@app.command()
def pair(data: Data = None, preferences: Preferences = None) -> None:
    """Print a one-time code that lets somebody talk to the bot on Telegram."""
    from bot.compose.entry_points import issue_code  # noqa: PLC0415

    asyncio.run(issue_code(prepare_folders(data, preferences)))


@app.command()
def reindex(data: Data = None, preferences: Preferences = None) -> None:
    """Queue everything said but small talk for long-term memory once more: for a server that lost its data."""
    from bot.compose.maintenance import run_reindex  # noqa: PLC0415

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
    from bot.compose.maintenance import run_dead_letters  # noqa: PLC0415

    asyncio.run(run_dead_letters(prepare_folders(data, preferences), revive=revive, as_json=as_json))
