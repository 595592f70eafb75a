"""``python -m benchmarks.lightrag_clients [--python PATH] [--json]``: other people's clients against a real server.

``--python`` is a Python in which the programs are installed (``pip install ollama lightrag-mcp "mcp<2"``).
Exit code 1 when a call failed; one that the server refuses in words is shown and does not count as failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.lightrag_clients.http_clients import golemcore, web_interface
from benchmarks.lightrag_clients.outcome import Outcome
from benchmarks.lightrag_clients.programs import PROGRAMS, program
from harness.memory_server.forked import answering, forked
from memory_server.indexing.document_queue import document_id

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


def main() -> int:
    """Print what became of each call."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lightrag_clients", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="a Python in which the programs are installed")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = asyncio.run(run(given.python, Path(folder)))
    if given.json:
        counts = Counter(outcome.result for outcome in outcomes)
        print(json.dumps({"counts": counts, "calls": [asdict(outcome) for outcome in outcomes]}, indent=1))
    else:
        table = Table("client", "version", "call", "result", "why")
        for outcome in outcomes:
            table.add_row(outcome.client, outcome.version, outcome.call, outcome.result, outcome.said)
        Console().print(table)
    return int(any(outcome.result == "failed" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
