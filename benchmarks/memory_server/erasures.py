"""Erase documents and workspaces that share people, with the server killed in between, and look for what is left.

    python -m benchmarks.memory_server.erasures --workspaces 20 --documents 50 --erases 100

Every document has a secret word; all speak of the same six people.  A share of the erases is interrupted by SIGKILL and
asked for again after the restart, as a client would that got no answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx

from harness.memory_server.figures import WordEmbedder
from harness.memory_server.forked import answering, forked
from memory_server.indexing.ingest import document_id
from memory_server.maintenance import Maintenance

KEY = "erasures"
PEOPLE = ("Maria", "Ivan", "Olga", "Lars", "Priya", "Tom")
MODES = ("mix", "naive", "local", "global", "hybrid")
KILLED = 0.2
"""Share of erases and drops that are interrupted."""


@dataclass(slots=True)
class Server:
    """A server that can be killed and started again, and what was counted."""

    folder: Path
    chance: random.Random
    counted: Counter[str] = field(default_factory=Counter)
    process: BaseProcess | None = None
    http: httpx.AsyncClient = field(default_factory=httpx.AsyncClient)

    async def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = forked(self.folder, KEY)
        port = await answering(self.folder)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers={"X-API-Key": KEY}, timeout=60)

    async def kill(self) -> None:
        """Kill it."""
        if self.process is not None:
            self.process.kill()
            await asyncio.to_thread(self.process.join)
        await self.http.aclose()

    async def done(self, method: str, path: str, workspace: str, body: dict[str, object]) -> dict[str, object]:
        """Ask until there is an answer; some of the times the server is killed meanwhile."""
        if self.chance.random() < KILLED:
            asking = asyncio.create_task(self.asked(method, path, workspace, body))
            await asyncio.sleep(self.chance.random() / 20)
            await self.kill()
            answer = (await asyncio.gather(asking, return_exceptions=True))[0]
            self.counted["killed"] += 1
            await self.start()
            if isinstance(answer, dict):
                return answer
            self.counted["asked_again"] += 1
        return await self.asked(method, path, workspace, body)

    async def asked(self, method: str, path: str, workspace: str, body: dict[str, object]) -> dict[str, object]:
        """Ask once."""
        answer = await self.http.request(method, path, json=body, headers={"LIGHTRAG-WORKSPACE": workspace})
        answer.raise_for_status()
        found: dict[str, object] = answer.json()
        return found


def secret(chat: int, number: int) -> str:
    """Return a document's word."""
    return f"zq{chat}w{number}zq"


async def run(folder: Path, workspaces: int, documents: int, erases: int, seed: int) -> dict[str, int]:
    """Return what was counted."""
    chance = random.Random(seed)
    server = Server(folder, chance)
    await server.start()
    for chat in range(workspaces):
        await _fill(server, chat, documents)
    doomed = chance.sample([(chat, number) for chat in range(workspaces) for number in range(documents)], erases)
    for chat, number in doomed:
        await _erase(server, chat, number)
    await server.kill()
    await server.start()
    for chat, number in doomed:
        await _look(server, chat, number)
    reports = [await server.asked("GET", f"/workspaces/chat{chat}/check", "x", {}) for chat in range(workspaces)]
    server.counted["unclean"] = sum(not report["clean"] for report in reports)
    server.counted["files_with_erased"] = _files(folder, [secret(*one) for one in doomed])
    for chat in range(workspaces):
        answer = await server.done("DELETE", f"/workspaces/chat{chat}", "x", {})
        server.counted["false_receipts"] += answer["residue"] != []
    server.counted["files_with_dropped"] = _files(folder, ["zq0w", "Maria", "harbour"])
    await server.kill()
    server.counted["workspaces_left"] = len(await Maintenance(folder, WordEmbedder()).check())
    names = ("killed", "asked_again", "false_receipts", "retrievable", "files_with_erased", "unclean",
             "files_with_dropped", "workspaces_left")  # fmt: skip
    return {"documents": workspaces * documents, "erased": erases} | {name: server.counted[name] for name in names}


async def _fill(server: Server, chat: int, documents: int) -> None:
    texts = []
    for number in range(documents):
        one, two = server.chance.sample(PEOPLE, 2)
        texts.append(f"User (Anna): {one} met {two} and whispered {secret(chat, number)} about the harbour.")
    workspace = f"chat{chat}"
    body: dict[str, object] = {"texts": texts, "file_sources": [f"e{number}.txt" for number in range(documents)]}
    await server.asked("POST", "/documents/texts", workspace, body)
    while True:
        found = await server.asked("GET", "/documents/status_counts", workspace, {})
        counts = found["status_counts"]
        if isinstance(counts, dict) and counts.get("processed") == documents:
            return
        await asyncio.sleep(0.1)


async def _erase(server: Server, chat: int, number: int) -> None:
    body: dict[str, object] = {"doc_ids": [document_id(f"e{number}.txt")]}
    answer = await server.done("DELETE", "/documents/delete_document", f"chat{chat}", body)
    receipt = answer["receipt"]
    server.counted["false_receipts"] += not isinstance(receipt, dict) or receipt["residue"] != []


async def _look(server: Server, chat: int, number: int) -> None:
    word = secret(chat, number)
    for mode in MODES:
        body: dict[str, object] = {"query": f"Who whispered {word} about the harbour?", "mode": mode,
                                   "ll_keywords": [*PEOPLE[:2]], "hl_keywords": ["whispered"]}  # fmt: skip
        found = await server.asked("POST", "/query/data", f"chat{chat}", body)
        server.counted["retrievable"] += word in str(found.get("data"))


def _files(folder: Path, words: list[str]) -> int:
    """Return how many files hold any of the words."""
    kept = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return sum(any(word.encode() in content for word in words) for content in kept)


def main() -> None:
    """Parse the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=20)
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--erases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(Path(folder), asked.workspaces, asked.documents, asked.erases, asked.seed))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
