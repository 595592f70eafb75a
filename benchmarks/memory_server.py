"""What a memory server keeps, forgets and costs: ``python -m benchmarks.memory_server COMMAND [--help]``.

``kills`` of a real process while texts are posted, ``canaries`` in two hundred chats that ask for each other's,
``erasures`` that are killed, ``exchanges`` for the processor time and memory of the server as the bot starts it.
In all but the last embedding costs next to nothing.
"""

import asyncio
import logging
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import psutil

from adapters.rag.process import MemoryServerProcess
from harness.chaos.swarm import serve_postgres
from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.kills import kill_alone, kill_sharing
from harness.memory_server.serving import MODES, ForkedServer, serving
from harness.options import Work, run
from harness.processes import list_children
from harness.samples import WordEmbedder
from memory_server.indexing.ingest import document_id
from memory_server.maintenance import Maintenance

Json = Any  # answers and figures
MODELS = Path(sys.prefix) / "share" / "mneme"
_SIDE_BY_SIDE = 24
_CANARY = re.compile(r"canary(\d+)x(\d+)z")
_PEOPLE = ("Maria", "Ivan", "Olga", "Lars", "Priya", "Tom")
_KILLED = 0.2
"""Share of erases and drops that are interrupted."""
_BROKEN = ("lost", "missing", "double", "sources_missing", "sources_extra", "unclean_workspaces")
"""Figures that are promised to be 0."""


@dataclass(slots=True)
class _Chats:
    """Chats with secrets of their own, what each has erased, and what was counted."""

    http: httpx.AsyncClient
    count: int
    chance: random.Random
    erased: set[tuple[int, int]] = field(default_factory=set)
    counted: Counter[str] = field(default_factory=Counter)

    async def say(self, chat: int, number: int) -> None:
        text = f"Date: 2026-02-07\nUser (Anna): Maria said in Lisbon that the password of chat {chat} is "
        body = {"text": f"{text}canary{chat}x{number}z , item {number}.", "file_source": f"e{number}.txt"}
        await self._request("POST", "/documents/text", chat, body)
        self.counted["inserted"] += 1

    async def forget(self, chat: int, number: int) -> None:
        body = {"doc_ids": [document_id(f"e{number}.txt")]}
        answer = await self._request("DELETE", "/documents/delete_document", chat, body)
        if answer["receipt"]["documents"]:
            self.erased.add((chat, number))
        self.counted["erased"] += 1

    async def pry(self, chat: int) -> None:
        """Ask for another chat's secrets, sometimes hanging up, and look for any that is not this chat's."""
        other, gone = self.chance.randrange(self.count), set(self.erased)
        question = f"password of chat {other} canary{other}x1z Maria"
        asking = asyncio.create_task(self.ask(chat, question, self.chance.choice(MODES)))
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

    async def ask(self, chat: int, question: str, mode: str) -> str:
        return str((await self._request("POST", "/query/data", chat, {"query": question, "mode": mode})).get("data"))

    async def _request(self, method: str, path: str, chat: int, body: Json) -> Json:
        answer = await self.http.request(method, path, json=body, headers={"LIGHTRAG-WORKSPACE": f"chat{chat}"})
        answer.raise_for_status()
        return answer.json()


async def try_canaries(folder: Path, *, workspaces: int = 200, canaries: int = 50, seed: int = 1) -> dict[str, int]:
    """Many chats in one server, each with secrets of its own, and everybody asking for everybody else's.

    Inserts, questions, deletes and cancelled calls run side by side.  An answer that holds another chat's secret, or
    one that was erased before the question, is a leak; a chat that does not find its own is counted as well.
    """
    slots = asyncio.Semaphore(_SIDE_BY_SIDE)
    async with serving(folder, WordEmbedder()) as (server, http):
        chats = _Chats(http, workspaces, random.Random(seed))

        async def live(chat: int) -> None:
            for number in range(canaries):
                async with slots:
                    await chats.say(chat, number)
                async with slots:
                    await chats.pry(chats.chance.randrange(workspaces))
                if number % 10 == 9 and number < canaries - 1:  # noqa: PLR2004 - every tenth
                    async with slots:
                        await chats.forget(chat, number - 5)

        await asyncio.gather(*(live(chat) for chat in range(workspaces)))
        await server.worker.wait_until_idle()
        await asyncio.gather(*(chats.pry(chat) for chat in range(workspaces)))
        for chat in range(workspaces):
            own = f"canary{chat}x{canaries - 1}z"
            shown = await chats.ask(chat, f"password {own} item {canaries - 1}", "naive")
            chats.counted["own_missing"] += own not in shown
    names = ("inserted", "asked", "cancelled", "erased", "foreign", "erased_seen", "own_missing")
    return {name: chats.counted[name] for name in names}


async def try_erasures(
    folder: Path, *, workspaces: int = 20, documents: int = 50, erases: int = 100, seed: int = 1
) -> dict[str, int]:
    """Erase documents and workspaces that share people, with the server killed in between, and look for what is left.

    Every document has a secret word; all speak of the same six people.  A share of the erases is interrupted by SIGKILL
    and asked for again after the restart, as a client would that got no answer.
    """
    chance, counted, server = random.Random(seed), Counter[str](), ForkedServer(folder)

    async def insist(path: str, workspace: str, body: Json) -> Json:
        """Delete until there is an answer; some of the times the server is killed meanwhile."""
        if chance.random() < _KILLED:
            asking = asyncio.create_task(server.ask("DELETE", path, workspace, body))
            await asyncio.sleep(chance.random() / 20)
            await server.kill()
            answer = (await asyncio.gather(asking, return_exceptions=True))[0]
            counted["killed"] += 1
            await server.start()
            if isinstance(answer, dict):
                return answer
            counted["asked_again"] += 1
        return await server.ask("DELETE", path, workspace, body)

    await server.start()
    for chat in range(workspaces):
        pairs = [chance.sample(_PEOPLE, 2) for _ in range(documents)]
        texts = [
            f"User (Anna): {a} met {b} and whispered zq{chat}w{n}zq about the harbour."
            for n, (a, b) in enumerate(pairs)
        ]
        body = {"texts": texts, "file_sources": [f"e{number}.txt" for number in range(documents)]}
        await server.ask("POST", "/documents/texts", f"chat{chat}", body)
        await server.wait_until_indexed(f"chat{chat}")
    doomed = chance.sample([(chat, number) for chat in range(workspaces) for number in range(documents)], erases)
    for chat, number in doomed:
        erased = {"doc_ids": [document_id(f"e{number}.txt")]}
        answer = await insist("/documents/delete_document", f"chat{chat}", erased)
        counted["false_receipts"] += answer["receipt"]["residue"] != []
    await server.kill()
    await server.start()
    for chat, number in doomed:
        word = f"zq{chat}w{number}zq"
        for mode in MODES:
            asked = {"query": f"Who whispered {word} about the harbour?", "mode": mode}
            words = {"ll_keywords": _PEOPLE[:2], "hl_keywords": ["whispered"]}
            found = await server.ask("POST", "/query/data", f"chat{chat}", asked | words)
            counted["retrievable"] += word in str(found.get("data"))
    reports = [await server.ask("GET", f"/workspaces/chat{chat}/check", "x") for chat in range(workspaces)]
    counted["unclean"] = sum(not report["clean"] for report in reports)
    counted["files_with_erased"] = _count_files(folder, [f"zq{chat}w{number}zq" for chat, number in doomed])
    for chat in range(workspaces):
        answer = await insist(f"/workspaces/chat{chat}", "x", {})
        counted["false_receipts"] += answer["residue"] != []
    counted["files_with_dropped"] = _count_files(folder, ["zq0w", "Maria", "harbour"])
    await server.kill()
    counted["workspaces_left"] = len(await Maintenance(folder, WordEmbedder()).check())
    return {"documents": workspaces * documents, "erased": erases} | dict(counted)


def _count_files(folder: Path, words: list[str]) -> int:
    """Return how many files hold any of the words."""
    kept = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return sum(any(word.encode() in content for word in words) for content in kept)


async def try_exchanges(folder: Path, *, model_dir: Path = MODELS, n: int = 400, questions: int = 50) -> Json:
    """What an exchange and a question cost the server that the bot starts, its model included, and what it takes.

    Processor time of exchanges that come one by one, and of ``n`` that wait together; memory in MB.
    """
    command = (sys.executable, "-m", "bot.compose.memory_server", "--data", str(folder), "--models", str(model_dir))
    lean = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    server = MemoryServerProcess((*command, "--child"), folder, log=folder / "log", environment={**os.environ, **lean})
    await server.start()
    await server.ready(60)
    (process,) = list_children("bot.compose.memory_server")
    seen, said = {"started": _take(process)}, list(islice(exchanges(n + 120), n + 120))
    headers = {"X-API-Key": server.api_key(), "LIGHTRAG-WORKSPACE": "w"}
    async with httpx.AsyncClient(base_url=server.url(), headers=headers, timeout=60) as http:
        for name, parts in {
            "warm": [said[:20]],
            "singly": [[each] for each in said[20:120]],
            "all": [said[120:]],
        }.items():
            for part in parts:
                await _index(http, part)
            seen[name] = _take(process)
        for each in said[:questions]:
            keywords = {"ll_keywords": each.keywords, "hl_keywords": each.keywords[:2]}
            answer = await http.post("/query/data", json={"query": each.question, "mode": "mix"} | keywords)
            answer.raise_for_status()
        seen["asked"] = _take(process)
    await server.stop()
    spent = {name: taken["cpu_s"] for name, taken in seen.items()}
    costs = {
        "cpu_ms_of_one": (spent["singly"] - spent["warm"]) * 10,
        "cpu_ms_of_many": (spent["all"] - spent["singly"]) * 1000 / n,
        "cpu_ms_of_a_question": (spent["asked"] - spent["all"]) * 1000 / questions,
    }
    return {name: round(ms, 1) for name, ms in costs.items()} | {"taken": seen}


async def _index(http: httpx.AsyncClient, said: Sequence[Said]) -> None:
    for each in said:
        body = {"text": each.text, "file_source": each.source}
        (await http.post("/documents/text", json=body)).raise_for_status()
    pause_s = 0.1
    while (await http.get("/documents/pipeline_status")).json()["docs"]:
        await asyncio.sleep(pause_s)
        pause_s *= 2  # on a busy machine it would be asked often, which counts as processor time of what is measured


def _take(process: psutil.Process) -> dict[str, float]:
    memory, spent = process.memory_full_info(), process.cpu_times()
    sizes = {name: round(getattr(memory, name) / 1e6) for name in ("rss", "pss", "uss")}
    return sizes | {"cpu_s": round(spent.user + spent.system, 2)}


async def try_kills(folder: Path, *, kills: int = 50, seed: int = 1) -> dict[str, int]:
    """Texts that a memory server loses when it is killed."""
    tally = await kill_alone(folder, kills, seed)
    found = {"lost": tally.lost, "double": tally.double, "unclean_workspaces": tally.unclean}
    return {"kills": tally.kills, "acknowledged": len(tally.acknowledged), "seed": seed} | found


async def try_shared(folder: Path, *, servers: int = 2, documents: int = 500, kills: int = 20, seed: int = 1) -> Json:
    """Documents and their sources in one workspace that servers share on a PostgreSQL, killed while they index it."""
    with serve_postgres() as postgres:
        return await kill_sharing(folder, postgres.url, servers=servers, documents=documents, kills=kills, seed=seed)


TRIALS: dict[str, Work] = {
    "kills": try_kills,
    "canaries": try_canaries,
    "erasures": try_erasures,
    "shared": try_shared,
    "exchanges": try_exchanges,
}

if __name__ == "__main__":
    logging.getLogger("lightrag").setLevel(logging.ERROR)
    run(TRIALS, __doc__, broken=lambda found: any(found.get(name) for name in _BROKEN))
