"""The memory server over PostgreSQL: what is different from files.  The storages' contract runs on both."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest

from harness.memory_server.kills import kill_sharing
from harness.processes import until
from memory_server.errors import ConfigInvalid
from memory_server.indexing.embedding_texts import PENDING
from memory_server.indexing.ingest import document_id
from memory_server.maintenance import Maintenance
from memory_server.options import Vectors, read_database_url
from memory_server.storage.postgres import Database, translate
from tests.memory_server.serving import Served, exchange, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder
from tests.postgres import PostgresServer


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database."""
    name = f"m{uuid4().hex[:12]}"
    postgres_server.run(f"CREATE DATABASE {name}")
    yield postgres_server.url.replace("/postgres?", f"/{name}?")
    postgres_server.run(f"DROP DATABASE {name} WITH (FORCE)")


class EndingEmbedder(WordEmbedder):
    """Once it ``ends`` it is asked and never answers, as where a process dies meanwhile."""

    ends = asked = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return rows, or never."""
        if self.ends:
            self.asked = True
            await asyncio.Event().wait()
        return await super().embed(texts)


async def tell(ours: Served, workspace: str, **said: str) -> None:
    """Post texts and wait until they are indexed."""
    for source, text in said.items():
        answer = await ours.post(workspace, f"{source}.txt", exchange(1, text))
        assert answer.status_code == 200, answer.text
    await ours.wait_until_idle()


async def test_chats_are_apart_and_erase_erases(url: str, postgres_server: PostgresServer, tmp_path: Path) -> None:
    """Neither of two workspaces sees the other; what is erased stands in no table and in no statistics."""
    async with served(tmp_path, database_url=url) as ours:
        for name in ("one", "two"):
            await tell(ours, name, a=f"Maria works at Siemens and said {name}canary in Lisbon.")
        shown = [texts_of(await ours.ask(name, "Where does Maria work?")) for name in ("one", "two")]
        again = await ours.post("one", "a.txt", "x")
        receipt = await ours.erase("one", document_id("a.txt"))
        after = texts_of(await ours.ask("one", "Where does Maria work?"))
        dropped = (await ours.http.delete("/workspaces/two")).json()
        listed = (await ours.http.get("/workspaces")).json()["workspaces"]
    inside = PostgresServer(postgres_server.folder, url)
    inside.run("ANALYZE")
    globbed = inside.run("SELECT memory_one.glob('[a-c]?.t*', 'ab.txt'), memory_one.glob('[a-c]?.t*', 'abxtxt')")
    held = [
        table
        for (table,) in inside.run("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'memory_one'")
        if inside.run(f"SELECT 1 FROM memory_one.{table} t WHERE CAST(t AS TEXT) LIKE '%canary%'")  # noqa: S608 - its own tables
    ]

    assert ["onecanary" in shown[0], "twocanary" in shown[0], "twocanary" in shown[1]] == [True, False, True]
    assert again.status_code == 409
    assert (receipt["documents"], receipt["residue"]) == (1, [])
    assert "onecanary" not in after
    assert dropped == {"status": "success", "workspace": "two", "existed": True, "residue": []}
    assert listed == ["one"]
    assert held == []
    assert globbed == [(True, False)]
    assert inside.run("SELECT tablename FROM pg_stats WHERE CAST(most_common_vals AS TEXT) LIKE '%canary%'") == []


async def test_a_question_limited_to_documents_sees_nothing_else(url: str, tmp_path: Path) -> None:
    """Ids, file_sources and patterns filter chunks, entities, relations and descriptions, in every mode."""
    limits: dict[str, dict[str, object]] = {
        "by id": {"ids": [document_id("a.txt")]},
        "by source": {"file_sources": ["a.txt"]},
        "by pattern": {"file_sources_unlike": "[b-z]*.txt"},
        "nothing": {"ids": []},
    }
    shown: dict[tuple[str, str], str] = {}
    async with served(tmp_path, database_url=url) as ours:
        await tell(ours, "w", a="Maria works at Siemens, alphasecret.", b="Maria works at Bosch, betasecret.")
        whole = texts_of(await ours.ask("w", "Where does Maria work?"))
        for mode, (name, limit) in product(("naive", "local", "global", "mix"), limits.items()):
            words = {"hl_keywords": ["works"], "ll_keywords": ["Maria", "Siemens", "Bosch"]}
            shown[mode, name] = texts_of(await ours.ask("w", "Where does Maria work?", mode, **words, **limit))

    assert "betasecret" in whole
    for (mode, name), text in shown.items():
        assert "betasecret" not in text, mode
        assert "Bosch" not in text, mode
        assert ("alphasecret" in text) is (name != "nothing"), (mode, name)


async def test_another_server_waits_for_a_workspace(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is open elsewhere is 503; after the other's end it is served, with all that was stored.

    Mutation check: without the lock both index at once, and the second one's answers miss what the first stored.
    """
    monkeypatch.setattr("memory_server.storage.postgres._LOCK_MS", 50)
    async with served(tmp_path / "b", database_url=url) as second:
        async with served(tmp_path / "a", database_url=url) as first:
            await tell(first, "w", a="Maria works at Siemens.")
            refused = await second.post("w", "b.txt", "Ivan works at Bosch.")
            other = await second.post("x", "b.txt", "Ivan works at Bosch.")
        await tell(second, "w", c="Olga works at Lufthansa.")
        found = texts_of(await second.ask("w", "Where does Maria work? And Olga?"))
        statuses = await second.statuses("w")

    assert (refused.status_code, other.status_code) == (503, 200)
    assert ["Siemens" in found, "Lufthansa" in found] == [True, True]
    assert statuses["processed"] == 2


async def test_servers_that_share_a_workspace_are_killed_and_it_is_whole(url: str, tmp_path: Path) -> None:
    """Every document is there once and every entity and relation has all its sources, whoever was killed.

    The full mark is ``python -m benchmarks.memory_server shared``.  Mutation check: without the lock of a workspace
    this is red.
    """
    found = await kill_sharing(tmp_path, url, servers=2, documents=40, kills=2, seed=3)

    assert found["kills"] == 2
    assert found["documents"] == 40
    assert found["sources"] > 500
    broken = ("missing", "double", "sources_missing", "sources_extra", "unclean_workspaces")
    assert {name: found[name] for name in broken} == dict.fromkeys(broken, 0)


async def test_who_takes_a_workspace_over_finishes_what_was_begun(
    url: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """A server that has run all along indexes what waits, and ends an erase, as soon as it is asked for anything.

    Mutation check: without a look at what a workspace holds when it is opened, all of that waits for the next start.
    """
    inside, ending = PostgresServer(postgres_server.folder, url), EndingEmbedder()
    async with served(tmp_path / "b", database_url=url) as second:
        async with served(tmp_path / "a", ending, database_url=url) as first:
            await tell(first, "w", a="Maria works at Siemens.", b="Maria works at Bosch.")
            ending.ends = True
            erasing = asyncio.create_task(first.erase("w", document_id("a.txt")))
            await until(lambda: ending.asked)
            await first.post("w", "c.txt", "Ivan works at Lufthansa.")
            erasing.cancel()
        begun = inside.run(f"SELECT 1 FROM memory_w.meta WHERE key = '{PENDING}'")  # noqa: S608 - a name of ours
        await second.statuses("w")
        await second.wait_until_idle()
        statuses = await second.statuses("w")
        left = inside.run(f"SELECT 1 FROM memory_w.meta WHERE key = '{PENDING}'")  # noqa: S608 - as above

    assert (begun, left) == ([(1,)], [])
    assert statuses["processed"] == 2


async def test_one_that_is_open_elsewhere_keeps_no_other_waiting(
    url: str, postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server looks into its own workspaces, also at its start, while it waits for one that another has open.

    Mutation check: with one lock for all workspaces the question waits for the other's end; where the start waits for
    a workspace as a request does, it is never done.
    """
    monkeypatch.setattr("memory_server.storage.postgres._LOCK_MS", 600_000)
    waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
    async with served(tmp_path / "b", database_url=url) as second:
        await tell(second, "own", a="Maria works at Siemens.")
        async with served(tmp_path / "a", database_url=url) as first:
            await tell(first, "w", b="Ivan works at Bosch.")
            waiting = asyncio.create_task(second.statuses("w"))
            await until(lambda: bool(postgres_server.run(waits)))
            found = texts_of(await asyncio.wait_for(second.ask("own", "Where does Maria work?"), 60))
            async with served(tmp_path / "c", database_url=url) as third:
                await asyncio.wait_for(third.server.resumed(), 60)
            early = waiting.done()
        later = await waiting

    assert "Siemens" in found
    assert (early, later["processed"]) == (False, 1)


async def test_a_lost_connection_is_made_anew(url: str, postgres_server: PostgresServer, tmp_path: Path) -> None:
    """PostgreSQL ends every session, and another program writes meanwhile: the next request works and sees it."""
    inside = PostgresServer(postgres_server.folder, url)
    async with served(tmp_path, database_url=url) as ours:
        await tell(ours, "w", a="Maria works at Siemens.")
        inside.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        answers = [(await ours.post("w", f"{n}.txt", f"Ivan works at Bosch, case {n}.")).status_code for n in range(3)]
        await ours.wait_until_idle()
        found = texts_of(await ours.ask("w", "Where do Maria and Ivan work?"))
        checked = (await ours.http.get("/workspaces/w/check")).json()

    assert answers[-1] == 200
    assert ["Siemens" in found, "Bosch" in found] == [True, True]
    assert checked == {"workspace": "w", "clean": True, "findings": {}}


async def test_the_commands_work_on_a_database(url: str, tmp_path: Path) -> None:
    """Damage is found and repaired, everything indexed again, while no server has the workspace open."""
    async with served(tmp_path, database_url=url) as ours:
        await tell(ours, "w", a="Maria works at Siemens in Lisbon.")
    home = Database(url)
    with pytest.raises(ConfigInvalid, match="no such workspace"):
        await Maintenance(tmp_path, WordEmbedder(), database_url=url).check("other")
    engine = home.engine("w").connect(writes=True, renewed=lambda: None)
    engine.execute("DELETE FROM vectors_entities")
    engine.close()
    home.close()
    folder = Maintenance(tmp_path, WordEmbedder(), database_url=url)
    (broken,) = await folder.check()
    (whole,) = await folder.reconcile("w")
    again = await folder.reindex(lambda _: None, "w", everything=True)
    diagnosis = await folder.diagnose("w", "Siemens")

    assert set(broken.findings) == {"entities without vector"}
    assert (whole.clean, again) == (True, 1)
    assert diagnosis is not None
    assert diagnosis.documents == (document_id("a.txt"),)


async def test_names_of_workspaces(url: str, tmp_path: Path) -> None:
    """Capitals and names longer than a schema's are workspaces of their own."""
    longest = "n" * 64
    async with served(tmp_path, database_url=url) as ours:
        for name in ("Team", "team", longest, longest[:-1]):
            await tell(ours, name, a=f"Maria said {name}.")
        listed = (await ours.http.get("/workspaces")).json()["workspaces"]
        found = texts_of(await ours.ask(longest, "What did Maria say?"))

    assert listed == sorted(["Team", "team", longest, longest[:-1]])
    assert longest in found


async def test_of_two_posts_of_one_source_one_wins(url: str, tmp_path: Path) -> None:
    """In every pair one 200 and one 409."""
    async with served(tmp_path, database_url=url) as ours:
        pairs = [
            await asyncio.gather(*(ours.post("w", f"{number}.txt", f"{word} {number}") for word in ("alpha", "beta")))
            for number in range(5)
        ]
        await ours.wait_until_idle()
        statuses = await ours.statuses("w")

    assert [sorted(answer.status_code for answer in pair) for pair in pairs] == [[200, 409]] * 5
    assert statuses["processed"] == 5


async def test_a_workspace_dropped_while_it_is_indexed_stays_away(url: str, tmp_path: Path) -> None:
    """The receipt is true: nothing is left then, and nothing comes back."""
    async with served(tmp_path, database_url=url) as ours:
        for number in range(12):
            await ours.post("busy", f"{number}.txt", exchange(number, f"Maria works at Siemens, case {number}."))
        receipt = (await ours.http.delete("/workspaces/busy")).json()
        await ours.wait_until_idle()
        listed = (await ours.http.get("/workspaces")).json()["workspaces"]

    assert (receipt["status"], receipt["residue"], listed) == ("success", [], [])


async def test_a_database_that_does_not_answer_is_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every workspace's request gets 503 in time, and health answers meanwhile."""
    monkeypatch.setattr("postgres_session._CONNECT_S", 1)
    silent = socket.create_server(("127.0.0.1", 0))
    address = f"postgresql://anna:geheim@127.0.0.1:{silent.getsockname()[1]}/mneme"
    async with asyncio.timeout(60), served(tmp_path, database_url=address) as ours:
        headers = [{"LIGHTRAG-WORKSPACE": f"w{number}"} for number in range(4)]
        asking = [ours.http.get("/documents/status_counts", headers=each) for each in headers]
        health, *answers = await asyncio.gather(ours.http.get("/health", headers={"X-API-Key": ""}), *asking)
    silent.close()

    assert health.status_code == 200
    assert [answer.status_code for answer in answers] == [503] * 4
    assert "geheim" not in str([answer.text for answer in answers])


def test_the_environment_names_the_database() -> None:
    """An address of its own, or what LightRAG's variables make; what is missing is named."""
    chosen = {"MEMORY_SERVER_STORAGE": "postgres"}

    assert read_database_url({"MEMORY_SERVER_DATABASE_URL": "postgresql://db/x"}) == ""
    assert read_database_url(chosen | {"MEMORY_SERVER_DATABASE_URL": "postgresql://db/x"}) == "postgresql://db/x"
    assert read_database_url(chosen | {"POSTGRES_HOST": "db", "POSTGRES_PASSWORD": r"it's \me"}) == (
        r"host='db' password='it\'s \\me'"
    )
    with pytest.raises(ConfigInvalid, match="MEMORY_SERVER_DATABASE_URL"):
        read_database_url(chosen)
    with pytest.raises(ConfigInvalid, match='"sqlite" or "postgres"'):
        read_database_url({"MEMORY_SERVER_STORAGE": "mysql"})
    with pytest.raises(ConfigInvalid, match="no address"):
        Database("postgresql://anna:geheim@[")


def test_a_statement_is_translated() -> None:
    """Values are numbered as SQLite numbers them; a question mark in a text is none."""
    made = translate("SELECT '?%' FROM json_each(?) c JOIN x ON x.no = c.value WHERE x.a IN (SELECT value FROM "
                     "json_each(?2)) AND x.b = ?1 LIMIT ?")  # fmt: skip

    assert made.text == (
        "SELECT '?%%' FROM unnest(CAST(%(p1)s AS BIGINT[])) WITH ORDINALITY AS c (value, key) "
        "JOIN x ON x.no = c.value WHERE x.a = ANY (%(p2)s) AND x.b = %(p1)s LIMIT %(p3)s"
    )
    assert made.lists == {"p1", "p2"}
