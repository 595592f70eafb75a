"""Servers that are killed while texts are posted, alone or sharing a workspace in a PostgreSQL, and what they keep.

Every text acknowledged with 200 must be processed after the restarts without help, none twice, and the check clean.
Where servers share a workspace a client says every document until one has it, asking another one when a server refuses
or is gone.  What is there in the end is compared with what one server makes of the same documents in peace: every
document once, and every entity and relation with all its sources.
"""

import asyncio
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg

from harness.memory_server.exchanges import Said, exchanges
from harness.memory_server.serving import ForkedServer, serving
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


async def kill_alone(folder: Path, kills: int, seed: int) -> Tally:
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


_NAME: Final = "shared"
_AGAIN_S: Final = 0.05
_ASTRAY: Final = 0.05
"""Share of documents that are first said to any server, not to who has the workspace."""
_KEPT: Final = (httpx.codes.OK, httpx.codes.CONFLICT)
"""Answers that say that a document is there: now, or since a request whose answer was lost."""
_ENTITIES: Final = (
    "SELECT n.name, '', s.file_path FROM mentions m JOIN nodes n ON n.no = m.node "
    "JOIN chunks c ON c.no = m.chunk JOIN status s ON s.no = c.doc"
)
_RELATIONS: Final = (
    "SELECT a.name, b.name, s.file_path FROM edge_mentions m JOIN edges e ON e.no = m.edge JOIN nodes a ON a.no = e.a "
    "JOIN nodes b ON b.no = e.b JOIN chunks c ON c.no = m.chunk JOIN status s ON s.no = c.doc"
)
"""What each has been taken from."""

Taken = Counter[tuple[str, str, str]]
"""Entity, other entity of a relation ("" of an entity alone) and document."""


@dataclass(slots=True)
class _Sharing:
    """Servers on one database, which of them last had the workspace, and what became of it."""

    servers: Sequence[ForkedServer]
    url: str
    chance: random.Random
    holder: int = 0
    refused: int = 0
    unanswered: int = 0
    waiting: list[int] = field(default_factory=list)
    starting: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def insist(self, said: Said) -> None:
        """Say a document to one server after the other until one has it."""
        body, headers = {"text": said.text, "file_source": said.source}, {"LIGHTRAG-WORKSPACE": _NAME}
        astray = self.chance.random() < _ASTRAY
        number = self.chance.randrange(len(self.servers)) if astray else self.holder
        while True:
            try:
                http = self.servers[number].http
                answer = await http.post("/documents/text", json=body, headers=headers)
            except (httpx.HTTPError, RuntimeError):  # killed, or its client was closed with it
                self.unanswered += 1
            else:
                if answer.status_code in _KEPT:
                    self.holder = number
                    return
                self.refused += 1
            number = (number + 1) % len(self.servers)
            await asyncio.sleep(_AGAIN_S)

    async def kill(self) -> None:
        """Kill who has the workspace in the middle of its work; it starts again beside what goes on."""
        struck = self.holder
        if struck in self.starting:
            await self.starting[struck]
        self.waiting.append(self._count_waiting())
        await self.servers[struck].kill()
        self.starting[struck] = asyncio.create_task(self.servers[struck].start())

    def _count_waiting(self) -> int:
        with psycopg.connect(self.url, autocommit=True) as session:
            query = f"SELECT count(*) FROM memory_{_NAME}.status WHERE status <> 'processed'"  # noqa: S608 - our own
            row = session.execute(query.encode()).fetchone()
        return row[0] if row else 0

    async def settle(self) -> None:
        """Return once all documents are processed, or failed; whoever can be asked is asked."""
        await asyncio.gather(*self.starting.values())
        async with asyncio.timeout(600):
            while True:
                for server in self.servers:
                    try:
                        await server.wait_until_indexed(_NAME)
                    except httpx.HTTPError:
                        await asyncio.sleep(_AGAIN_S)
                    else:
                        return


async def kill_sharing(
    folder: Path, url: str, *, servers: int, documents: int, kills: int, seed: int
) -> dict[str, Any]:
    """Let servers take turns on one workspace of the empty database at ``url`` and return what is there in the end."""
    chance, texts = random.Random(seed), list(islice(exchanges(documents), documents))
    homes = [folder / str(number) for number in range(servers)]
    for home in (*homes, folder / "read"):
        home.mkdir(parents=True)
    sharing = _Sharing([ForkedServer(home, database_url=url) for home in homes], url, chance)
    await asyncio.gather(*(server.start() for server in sharing.servers))
    moments = Counter(chance.randrange(1, documents) for _ in range(kills))
    for number, said in enumerate(texts):
        await sharing.insist(said)
        for _ in range(moments[number]):
            await sharing.kill()
    await sharing.settle()
    for server in sharing.servers:
        await server.kill()
    there, wanted = await _read(folder / "read", url), await _index_alone(folder / "alone", texts)
    sources = {said.source for said in texts}
    return {
        "kills": len(sharing.waiting),
        "kills_while_indexing": sum(count > 0 for count in sharing.waiting),
        "refused": sharing.refused,
        "unanswered": sharing.unanswered,
        "posted": len(sources),
        "documents": len(sources & there.documents.keys()),
        "missing": len(sources - there.documents.keys()),
        "double": sum(count > 1 for count in there.documents.values()),
        "sources": wanted.taken.total(),
        "sources_missing": (wanted.taken - there.taken).total(),
        "sources_extra": (there.taken - wanted.taken).total(),
        "unclean_workspaces": int(not there.clean),
        "seed": seed,
    }


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a workspace holds: how often each processed document, what was taken from it, and whether all agrees."""

    documents: Counter[str]
    taken: Taken
    clean: bool


async def _index_alone(folder: Path, texts: Sequence[Said]) -> _Kept:
    """Index documents in one server, in files and in peace."""
    async with serving(folder, WordEmbedder(), workspace=_NAME) as (server, http):
        for said in texts:
            (
                await http.post("/documents/text", json={"text": said.text, "file_source": said.source})
            ).raise_for_status()
        await server.worker.wait_until_idle()
    return await _read(folder)


async def _read(folder: Path, url: str = "") -> _Kept:
    """Read a workspace that no server uses."""

    def look(db: sqlite3.Connection) -> tuple[Counter[str], Taken]:
        done = db.execute("SELECT file_path FROM status WHERE status = 'processed'").fetchall()
        taken = Counter(tuple(row) for query in (_ENTITIES, _RELATIONS) for row in db.execute(query).fetchall())
        return Counter(path for (path,) in done), taken

    maintenance = Maintenance(folder, WordEmbedder(), database_url=url)
    (report,) = await maintenance.check(_NAME)
    async with maintenance.opened(_NAME) as workspaces, workspaces.lease(_NAME) as workspace:
        return _Kept(*await workspace.read(look), report.clean)
