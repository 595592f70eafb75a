"""Moves a filled store from SQLite to PostgreSQL and back, and has a long chat taken over by another worker there.

The moves are the command's, ``mneme move``; what all three stores answer and export is compared.  Nobody is asked
before all is where it goes: an answer is stored as well.  Vectors cost nothing: processor time is the moves' own.
"""

import asyncio
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psutil

from adapters.embedding.e5 import E5Embedder
from adapters.postgres.database import PostgresDatabase
from adapters.sqlite.rooms import ROOMS
from adapters.sqlite.turn_search.search import SqliteRecall
from benchmarks.turn.filling import Talk, fill, open_bot
from bot.config.folders import find_model_folder, prepare_folders
from bot.memory.scope import Scope
from bot.messages import Address
from bot.runtime.installation import name_store
from harness.application import InstantMessenger
from harness.archives import export_to
from harness.chaos.swarm import serve_postgres
from harness.processes import count_cpu_s
from harness.samples import FreeWordVectors

_MADE: Final = datetime(2026, 2, 7, 12, tzinfo=UTC)
_STORE: Final = ("mneme.db", "mneme.db-wal", "mneme.db-shm", "mneme.db.schema")


@dataclass
class _Kept(InstantMessenger):
    """Delivers at once, and keeps what."""

    async def send(self, to: Address, part: str, **more: Any) -> int:  # Any: of drafts and buttons
        """Keep it."""
        self.sent.append((to.chat_id, part))
        return await super().send(to, part, **more)


def measure_move(
    folder: Path, *, stored: int = 2000, chats: int = 20, questions: int = 100, keep: Path | None = None
) -> dict[str, Any]:  # Any: figures
    """Move a store of ``stored`` exchanges there and back; filled stores are kept, and used, in ``keep``.

    Returns how many answers, exports and tables differ behind the first and behind the second move, and seconds of
    processor time of both sides.
    """
    store = (keep or folder) / f"store-{stored}-{chats}"
    store.mkdir(parents=True, exist_ok=True)
    fill(store, stored, chats)
    first, away, back = (folder / name for name in ("first", "away", "back"))
    with serve_postgres() as server:
        for each in (first, away):
            shutil.copytree(store, each)
        there = move(away, server.process, "--to", server.url)
        shutil.copytree(away, back, ignore=shutil.ignore_patterns(*_STORE, "layouts", "backups"))
        home = move(back, server.process, "--to", "sqlite", "--from", server.url)
        places = ((first, ""), (away, server.url), (back, ""))
        exports = [asyncio.run(_export(place, url)) for place, url in places]
        answers = [asyncio.run(_ask(place, url, chats, questions)) for place, url in places]
    changes = {
        "answers_changed": [_count_changed(answers[0], each) for each in answers[1:]],
        "exports_changed": [_count_changed(exports[0], each) for each in exports[1:]],
        "tables_changed": [sum(there["tables"][name] != home["tables"][name] for name in there["tables"])],
    }
    return changes | {
        "questions": questions,
        "different_answers": len(set(answers[0])),
        "exports": len(exports[0]),
        "rows": there["rows"],
        "there": there["spent"],
        "back": home["spent"],
        "changed": sum(map(sum, changes.values())),
    }


def _count_changed(wanted: Sequence[str], found: Sequence[str]) -> int:
    return sum(one != other for one, other in zip(wanted, found, strict=True))


def move(folder: Path, server: psutil.Process, *options: str) -> dict[str, Any]:  # Any: JSON
    """Run the command; add what it and the server have spent."""
    places = ("--data", str(folder / "data"), "--preferences", str(folder / "preferences"))
    before, server_s = resource.getrusage(resource.RUSAGE_CHILDREN), count_cpu_s(server)
    command = (sys.executable, "-m", "bot", "move", *options, *places, "--json")
    told = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603 - our own command
    moved: dict[str, Any] = json.loads(told)  # Any: JSON
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return moved | {"spent": {"cpu_s": round(spent, 1), "postgres_cpu_s": round(count_cpu_s(server) - server_s, 1)}}


async def _export(folder: Path, url: str) -> list[str]:
    """Return a digest of each memory's export."""
    places = prepare_folders(folder / "data", folder / "preferences")
    async with name_store(places, url) as database:
        tags = await database.fetch("SELECT tag FROM scopes ORDER BY no")
        file = folder / "export.zip"
        digests = []
        for (tag,) in tags:
            await asyncio.to_thread(export_to, database, Scope(tag), file, _MADE)
            digests.append(hashlib.sha256(file.read_bytes()).hexdigest())
        return digests


async def _ask(folder: Path, url: str, chats: int, questions: int) -> list[str]:
    """Ask what was said in each chat in turn, through the receiver, and return the answers."""
    messenger, talks = _Kept(), [Talk(chat, seed=8) for chat in range(chats)]
    async with open_bot(folder, FreeWordVectors, messenger=messenger, url=url) as bot:
        for number in range(questions):
            chat = number % chats
            message = bot.message(chat, talks[chat].question().user)
            await bot.parts.sessions.close(message.address)  # or it depends on the moment whether an idle one has ended
            await bot.app.accept(message)
            await bot.app.answered(message.address)
    return [text for _, text in messenger.sent]


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
