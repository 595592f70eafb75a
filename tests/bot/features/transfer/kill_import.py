"""An import that kills itself with SIGKILL around its Nth batch.

``python -m tests.bot.features.transfer.kill_import N WHEN FILE``.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from adapters.sqlite.imported import SqliteImports
from bot.config.folders import prepare_folders
from bot.features.transfer.terminal import ImportCommand, run_import
from bot.memory.scope import Scope
from bot.ports.transfer import Imported, ImportedBatch, ImportProgress
from tests.e2e.kill_at import die


def die_around(number: int, when: str) -> None:
    """End the process before or after the batch of this number is stored, counted from 1."""
    add, left = SqliteImports.add, [number]

    async def dying(
        store: SqliteImports, scope: Scope, batch: Sequence[Imported], progress: ImportProgress
    ) -> ImportedBatch:
        left[0] -= 1
        if left[0] == 0 and when == "before":
            die()
        done = await add(store, scope, batch, progress)
        if left[0] == 0:
            die()
        return done

    SqliteImports.add = dying  # type: ignore[method-assign,assignment]  # the real store dies


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("when", choices=("before", "after"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    chosen = parser.parse_args()
    die_around(chosen.number, chosen.when)
    asyncio.run(run_import(prepare_folders(chosen.data), ImportCommand(chosen.file, who="user1")))
