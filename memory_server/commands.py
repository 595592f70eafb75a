"""The command line: serve, import, check, reconcile, diagnose, reindex.

The commands besides serving work on a data folder that no server uses at the time; ``--data`` stands before them.
"""

import asyncio
import gc
import logging
from pathlib import Path
from typing import Annotated, Final

import typer

from memory_server.hiding import without
from memory_server.options import LocalModel, ServerCall

Json = Annotated[bool, typer.Option("--json", help="Machine-readable.")]
Workspaces = Annotated[list[str] | None, typer.Argument(help="Workspaces; default: all.")]


_MADE_AT_START: Final = 300_000
"""New objects after which a collection of garbage looks at them: what a start makes, some 240,000, stays."""


def create_app(local_model: LocalModel | None) -> typer.Typer:
    """Return the commands; the heavy imports are made by the command that runs."""
    server = typer.Typer(
        help="The memory server: LightRAG for many isolated workspaces.",
        invoke_without_command=True,
        pretty_exceptions_enable=False,
    )

    @server.callback()
    def serve(
        context: typer.Context,
        data: Annotated[Path, typer.Option("--data", help="Folder of the server's data.")] = Path("data/memory-server"),
        models: Annotated[Path | None, typer.Option("--models", help="Folder of the embedding model.")] = None,
        host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
        port: Annotated[int | None, typer.Option(help="Port; 0 takes a free one.  Default: 9621.")] = None,
        open_workspaces: Annotated[int, typer.Option(help="Workspaces kept open at once.")] = 64,
        *,
        child: Annotated[bool, typer.Option("--child", hidden=True)] = False,
    ) -> None:
        """Serve LightRAG's REST API for many isolated workspaces."""
        gc.set_threshold(_MADE_AT_START)
        # LightRAG warns of optional packages while it is imported, and sets its level itself; a filter it leaves alone.
        logging.getLogger("lightrag").addFilter(lambda record: record.levelno >= logging.ERROR)
        # 30 MB for nothing: LightRAG looks up the types of a file format of networkx that none of our storages writes,
        # PyJWT wants cryptography for signatures other than ours (HMAC), structlog rich for tracebacks, never logged,
        # httpx pygments for a command line, and FastAPI asks whether a model is one of the first pydantic.
        with without("networkx", "cryptography", "rich", "pygments", "pydantic.v1"):
            from memory_server.serve import run_server  # noqa: PLC0415 - heavy: nothing is imported for --help

            context.obj = ServerCall(data, models, host, _port(port, child=child), child, open_workspaces, local_model)
            if context.invoked_subcommand is None:
                asyncio.run(run_server(context.obj))

    @server.command()
    def check(context: typer.Context, workspaces: Workspaces = None, *, as_json: Json = False) -> None:
        """Say whether vectors, graph, chunks and documents agree.  Exit code 1 if something does not."""
        from memory_server.maintenance import run_check  # noqa: PLC0415 - see above

        raise typer.Exit(asyncio.run(run_check(context.obj, workspaces or (), repair=False, as_json=as_json)))

    @server.command()
    def reconcile(context: typer.Context, workspaces: Workspaces = None, *, as_json: Json = False) -> None:
        """Repair what is missing or orphaned, then check."""
        from memory_server.maintenance import run_check  # noqa: PLC0415 - see above

        raise typer.Exit(asyncio.run(run_check(context.obj, workspaces or (), repair=True, as_json=as_json)))

    @server.command()
    def diagnose(context: typer.Context, workspace: str, entity: str, *, as_json: Json = False) -> None:
        """Show what one entity is made of: its sources, chunks, relations and vector."""
        from memory_server.maintenance import run_diagnose  # noqa: PLC0415 - see above

        raise typer.Exit(asyncio.run(run_diagnose(context.obj, workspace, entity, as_json=as_json)))

    @server.command()
    def reindex(
        context: typer.Context,
        workspaces: Workspaces = None,
        *,
        everything: Annotated[bool, typer.Option("--all", help="Also what is up to date.")] = False,
        document: Annotated[
            str, typer.Option("--document", help="This document alone, by its id or name; give its workspace too.")
        ] = "",
    ) -> None:
        """Index again what another chunker or embedding model has made; can be stopped and resumed."""
        from memory_server.maintenance import run_reindex  # noqa: PLC0415 - see above

        asyncio.run(run_reindex(context.obj, workspaces or (), everything=everything, document=document))

    @server.command("import")
    def import_(context: typer.Context, folder: Path, workspace: str) -> None:
        """Move a folder of LightRAG's default file storages into a workspace; can be stopped and resumed."""
        from memory_server.maintenance import run_import  # noqa: PLC0415 - see above

        asyncio.run(run_import(context.obj, folder, workspace))

    return server


def _port(wanted: int | None, *, child: bool) -> int:
    """Return the port to listen on: a child takes a free one unless it is told otherwise, so that two never collide."""
    return wanted if wanted is not None else 0 if child else 9621
