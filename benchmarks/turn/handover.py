"""Has a long chat taken over by a worker on a PostgreSQL that does not hold it yet, read from its rows and laid out."""

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any, Final

import psutil

from adapters.embedding.e5 import E5Embedder
from adapters.postgres.database import PostgresDatabase
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.turn_search.search import SqliteRecall
from benchmarks.turn.filling import fill
from benchmarks.turn.moving import move
from bot.config.folders import find_model_folder
from bot.memory.scope import Scope
from harness.chaos.swarm import serve_postgres
from harness.processes import count_cpu_s
from harness.samples import FreeWordVectors

_TIMES: Final = 5


def measure_handover(folder: Path, *, stored: int = 10_000, keep: Path | None = None) -> dict[str, Any]:  # Any: figures
    """Make ready one chat of ``stored`` exchanges, again and again anew; a filled store is kept, and used, in ``keep``.

    Returns milliseconds of processor time, of a worker and of PostgreSQL: read from the rows and laid out, and begun
    from what is laid out.
    """
    store = (keep or folder) / f"store-{stored}-1"
    store.mkdir(parents=True, exist_ok=True)
    fill(store, stored, 1)
    shutil.copytree(store, folder / "moved")
    with serve_postgres() as server:
        move(folder / "moved", server.process, "--to", server.url)
        return {"exchanges": stored} | asyncio.run(_measure(folder, server.url, server.process))


async def _measure(folder: Path, url: str, server: psutil.Process) -> dict[str, Any]:  # Any: as above
    async with PostgresDatabase(url, folder / "mneme.db", ROOMS) as database:
        ((tag,),) = await database.fetch("SELECT tag FROM scopes")
        model = E5Embedder(find_model_folder(folder)).model

        async def make_ready(times: int, *, anew: bool) -> tuple[float, float]:
            spent = [-time.process_time(), -count_cpu_s(server)]
            for _ in range(times):
                recall = SqliteRecall(database, FreeWordVectors(model))
                if anew:
                    await database.change("UPDATE recall_scopes SET layout = ''")
                await recall.lay_out(Scope(tag))
            spent = [spent[0] + time.process_time(), spent[1] + count_cpu_s(server)]
            return spent[0] * 1000 / times, spent[1] * 1000 / times

        await make_ready(1, anew=True)
        if not await database.has("SELECT 1 FROM layouts"):
            raise SystemExit("the chat was not laid out")
        anew, mapped = await make_ready(_TIMES, anew=True), await make_ready(_TIMES, anew=False)
    return {
        f"{name}{where}_cpu_ms": round(spent)
        for name, each in (("anew", anew), ("taken_over", mapped))
        for where, spent in zip(("", "_postgres"), each, strict=True)
    }
