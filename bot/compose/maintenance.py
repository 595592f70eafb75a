"""Runs the memory server's commands and shows what they found."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.compose.logs import set_up_logs
from bot.compose.memory_server import Listening, server_chunker
from bot.compose.memory_server_vectors import server_embedder
from bot.config.environment import read_lightrag_variables, read_server_environment
from bot.config.folders import find_model_folder
from bot.errors import ConfigInvalid
from memory_server.chunking.headings import Limits
from memory_server.cli import maintenance
from memory_server.ports import Embedder


async def run_check(where: Listening, names: Sequence[str], *, repair: bool, as_json: bool) -> int:
    """Print a report per workspace and return the exit code: 1 if something does not agree."""
    if repair:
        reports = await maintenance.reconcile(
            where.data, _embedder(where), names, server_chunker(), limits=_limits(where)
        )
    else:
        reports = await maintenance.check(where.data, _embedder(where), names)
    if as_json:
        rows = [
            {"workspace": r.workspace, "clean": r.clean, "damage": r.damage, "findings": r.findings} for r in reports
        ]
        Console(soft_wrap=True).print_json(json.dumps(rows))
    else:
        table = Table("workspace", "finding", "how many", "such as", box=None)
        for report in reports:
            for finding, (count, examples) in report.findings.items():
                table.add_row(report.workspace, finding, str(count), ", ".join(map(str, examples)))
            if report.damage or report.clean:
                table.add_row(report.workspace, report.damage or "[green]all agrees[/green]", "", "")
        Console().print(table)
    return 0 if all(report.clean for report in reports) else 1


async def run_diagnose(where: Listening, workspace: str, entity: str, *, as_json: bool) -> int:
    """Print what an entity is made of and return the exit code: 1 if there is none of this name."""
    found = await maintenance.diagnose(where.data, _embedder(where), workspace, entity)
    console = Console(soft_wrap=True)
    if found is None:
        Console(stderr=True).print(f"no entity of this name in {workspace}: {entity}", markup=False)
        return 1
    if as_json:
        console.print_json(json.dumps(asdict(found), default=str))
        return 0
    for name, value in asdict(found).items():
        console.print(f"{name:>11}  {value}", markup=False)
    return 0


async def run_reindex(where: Listening, names: Sequence[str], *, everything: bool, document: str) -> None:
    """Index again, with a line per workspace; only ``document`` where one is named."""
    if document and len(names) != 1:
        raise ConfigInvalid("--document needs the workspace that the document is in, and no other")
    console, embedder, limits = Console(stderr=True), _embedder(where), _limits(where)
    with console.status("indexing"):
        if document:
            count = await maintenance.reindex_document(
                where.data, embedder, names[0], document, server_chunker(), limits=limits
            )
        else:
            count = await maintenance.reindex(
                where.data,
                embedder,
                console.print,
                names,
                server_chunker(),
                limits=limits,
                everything=everything,
            )
    Console().print(f"{count} documents indexed again")


async def run_import(where: Listening, folder: Path, workspace: str) -> None:
    """Move a folder of LightRAG's into a workspace, with progress."""
    console = Console(stderr=True)
    with console.status("importing"):
        done = await maintenance.import_directory(
            where.data, _embedder(where), folder, workspace, console.print, server_chunker(), limits=_limits(where)
        )
    Console().print(
        f"{done.documents} documents, {done.entities} entities and {done.relations} relations imported; "
        f"{done.skipped} documents were there already or hold no text"
    )


def _limits(where: Listening) -> Limits:
    chosen = read_lightrag_variables(read_server_environment(where.data))
    return Limits(chosen.chunk_tokens, chosen.chunk_overlap)


def _embedder(where: Listening) -> Embedder:
    if os.environ.get("MEMORY_SERVER_STORAGE", "sqlite") != "sqlite":
        raise ConfigInvalid("the memory server's commands work on its files; with PostgreSQL ask the running server")
    set_up_logs("warning", "auto")
    return server_embedder(where.models or find_model_folder(where.data), os.environ)
