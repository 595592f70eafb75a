"""Many chats in one server, each with secrets of its own, and everybody asking for everybody else's.

    python -m benchmarks.memory_server.canaries --workspaces 200 --canaries 50

Inserts, questions, deletes and cancelled calls run side by side.  An answer that holds another chat's secret, or one
that was erased before the question, is a leak; a chat that does not find its own is counted as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import re
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import structlog

from harness.memory_server.figures import WordEmbedder
from memory_server.api.app import create_server
from memory_server.indexing.ingest import document_id
from memory_server.options import ServerOptions

MODES = ("mix", "naive", "hybrid", "local", "global")
SIDE_BY_SIDE, OPEN = 24, 32
_CANARY = re.compile(r"canary(\d+)x(\d+)z")


@dataclass(slots=True)
class Chats:
    """The chats, what each has erased, and what was counted."""

    http: httpx.AsyncClient
    count: int
    canaries: int
    chance: random.Random
    erased: set[tuple[int, int]] = field(default_factory=set)
    counted: Counter[str] = field(default_factory=Counter)

    async def say(self, chat: int, number: int) -> None:
        """Store one secret."""
        text = f"Date: 2026-02-07\nUser (Anna): Maria said in Lisbon that the password of chat {chat} is "
        body = {"text": f"{text}canary{chat}x{number}z , item {number}.", "file_source": f"e{number}.txt"}
        (await self.http.post("/documents/text", json=body, headers=_of(chat))).raise_for_status()
        self.counted["inserted"] += 1

    async def forget(self, chat: int, number: int) -> None:
        """Erase one secret."""
        body = {"doc_ids": [document_id(f"e{number}.txt")]}
        answer = await self.http.request("DELETE", "/documents/delete_document", json=body, headers=_of(chat))
        answer.raise_for_status()
        if answer.json()["receipt"]["documents"]:
            self.erased.add((chat, number))
        self.counted["erased"] += 1

    async def pry(self, chat: int) -> None:
        """Ask for another chat's secrets, sometimes hanging up, and look for any that is not this chat's."""
        other, gone = self.chance.randrange(self.count), set(self.erased)
        asking = asyncio.create_task(self._ask(chat, f"password of chat {other} canary{other}x1z Maria"))
        if self.chance.random() < 0.25:  # noqa: PLR2004 - a share
            await asyncio.sleep(self.chance.random() / 50)
            asking.cancel()
        with suppress(asyncio.CancelledError):
            shown = {(int(a), int(b)) for a, b in _CANARY.findall(await asking)} - {(other, 1)}
            self.counted["asked"] += 1
            self.counted["foreign"] += len({found for found in shown if found[0] != chat})
            self.counted["erased_seen"] += len(shown & gone)
            return
        self.counted["cancelled"] += 1

    async def own(self, chat: int) -> None:
        """Count the chat's secrets that it does not find itself."""
        number = self.canaries - 1
        shown = await self._ask(chat, f"password canary{chat}x{number}z item {number}", "naive")
        self.counted["own_missing"] += f"canary{chat}x{number}z" not in shown

    async def _ask(self, chat: int, question: str, mode: str = "") -> str:
        body = {"query": question, "mode": mode or self.chance.choice(MODES)}
        answer = await self.http.post("/query/data", json=body, headers=_of(chat))
        answer.raise_for_status()
        found: dict[str, object] = answer.json()
        return str(found.get("data"))


def _of(chat: int) -> dict[str, str]:
    return {"LIGHTRAG-WORKSPACE": f"chat{chat}"}


async def run(folder: Path, workspaces: int, canaries: int, seed: int) -> dict[str, int]:
    """Return what was counted."""
    server = create_server(ServerOptions(folder, "canaries", most_open=OPEN), WordEmbedder())
    transport, headers = httpx.ASGITransport(server.asgi), {"X-API-Key": "canaries"}
    slots = asyncio.Semaphore(SIDE_BY_SIDE)
    async with (
        server.running(),
        httpx.AsyncClient(transport=transport, base_url="http://c", headers=headers, timeout=None) as http,  # noqa: S113 - in process
    ):
        chats = Chats(http, workspaces, canaries, random.Random(seed))

        async def busy(chat: int) -> None:
            for number in range(canaries):
                async with slots:
                    await chats.say(chat, number)
                async with slots:
                    await chats.pry(chats.chance.randrange(workspaces))
                if number % 10 == 9 and number < canaries - 1:  # noqa: PLR2004 - every tenth
                    async with slots:
                        await chats.forget(chat, number - 5)

        await asyncio.gather(*(busy(chat) for chat in range(workspaces)))
        await server.worker.wait_until_idle()
        await asyncio.gather(*(chats.pry(chat) for chat in range(workspaces)))
        for chat in range(workspaces):
            await chats.own(chat)
    return {name: chats.counted[name] for name in
            ("inserted", "asked", "cancelled", "erased", "foreign", "erased_seen", "own_missing")}  # fmt: skip


def main() -> None:
    """Parse the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=200)
    parser.add_argument("--canaries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(run(Path(folder), asked.workspaces, asked.canaries, asked.seed))))


if __name__ == "__main__":
    main()
