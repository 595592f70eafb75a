"""Every client in turn against one real server that knows something."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from harness.lightrag_clients.http_clients import golemcore, web_interface
from harness.lightrag_clients.programs import PROGRAMS, Outcome, program
from harness.memory_server.forked import answering, forked
from memory_server.indexing.ingest import document_id

KEY, SOURCE = "other-peoples-clients", "told.txt"


async def run(python: str, work: Path) -> list[Outcome]:
    """Start a server, let it know something, and return what became of every client's calls."""
    data, shared = work / "data", work / "shared"
    data.mkdir()
    shared.mkdir()
    (shared / "note.txt").write_text("Boris has a boat.", "utf-8")
    server = forked(data, KEY)
    try:
        url = f"http://127.0.0.1:{await answering(data)}"
        await _told(url)
        outcomes = await golemcore(url, KEY)
        for name in PROGRAMS:
            outcomes += await program(name, python, url, KEY, shared / "note.txt")
        # Last, as it ends with deleting every document.
        return [*outcomes, *await web_interface(url, KEY, document_id(SOURCE))]
    finally:
        server.kill()
        await asyncio.to_thread(server.join)


async def _told(url: str) -> None:
    async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": KEY}) as http:
        body = {"text": "User (Anna): My sister Maria lives in Lisbon.", "file_source": SOURCE}
        (await http.post("/documents/text", json=body)).raise_for_status()
        for _ in range(500):
            counts = (await http.get("/documents/status_counts")).json()["status_counts"]
            if counts.get("processed"):
                return
            await asyncio.sleep(0.02)
    raise TimeoutError("the text was not indexed")
