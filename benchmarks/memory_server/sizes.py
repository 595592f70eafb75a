"""Insert cost, disk, memory and query time against size: this server beside LightRAG on its default storages.

This server is asked through its own ASGI interface.  The peer gets a language model that costs nothing: the same
extraction, written in LightRAG's answer format; its inserts and deletes are called in process, without HTTP, which
favours it; questions go through its own route.
What an insert costs is the mean of the last 500 before a size (or as many as there are since the size before it), and
of the last 50 for the peer, which does the same work at every insert.  Ours includes the log's copy home.  Between
these 50 the peer keeps what it stores in memory: to let it rewrite its files every time would take hours.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import httpx
import numpy as np
import psutil
import structlog
from fastapi import FastAPI
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.serving import DIMENSION, WordEmbedder, latency, serving
from memory_server.api import lightrag_api
from memory_server.api.app import MemoryServer
from memory_server.chunking import tokenizer
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import document_id
from memory_server.indexing.instances import STORES
from memory_server.language_model import RuleModel

SIDES = ("ours", "default", "same")
"""``default`` is LightRAG as users get it, ``same`` with our settings: no gleaning, no caches."""
_POINTS = (50, 200, 500, 1000, 1500, 3000, 5000, 10_000, 20_000)
_APART, _QUERIES, _RECENT = 50, 40, 500
_WORKSPACE = "bench"
Figures = dict[str, Any]  # Any: numbers and objects of numbers


class Ours:
    """This server; ``window`` is how many inserts show what one costs."""

    window = 500
    extra: ClassVar[Figures] = {}

    def __init__(self, http: httpx.AsyncClient, server: MemoryServer) -> None:
        self._http, self._server = http, server

    async def insert(self, said: Said) -> None:
        """Post and wait for the worker."""
        answer = await self._http.post("/documents/text", json={"text": said.text, "file_source": said.source})
        answer.raise_for_status()
        await self._server.worker.wait_until_idle()

    async def query(self, said: Said, mode: str) -> None:
        """Ask for data, with the client's keywords."""
        asked = {"query": said.question, "mode": mode, "ll_keywords": said.keywords, "hl_keywords": said.keywords[:2]}
        (await self._http.post("/query/data", json=asked | self.extra)).raise_for_status()

    async def delete(self, said: Said) -> None:
        """Erase an exchange."""
        asked = {"doc_ids": [document_id(said.source)]}
        (await self._http.request("DELETE", "/documents/delete_document", json=asked)).raise_for_status()

    async def fill(self, said: Said) -> None:
        """Store an exchange whose cost is not measured."""
        await self.insert(said)

    async def settle(self) -> None:
        """Copy the log home, so that all that was put off is written."""
        async with self._server.workspaces.lease(_WORKSPACE) as workspace:
            await workspace.checkpoint()


class Peer(Ours):
    """LightRAG's own pipeline."""

    window = 50
    extra: ClassVar[Figures] = {"enable_rerank": False}

    def __init__(self, rag: LightRAG, http: httpx.AsyncClient) -> None:
        self._rag, self._http = rag, http

    async def insert(self, said: Said) -> None:
        """Enqueue and process."""
        await self._rag.apipeline_enqueue_documents([said.text], file_paths=[said.source])
        await self._rag.apipeline_process_enqueue_documents()

    async def delete(self, said: Said) -> None:
        """Delete with its cached extraction, as a person who wants it gone would."""
        await self._rag.adelete_by_doc_id(document_id(said.source), delete_llm_cache=True)

    async def fill(self, said: Said) -> None:
        """Insert without rewriting the files."""
        for store in self._stores():
            store.index_done_callback = _unsaved
        await self.insert(said)

    async def settle(self) -> None:
        """Write the files once, and at every insert from now on."""
        for store in self._stores():
            store.__dict__.pop("index_done_callback", None)
            await store.index_done_callback()

    def _stores(self) -> list[Any]:  # Any: LightRAG's untyped storages
        return [self._rag.doc_status, *(getattr(self._rag, name) for name in STORES)]


async def _unsaved() -> None:
    """Leave the files as they are."""


@asynccontextmanager
async def open_side(name: str, folder: Path) -> AsyncIterator[Ours]:
    """Run a side on its folder."""
    embedder = WordEmbedder()
    if name == "ours":
        async with serving(folder, embedder, workspace=_WORKSPACE) as (server, http):
            yield Ours(http, server)
        return

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return await embedder.embed(texts)

    plain = {"entity_extract_max_gleaning": 0, "enable_llm_cache": False, "enable_llm_cache_for_entity_extract": False}
    rag = LightRAG(
        working_dir=str(folder),
        workspace=_WORKSPACE,
        embedding_func=EmbeddingFunc(embedding_dim=DIMENSION, func=embed, model_name="words"),
        llm_model_func=RuleModel(Extractor()).complete,
        tokenizer=tokenizer(),
        **(plain if name == "same" else {}),
    )
    app = FastAPI()
    app.include_router(lightrag_api.load().query.create_query_routes(rag, None))
    await rag.initialize_storages()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bench") as http:
        yield Peer(rag, http)
    await rag.finalize_storages()


def fill_side(name: str, folder: Path, count: int) -> list[Figures]:
    """Fill a side and return its figures at every size up to ``count``."""
    return asyncio.run(_fill_side(name, folder, count))


async def _fill_side(name: str, folder: Path, count: int) -> list[Figures]:
    source, recent, stored, found = exchanges(2 * count), list[Said](), 0, list[Figures]()
    async with open_side(name, folder) as side:
        for point in [*(point for point in _POINTS if point <= count - _APART), count]:
            measured = min(side.window, point - stored)
            for said in islice(source, point - stored - measured):
                await side.fill(said)
                recent.append(said)
            window = list(islice(source, measured))
            await side.settle()
            written, cpu_s = _written(), time.process_time()
            for said in window:
                await side.insert(said)
            await side.settle()
            cost = {
                "n": point,
                "bytes_written_per_insert": round((_written() - written) / measured),
                "cpu_ms_per_insert": round((time.process_time() - cpu_s) * 1000 / measured, 2),
            }
            stored, recent = point, [*recent, *window][-_RECENT:]
            found.append(cost | await _ask_side(side, folder, recent))
            print(name, json.dumps(found[-1]), file=sys.stderr, flush=True)
    return found


async def _ask_side(side: Ours, folder: Path, recent: list[Said]) -> Figures:
    asked = recent[:: max(1, len(recent) // _QUERIES)][:_QUERIES]
    await side.query(asked[0], "mix")
    naive = await latency(lambda number: side.query(asked[number], "naive"), len(asked))
    mix = await latency(lambda number: side.query(asked[number], "mix"), len(asked))
    victim = recent.pop(len(recent) // 2)
    started = time.perf_counter()
    await side.delete(victim)
    deleted_ms = (time.perf_counter() - started) * 1000
    await side.insert(victim)
    return {
        "disk_mb": round(_size_of(folder) / 1e6, 2),
        "rss_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
        "query_naive_ms": naive,
        "query_mix_ms": mix,
        "delete_ms": round(deleted_ms, 1),
    }


async def compare_questions(folders: dict[str, Path], stored: int, questions: int = 60) -> Figures:
    """Return milliseconds and processor time of a question, by mode and side: filled sides are asked in turn.

    In one process and one question after the other, so that whatever else the machine does slows both alike.
    """
    said = list(islice(exchanges(stored), stored))[:: max(1, stored // questions)][:questions]
    taken: dict[str, list[tuple[float, float]]] = {}
    (name, folder), (other, beside) = folders.items()
    async with open_side(name, folder) as one, open_side(other, beside) as two:
        for mode in ("naive", "mix"):
            for number, each in enumerate([said[0], *said]):
                for title, side in ((name, one), (other, two)):
                    wall, used = time.perf_counter(), time.process_time()
                    await side.query(each, mode)
                    spent = (1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - used))
                    if number:  # the first one warms up
                        taken.setdefault(f"{mode} {title}", []).append(spent)
    found = {}
    for key, times in taken.items():
        p50, p95 = np.percentile([wall for wall, _ in times], [50, 95])
        cpu = np.mean([cpu for _, cpu in times])
        found[key] = {name: round(float(ms), 2) for name, ms in (("p50_ms", p50), ("p95_ms", p95), ("cpu_ms", cpu))}
    return found


def quieten() -> None:
    """Let servers and LightRAG tell of errors alone."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    logging.getLogger("lightrag").setLevel(logging.ERROR)


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _written() -> int:
    """Return the bytes that this process has handed to the system."""
    lines = Path("/proc/self/io").read_text("ascii").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("wchar:")), 0)
