"""Answers of a real server to too much: a huge body, and more waiting documents than it takes.

    python -m benchmarks.memory_server.limits --body-mb 100 --pending 10000

The embedding model is out of reach all the while, so every accepted document waits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import psutil

from harness.memory_server.figures import latency
from harness.memory_server.forked import answering, forked

KEY = "limits"


async def run(folder: Path, body_mb: int, pending: int) -> dict[str, Any]:  # Any: figures
    """Return answers and times."""
    process = forked(folder, KEY, embeds=False)
    port = await answering(folder)
    server = psutil.Process(process.pid)
    headers = {"X-API-Key": KEY, "LIGHTRAG-WORKSPACE": "w"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=120) as http:
        before = server.memory_info().rss
        huge = [await _huge(http, body_mb, announced=announced) for announced in (True, False)]
        grown = server.memory_info().rss - before
        answers: Counter[str] = Counter()
        started = time.perf_counter()
        for first in range(0, pending + 100, 100):
            batch = [f"document {first + number}: Maria was in Lisbon." for number in range(100)]
            sources = [f"d{first + number}.txt" for number in range(100)]
            answer = await http.post("/documents/texts", json={"texts": batch, "file_sources": sources})
            answers[f"{answer.status_code} {answer.headers.get('Retry-After', '')}".strip()] += len(batch)
        taken = time.perf_counter() - started
        counts = (await http.get("/documents/status_counts")).json()["status_counts"]
        health = await latency(lambda _: http.get("/health"), 50)
        one = await latency(lambda number: http.post("/documents/text", json=_one(number)), 50)
    process.kill()
    process.join()
    return {
        "body_mb": body_mb,
        "huge_body": huge,
        "memory_grown_mb": round(grown / 1e6, 1),
        "answers_per_text": dict(answers),
        "waiting": counts.get("pending", 0),
        "seconds": round(taken, 1),
        "health_ms": health,
        "refused_post_ms": one,
    }


async def _huge(http: httpx.AsyncClient, body_mb: int, *, announced: bool) -> str:
    """Post a body in pieces, saying how long it is or not; return the answer."""

    async def pieces() -> Any:  # Any: an asynchronous generator of bytes
        for _ in range(body_mb):
            yield b"x" * 1_000_000

    try:
        headers = {"Content-Length": str(body_mb * 1_000_000)} if announced else {}
        answer = await http.post("/documents/text", content=pieces(), headers=headers)
    except httpx.HTTPError as error:
        return type(error).__name__
    return f"{answer.status_code} {answer.json()['detail']}"


def _one(number: int) -> dict[str, str]:
    return {"text": "Maria was in Lisbon.", "file_source": f"more{number}.txt"}


def main() -> None:
    """Parse the command line, run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body-mb", type=int, default=100)
    parser.add_argument("--pending", type=int, default=10_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(run(Path(folder), asked.body_mb, asked.pending))))


if __name__ == "__main__":
    main()
