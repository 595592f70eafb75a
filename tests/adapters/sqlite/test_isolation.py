"""P8, small and seeded: many chats at once, with cancellations and erases; nobody ever sees another's words."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

from adapters.sqlite.conversations.turns import SqliteTurns
from adapters.sqlite.database import Database
from adapters.sqlite.erasure.eraser import SqliteEraser
from adapters.sqlite.items import SqliteItems
from adapters.sqlite.outbox import SqliteOutbox
from bot.memory.scope import Scope
from bot.messages import Address
from bot.ports.memory_store import Selector
from harness.archives import export_to, read_texts
from harness.samples import NOON, HeldClock, WordEmbedder, exchange, item, question, turn

SEED = 20260207
CHATS = 14
CANARIES = 6


def canary(chat: int, number: int) -> str:
    """A word that only one chat ever says."""
    return f"canary{chat}x{number}y"


async def chat_life(database: Database, chat: int, chance: random.Random, leaks: list[str]) -> None:
    """Say canaries, ask for everybody else's, be cancelled now and then, sometimes erase everything."""
    scope, address = Scope(f"tu{chat}"), Address("telegram", 7, chat)
    turns, items = SqliteTurns(database), SqliteItems(database, WordEmbedder(), HeldClock())
    eraser = SqliteEraser(database, HeldClock(), database.path.parent / "exports")
    for number in range(CANARIES):
        session = await turns.session(address)
        text = f"My word is {canary(chat, number)}"
        record = turn(
            exchange(f"e{number}", text, session=session, scope=scope),
            scope=scope,
            address=address,
            items=(item(text, subject="word" if chance.random() < 0.3 else "", exchange=f"e{number}"),),
            document=True,
        )
        commit = asyncio.ensure_future(turns.commit(record))
        if chance.random() < 0.2:
            await asyncio.sleep(0)
            commit.cancel()
        await asyncio.gather(commit, return_exceptions=True)
        asked = " ".join(canary(chance.randrange(CHATS), chance.randrange(CANARIES)) for _ in range(3))
        seen = [one.content for one, _ in await items.items(scope, question(f"My word is {asked}?"))]
        seen += [one.user_text for one in await turns.history(scope, session.id, 50)]
        seen += [one.content for one in (await items.page(scope, Selector.ALL, search="word", size=99)).items]
        last = await turns.last(address)
        seen += [last.question] if last else []
        leaks += [text for text in seen if f"canary{chat}x" not in text]
        if chance.random() < 0.03:
            await eraser.erase_scope(scope)


async def test_no_chat_ever_sees_anothers_words(database: Database, tmp_path: Path) -> None:
    """Items, pages, history, /why, export and documents of a chat hold its own canaries only.

    Mutation check: without the scope's range in the full-text query there are foreign canaries.
    """
    chance = random.Random(SEED)
    leaks: list[str] = []
    await asyncio.gather(*(chat_life(database, chat, random.Random(chance.random()), leaks) for chat in range(CHATS)))
    rows = await SqliteOutbox(database).due(NOON, 999)
    wrong = [row for row in rows if row.document.source and f"_{row.document.scope.tag}_" not in row.document.source]
    for chat in range(CHATS):
        path = tmp_path / "exports" / f"tu{chat}.zip"
        await asyncio.to_thread(export_to, database, Scope(f"tu{chat}"), path, NOON)
        text = await asyncio.to_thread(read_texts, path)
        leaks += [found for found in re.findall(r"canary\d+x", text) if found != f"canary{chat}x"]

    assert leaks == [], f"seed {SEED}"
    assert wrong == [], f"seed {SEED}"
