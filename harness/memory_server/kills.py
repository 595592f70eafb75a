"""A real server that is killed at random moments while texts are posted, and started again.

Every text acknowledged with 200 must be processed after the restarts without help, none twice, and the check clean.
"""

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.serving import ForkedServer
from harness.samples import WordEmbedder
from memory_server.maintenance import Maintenance

_WORKSPACES = ("chat0", "chat1", "chat2")


@dataclass(slots=True)
class Tally:
    """What was promised and what came of it."""

    kills: int = 0
    acknowledged: list[Said] = field(default_factory=list)
    lost: int = 0
    double: int = 0
    unclean: int = 0


async def run(folder: Path, kills: int, seed: int) -> Tally:
    """Kill a server so many times, then let it finish and compare."""
    chance, tally, source = random.Random(seed), Tally(), exchanges(1_000_000)
    server = ForkedServer(folder)
    while tally.kills < kills:
        await server.start()
        posting = asyncio.create_task(_post(server.http, source, tally, chance))
        while not tally.acknowledged and not posting.done():  # noqa: ASYNC110 - a slow machine would be killed in vain
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.random() ** 2)
        await server.kill()
        posting.cancel()
        await asyncio.gather(posting, return_exceptions=True)
        tally.kills += 1
        if tally.kills % 50 == 0:
            print(f"{tally.kills} kills, {len(tally.acknowledged)} acknowledged", file=sys.stderr, flush=True)
    await server.start()
    sources = Counter([source for name in _WORKSPACES for source in await _list_processed(server, name)])
    await server.kill()
    tally.lost = sum(said.source not in sources for said in tally.acknowledged)
    tally.double = sum(count > 1 for count in sources.values())
    tally.unclean = sum(not report.clean for report in await Maintenance(folder, WordEmbedder()).check())
    return tally


async def _post(http: httpx.AsyncClient, source: Iterator[Said], tally: Tally, chance: random.Random) -> None:
    for said in source:
        headers = {"LIGHTRAG-WORKSPACE": chance.choice(_WORKSPACES)}
        body = {"text": said.text, "file_source": said.source}
        answer = await http.post("/documents/text", json=body, headers=headers)
        if answer.status_code == httpx.codes.OK:
            tally.acknowledged.append(said)


async def _list_processed(server: ForkedServer, workspace: str) -> list[str]:
    """Return the sources of a workspace once it has come to rest."""
    await server.wait_until_indexed(workspace)
    found: list[str] = []
    number, more = 1, True
    while more:
        asked = {"page": number, "page_size": 200, "status_filter": "processed"}
        page = await server.ask("POST", "/documents/paginated", workspace, asked)
        found += [document["file_path"] for document in page["documents"]]
        number, more = number + 1, page["pagination"]["has_next"]
    return found
