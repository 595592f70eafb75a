"""``mneme memory-server``: the memory server's own commands, with the model that comes along."""

from __future__ import annotations

from pathlib import Path

from memory_server.commands import create_app
from memory_server.options import Embedder


def _local_model(data: Path, models: Path | None) -> Embedder:
    from bot.compose.memory_server import local_model  # noqa: PLC0415 - heavy; see bot.cli.commands

    return local_model(data, models)


server = create_app(_local_model)
