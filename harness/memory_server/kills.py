"""A real server that is killed at random moments while texts are posted, and started again.

Every text acknowledged with 200 must be processed after the restarts without help, none twice, and the check clean.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.figures import WordEmbedder
from harness.memory_server.forked import answering, forked
from memory_server.maintenance import Maintenance

KEY, MOST_MINUTES = "kills", 24 * 60.0
SERVER = """
import asyncio, logging, sys
from pathlib import Path
import structlog
from memory_server.options import ServerOptions
from memory_server.serve import serve
from harness.memory_server.figures import WordEmbedder
structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
folder = Path(sys.argv[1])
asyncio.run(serve(ServerOptions(folder, "kills", port=0, ready_file=folder / "ready"), WordEmbedder()))
"""


@dataclass(slots=True)
class Tally:
    """What was promised and what came of it."""

    kills: int = 0
    acknowledged: list[Said] = field(default_factory=list)
    lost: int = 0
    double: int = 0
    unclean: int = 0


async def start(folder: Path) -> tuple[asyncio.subprocess.Process, int]:
    """Start a server and return it with its port once it answers."""
    (folder / "ready").unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, str(folder))
    return process, await answering(folder)


async def run(folder: Path, kills: int, seed: int, minutes: float = MOST_MINUTES) -> Tally:
    """Kill a server so many times, or for so long, then let it finish and compare."""
    chance, tally, source = random.Random(seed), Tally(), exchanges(1_000_000)
    end = time.monotonic() + minutes * 60
    while tally.kills < kills and time.monotonic() < end:
        process = forked(folder, KEY)
        posting = asyncio.create_task(_post(await answering(folder), source, tally, chance))
        await asyncio.sleep(chance.random() ** 2)
        process.kill()
        await asyncio.to_thread(process.join)
        posting.cancel()
        await asyncio.gather(posting, return_exceptions=True)
        tally.kills += 1
        if tally.kills % 50 == 0:
            print(f"{tally.kills} kills, {len(tally.acknowledged)} acknowledged", file=sys.stderr, flush=True)
    last, port = await start(folder)
    await _finish(port, tally)
    last.send_signal(signal.SIGTERM)
    await last.wait()
    reports = await Maintenance(folder, WordEmbedder()).check()
    tally.unclean = sum(not report.clean for report in reports)
    return tally


async def _post(port: int, source: Iterator[Said], tally: Tally, chance: random.Random) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers={"X-API-Key": KEY}) as http:
        for said in source:
            headers = {"LIGHTRAG-WORKSPACE": f"chat{chance.randrange(3)}"}
            body = {"text": said.text, "file_source": said.source}
            answer = await http.post("/documents/text", json=body, headers=headers)
            if answer.status_code == httpx.codes.OK:
                tally.acknowledged.append(said)


async def _finish(port: int, tally: Tally) -> None:
    sources: Counter[str] = Counter()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers={"X-API-Key": KEY}, timeout=60) as http:
        for name in ("chat0", "chat1", "chat2"):
            headers = {"LIGHTRAG-WORKSPACE": name}
            for _ in range(6000):
                counts = (await http.get("/documents/status_counts", headers=headers)).json()["status_counts"]
                if counts["processed"] + counts["failed"] == counts["all"]:
                    break
                await asyncio.sleep(0.05)
            number, more = 1, True
            while more:
                asked = {"page": number, "page_size": 200, "status_filter": "processed"}
                page = (await http.post("/documents/paginated", json=asked, headers=headers)).json()
                sources.update(document["file_path"] for document in page["documents"])
                number, more = number + 1, page["pagination"]["has_next"]
    tally.lost = sum(said.source not in sources for said in tally.acknowledged)
    tally.double = sum(count > 1 for count in sources.values())
