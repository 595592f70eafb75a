"""``python -m benchmarks.damage``: destroy every page of a store in turn, start, and count what is still there.

A trial takes a fresh copy of the store, with the copy of its list of tables and its back-ups, damages one page in one
way and opens it as a start does.
"""

import asyncio
import logging
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

import structlog

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.recovery.salvage import SecondCopies
from adapters.sqlite.rooms import ROOMS
from bot.errors import StorageDamaged
from bot.memory.document import render_document, source_name
from bot.memory.scope import Scope
from harness.options import Report, run
from harness.samples import ANNA, NOON, exchange, item, turn

_PAGE: Final = 4096
_MARK: Final = 0.999
_SCOPES: Final = 5
_THINGS: Final = ("violin", "parcel", "locker", "garage", "ferry", "cellar", "bicycle", "kennel", "telescope", "kayak")

Exchanges = dict[str, tuple[str, str]]
Spoil = Callable[[bytes, int, random.Random], bytes]


def _zero(_content: bytes, _page: int, _chance: random.Random) -> bytes:
    return bytes(_PAGE)


def _randomise(_content: bytes, _page: int, chance: random.Random) -> bytes:
    return chance.randbytes(_PAGE)


def _flip_bit(content: bytes, page: int, chance: random.Random) -> bytes:
    spoilt = bytearray(content[page * _PAGE : (page + 1) * _PAGE])
    spoilt[chance.randrange(_PAGE)] ^= 1 << chance.randrange(8)
    return bytes(spoilt)


def _misplace(content: bytes, _page: int, chance: random.Random) -> bytes:
    other = chance.randrange(len(content) // _PAGE)
    return content[other * _PAGE : (other + 1) * _PAGE]


WAYS: Final[dict[str, Spoil]] = {"zeros": _zero, "random": _randomise, "bit": _flip_bit, "misplaced": _misplace}


async def make_store(folder: Path, count: int, since: int) -> None:
    """Store exchanges with items in some scopes; the last ``since`` come after the only back-up."""
    database = Database(folder / "mneme.db", ROOMS)
    await database.open()
    turns = SqliteTurns(database)
    chance = random.Random(20260207)
    for number in range(count):
        if number == count - since:
            await database.backups.make_if_due(NOON, 1)
        scope, thing = Scope(f"tu{number % _SCOPES}"), chance.choice(_THINGS)
        words = " ".join(chance.choices(_THINGS, k=chance.randrange(4, 60)))
        at = NOON + timedelta(minutes=number)
        said = exchange(
            f"e{number}", f"My {thing} number {number}: {words}.", f"Noted: {thing}.", scope=scope, said_at=at
        )
        items = (item(f"{thing} {number} is there", exchange=said.uid),) if number % 3 == 0 else ()
        await turns.commit(turn(said, scope=scope, items=items))
    await database.close()


def read_exchanges(opened: sqlite3.Connection) -> Exchanges:
    """Return the texts of a store's exchanges by uid."""
    rows = opened.execute("SELECT uid, user_text, assistant_text FROM exchanges").fetchall()
    return {uid: (user, answer) for uid, user, answer in rows}


def list_documents(whole: Exchanges) -> list[tuple[str, str]]:
    """Return the documents of a memory server that has indexed everything."""
    found = []
    for uid, (user, answer) in whole.items():
        tag, at = f"tu{int(uid[1:]) % _SCOPES}", NOON + timedelta(minutes=int(uid[1:]))
        text = render_document(
            tag=tag, uid=uid, said_at=at, skill="", author_name=ANNA.name, user_text=user, assistant_text=answer
        )
        found.append((source_name(at, tag, uid), text))
    return found


async def open_as_mneme(path: Path, copies: SecondCopies) -> tuple[Exchanges, str]:
    """Open a store and read all of it, recovering when that meets damage; return the exchanges and what was told."""
    database = Database(path, ROOMS, copies=copies)
    await database.open()
    try:
        kept = await database.read(read_exchanges)
    except StorageDamaged:
        await database.recover()
        kept = await database.read(read_exchanges)
    told = " ".join(database.problems)
    await database.close()
    return kept, told


def try_page(store: Path, content: bytes, spoilt: bytes, page: int, whole: Exchanges, copies: SecondCopies) -> Report:
    """Open a copy with one page replaced; return what was told and what is missing (JSON)."""
    memory = Path("/dev/shm")  # noqa: S108 - where there is one; a disk serves, too
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as made:
        path = Path(made) / "mneme.db"
        path.write_bytes(content[: page * _PAGE] + spoilt + content[(page + 1) * _PAGE :])
        shutil.copy(store / "mneme.db.schema", made)
        if (store / "backups").is_dir():
            shutil.copytree(store / "backups", Path(made) / "backups")
        began = time.perf_counter()
        kept, told = asyncio.run(open_as_mneme(path, copies))
        seconds = time.perf_counter() - began
    lost = [uid for uid in whole if uid not in kept]
    changed = sum(kept[uid] != texts for uid, texts in whole.items() if uid in kept)
    words = set(told.replace(",", " ").replace(";", " ").split())
    named = len(set(lost) - words)
    return {"lost": len(lost), "changed": changed, "told": bool(told), "unnamed": named, "seconds": round(seconds, 2)}


def measure(
    folder: Path,
    *,
    exchanges: int = 2000,
    since: int = 100,
    alone: bool = False,
    ways: tuple[str, ...] = tuple(WAYS),
    every: int = 1,
) -> Report:
    """Try every page, or each n-th, in every way.

    Of the exchanges so many came after the newest back-up, or all without any; ``alone`` there is no memory server.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    asyncio.run(make_store(folder, exchanges, since))
    content = (folder / "mneme.db").read_bytes()
    with closing(sqlite3.connect(folder / "mneme.db")) as opened:
        whole = read_exchanges(opened)
    pages, results = range(0, len(content) // _PAGE, every), dict[str, Report]()
    for way in ways:
        for page in pages:
            spoilt = WAYS[way](content, page, random.Random(f"{way} {page}"))
            results[f"{way} {page + 1}"] = try_page(
                folder, content, spoilt, page, whole, lambda: [] if alone else list_documents(whole)
            )
        print(f"{way}: {len(pages)} pages", file=sys.stderr, flush=True)
    gone = {key: result["lost"] + result["changed"] for key, result in results.items()}
    return {
        "exchanges": len(whole),
        "pages": len(content) // _PAGE,
        "trials": len(results),
        "ways": {way: _sum_up([results[f"{way} {page + 1}"] for page in pages]) for way in ways},
        "below_mark": {key: count for key, count in gone.items() if 1 - count / len(whole) < _MARK},
        "unnamed": [key for key, result in results.items() if result["unnamed"]],
    }


def _sum_up(results: list[Report]) -> Report:
    return {
        "recovered": sum(result["told"] for result in results),
        "lost_at_most": max(result["lost"] for result in results),
        "lost_in_all": sum(result["lost"] for result in results),
        "changed_in_all": sum(result["changed"] for result in results),
        "slowest_s": max(result["seconds"] for result in results),
    }


if __name__ == "__main__":
    run(measure, __doc__, broken=lambda report: report["below_mark"] or report["unnamed"])
