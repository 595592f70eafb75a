"""The server over PostgreSQL: the same gate, isolation and shapes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path

import asyncpg
import httpx
import pytest

from memory_server.api.lightrag_api import VERSIONS
from memory_server.api.postgres import create_postgres_server
from memory_server.indexing.ingest import document_id
from memory_server.options import Embedder, ServerOptions
from tests.contracts.lightrag_kinds import postgres
from tests.memory_server.serving import KEY, exchange
from tests.memory_server.test_worker import FlakyEmbedder
from tests.memory_server.word_embedder import WordEmbedder

__all__ = ["postgres"]  # a fixture


@pytest.fixture
async def http(postgres: None, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server over PostgreSQL, with a model whose name is as long as real ones are.

    Mutation check: without ``_name_table`` LightRAG refuses the names of its tables.
    """
    async with serving(tmp_path, WordEmbedder(model="a-sentence-encoder-of-many-languages-and-some-version")) as client:
        yield client


@asynccontextmanager
async def serving(folder: Path, embedder: Embedder) -> AsyncIterator[httpx.AsyncClient]:
    """Run a server over PostgreSQL."""
    server = create_postgres_server(ServerOptions(folder, KEY, storage="postgres"), embedder)
    transport, headers = httpx.ASGITransport(server.asgi), {"X-API-Key": KEY}
    async with server.running(), httpx.AsyncClient(transport=transport, base_url="http://m", headers=headers) as client:
        yield client


async def processed(http: httpx.AsyncClient, workspace: str, count: int) -> dict[str, int]:
    """Wait until so many documents are processed and return the counts."""
    for _ in range(1000):
        answer = await http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": workspace})
        counts: dict[str, int] = answer.json()["status_counts"]
        if counts.get("processed", 0) + counts.get("failed", 0) >= count:
            return counts
        await asyncio.sleep(0.02)
    raise TimeoutError(counts)


async def test_chats_are_apart_and_erase_erases(http: httpx.AsyncClient) -> None:
    """Insert, ask, erase and drop in two workspaces: neither sees the other, and what is erased is not found."""
    for name in ("one", "two"):
        text = exchange(1, f"Maria works at Siemens and said {name}canary in Lisbon.")
        answer = await http.post(
            "/documents/text", json={"text": text, "file_source": "a.txt"}, headers={"LIGHTRAG-WORKSPACE": name}
        )
        assert answer.status_code == 200, answer.text
    counts = [await processed(http, name, 1) for name in ("one", "two")]
    asked = {"query": "Maria works at Siemens and said canary", "mode": "mix", "ll_keywords": ["Maria", "Siemens"],
             "hl_keywords": ["works said"]}  # fmt: skip
    shown = [
        (await http.post("/query/data", json=asked, headers={"LIGHTRAG-WORKSPACE": name})).text
        for name in ("one", "two")
    ]
    again = await http.post(
        "/documents/text", json={"text": "x", "file_source": "a.txt"}, headers={"LIGHTRAG-WORKSPACE": "one"}
    )
    erased = await http.request(
        "DELETE", "/documents/delete_document", json={"doc_ids": [document_id("a.txt")]},
        headers={"LIGHTRAG-WORKSPACE": "one"},
    )  # fmt: skip
    after = (await http.post("/query/data", json=asked, headers={"LIGHTRAG-WORKSPACE": "one"})).text
    dropped = (await http.delete("/workspaces/two")).json()
    gone = (await http.post("/query/data", json=asked, headers={"LIGHTRAG-WORKSPACE": "two"})).text

    assert [count["processed"] for count in counts] == [1, 1]
    assert "onecanary" in shown[0]
    assert "twocanary" not in shown[0]
    assert "twocanary" in shown[1]
    assert again.status_code == 409
    assert erased.json()["receipt"] == {"documents": 1, "residue": []}
    assert "onecanary" not in after
    assert dropped == {"status": "success", "workspace": "two", "existed": True, "residue": []}
    assert "twocanary" not in gone


async def test_ollama_and_addresses_find_in_their_workspace(http: httpx.AsyncClient) -> None:
    """``/w/NAME/api/chat`` and ``/api/generate`` answer from that workspace, without a model; the pages are there."""
    for name in ("one", "two"):
        body = {"text": exchange(1, f"Maria works at Siemens and said {name}canary."), "file_source": "a.txt"}
        assert (await http.post(f"/w/{name}/documents/text", json=body)).status_code == 200
        await processed(http, name, 1)
    asked = {"model": "m", "messages": [{"role": "user", "content": "Where does Maria work?"}], "stream": False}
    chat = await http.post("/w/one/api/chat", json=asked)
    prompt = await http.post("/w/two/api/generate", json={"model": "m", "prompt": "Where does Maria work?"})
    page = await http.get("/w/one/webui/", headers={"X-API-Key": ""})
    closed = await http.post("/w/one/api/chat", json=asked, headers={"X-API-Key": ""})

    assert ["onecanary" in chat.text, "twocanary" in chat.text] == [True, False]
    assert ["onecanary" in prompt.text, "twocanary" in prompt.text] == [False, True]
    assert '"apiPrefix":"/w/one"' in page.text
    assert closed.status_code == 403


async def test_a_question_limited_to_documents_sees_nothing_else(http: httpx.AsyncClient) -> None:
    """Ids and file_sources filter chunks, entities, relations and descriptions, in every mode.

    Mutation check: with the graph's attributes handed on as they are stored this test is red.
    """
    headers = {"LIGHTRAG-WORKSPACE": "limited"}
    said = {
        "a.txt": "Maria works at Siemens. Maria told me alphasecret.",
        "b.txt": "Maria works at Bosch. Maria told me betasecret.",
    }
    for source, text in said.items():
        body = {"text": exchange(1, text), "file_source": source}
        assert (await http.post("/documents/text", json=body, headers=headers)).status_code == 200
    await processed(http, "limited", 2)
    limits: dict[str, dict[str, object]] = {
        "by id": {"ids": [document_id("a.txt")]},
        "by source": {"file_sources": ["a.txt"]},
        "by pattern": {"file_sources_unlike": "[b-z]*.txt"},
        "nothing": {"ids": []},
        "none": {},
    }
    shown: dict[tuple[str, str], str] = {}
    for mode, (name, limit) in product(("naive", "local", "global", "hybrid", "mix"), limits.items()):
        asked = {"query": "Maria works and told me a secret", "mode": mode, "hl_keywords": ["works told"],
                 "ll_keywords": ["Maria", "Siemens", "Bosch"]}  # fmt: skip
        answer = await http.post("/query/data", json=asked | limit, headers=headers)
        shown[mode, name] = str(answer.json().get("data"))

    for (mode, name), text in shown.items():
        if name != "none":
            assert "betasecret" not in text, mode
            assert "Bosch" not in text, mode
            assert ("alphasecret" in text) is (name != "nothing"), mode
    assert "betasecret" in shown["mix", "none"]


async def test_a_small_chat_is_found_beside_a_large_one(http: httpx.AsyncClient) -> None:
    """The nearest rows of all chats are another chat's; the few of this one are found all the same."""
    for number in range(60):
        body = {"text": exchange(number, f"Maria works at Siemens, case {number}."), "file_source": f"{number}.txt"}
        await http.post("/documents/text", json=body, headers={"LIGHTRAG-WORKSPACE": "large"})
    small = {"text": exchange(1, "Maria repairs the harbour crane."), "file_source": "a.txt"}
    await http.post("/documents/text", json=small, headers={"LIGHTRAG-WORKSPACE": "small"})
    await processed(http, "large", 60)
    await processed(http, "small", 1)
    asked = {"query": "Anna noted: Maria works at Siemens, user and assistant", "mode": "naive"}
    found = (await http.post("/query/data", json=asked, headers={"LIGHTRAG-WORKSPACE": "small"})).json()

    assert [chunk["file_path"] for chunk in found["data"]["chunks"]] == ["a.txt"]


async def test_documents_are_cut_along_headings(http: httpx.AsyncClient) -> None:
    """As on files, unless the request asks for fixed tokens; what needs a missing library is 422 at once."""
    body = "The anchor winch is greased twice a year, and the log says when it was done. " * 2
    text, headers = f"# Manual\n{body}\n## Winch\n{body}", {"LIGHTRAG-WORKSPACE": "cut"}
    asked: dict[str, dict[str, object]] = {
        "headings.md": {},
        "tokens.md": {"chunking": {"strategy": "fixed_token"}},
        "recursive.md": {"chunking": {"strategy": "recursive_character"}},
    }
    codes = []
    for number, (source, more) in enumerate(asked.items()):
        whole = {"text": f"{text} {number}", "file_source": source} | more
        codes.append((await http.post("/documents/text", json=whole, headers=headers)).status_code)
    several = {"texts": ["Maria was here.", "Ivan was here."], "file_sources": ["one.txt", "two.txt"]}
    codes.append((await http.post("/documents/texts", json=several, headers=headers)).status_code)
    await processed(http, "cut", 4)
    page = (await http.post("/documents/paginated", json={"page": 1, "page_size": 10}, headers=headers)).json()

    assert codes == [200, 200, 422, 200]
    assert {
        document["file_path"]: (document["status"], document["chunks_count"]) for document in page["documents"]
    } == {
        "headings.md": ("processed", 2),
        "tokens.md": ("processed", 1),
        "one.txt": ("processed", 1),
        "two.txt": ("processed", 1),
    }


async def test_a_workspace_is_checked_and_an_entity_diagnosed(http: httpx.AsyncClient) -> None:
    """A whole workspace is clean; a lost vector and an orphaned chunk are found by name."""
    headers = {"LIGHTRAG-WORKSPACE": "checked"}
    body = {"text": exchange(1, "Maria works at Siemens in Lisbon."), "file_source": "a.txt"}
    await http.post("/documents/text", json=body, headers=headers)
    await processed(http, "checked", 1)
    whole = (await http.get("/workspaces/checked/check")).json()
    entity = (await http.get("/workspaces/checked/entities/Siemens")).json()
    state = (await http.get("/workspaces/checked")).json()
    database = await asyncpg.connect(
        host=os.environ["POSTGRES_HOST"], user=os.environ["POSTGRES_USER"], password=os.environ["POSTGRES_PASSWORD"],
        database=os.environ["POSTGRES_DATABASE"], port=os.environ.get("POSTGRES_PORT", "5432"),
    )  # fmt: skip
    tables = await database.fetch("SELECT tablename FROM pg_tables WHERE tablename LIKE 'lightrag_vdb_entity%'")
    for row in tables:
        ask = f"DELETE FROM {row['tablename']} WHERE workspace = 'checked' AND entity_name = 'Siemens'"  # noqa: S608 - its own table
        await database.execute(ask)
    await database.execute("UPDATE LIGHTRAG_DOC_CHUNKS SET full_doc_id = 'doc-gone' WHERE workspace = 'checked'")
    await database.close()
    broken = (await http.get("/workspaces/checked/check")).json()
    unknown = await http.get("/workspaces/nobody/check")

    assert whole == {"workspace": "checked", "clean": True, "findings": {}}
    assert entity["documents"] == [document_id("a.txt")]
    assert entity["vector"] is True
    assert state == {"workspace": "checked", "documents": {"processed": 1}}
    assert set(broken["findings"]) == {
        "processed documents without chunks",
        "chunks without document",
        "entities without vector",
    }
    assert broken["findings"]["entities without vector"]["examples"] == ["Siemens"]
    assert unknown.status_code == 404


async def test_the_gate_is_the_same(http: httpx.AsyncClient) -> None:
    """Without the key nothing but liveness and versions; strange workspaces are refused."""
    health = await http.get("/health", headers={"X-API-Key": ""})
    anonymous = await http.get("/documents/status_counts", headers={"X-API-Key": ""})
    strange = await http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": "a/b"})

    assert health.json() == {"status": "healthy", "mneme": {}} | VERSIONS
    assert anonymous.status_code == 403
    assert strange.status_code == 400


async def rows_of(workspace: str) -> list[str]:
    """Return the tables that hold rows of a workspace, asked past the server."""
    database = await asyncpg.connect(
        host=os.environ["POSTGRES_HOST"], user=os.environ["POSTGRES_USER"], password=os.environ["POSTGRES_PASSWORD"],
        database=os.environ["POSTGRES_DATABASE"], port=os.environ.get("POSTGRES_PORT", "5432"),
    )  # fmt: skip
    ask = "SELECT DISTINCT table_name FROM information_schema.columns WHERE column_name = 'workspace'"
    tables = [row["table_name"] for row in await database.fetch(ask) if row["table_name"].startswith("lightrag")]
    counts = {
        table: await database.fetchval(f"SELECT count(*) FROM {table} WHERE workspace = $1", workspace)  # noqa: S608 - its own tables
        for table in tables
    }
    await database.close()
    return sorted(table for table, count in counts.items() if count)


async def test_of_two_posts_of_one_source_one_wins(http: httpx.AsyncClient) -> None:
    """In every pair one 200 and one 409, and the text of the 200 is what is stored.

    Mutation check: without the lock both get 200 and one text is lost.
    """
    headers = {"LIGHTRAG-WORKSPACE": "pairs"}
    codes = []
    for number in range(10):
        bodies = [
            {"text": exchange(number, f"Maria said {word} {number}."), "file_source": f"{number}.txt"}
            for word in ("alpha", "beta")
        ]
        answers = await asyncio.gather(*(http.post("/documents/text", json=body, headers=headers) for body in bodies))
        codes.append(sorted(answer.status_code for answer in answers))
    counts = await processed(http, "pairs", 10)

    assert codes == [[200, 409]] * 10
    assert counts["processed"] == 10


async def test_a_workspace_dropped_while_it_is_indexed_stays_away(http: httpx.AsyncClient) -> None:
    """The receipt is true: nothing is left then, and nothing comes back.

    Mutation check: when the drop does not wait for the pipeline, rows come back after the receipt.
    """
    for number in range(4):
        name = f"busy{number}"
        body = {
            "texts": [exchange(each, f"Maria works at Siemens, case {each}.") for each in range(12)],
            "file_sources": [f"{each}.txt" for each in range(12)],
        }
        await http.post("/documents/texts", json=body, headers={"LIGHTRAG-WORKSPACE": name})
        await asyncio.sleep(0.05 * number)
        receipt = await http.delete(f"/workspaces/{name}")
        at_once = await rows_of(name)
        await asyncio.sleep(0.3)

        assert receipt.status_code == 200, receipt.text
        assert receipt.json()["residue"] == at_once == await rows_of(name) == []


async def test_an_outage_fails_no_document_for_good(
    postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While no vectors can be made documents wait; they are indexed by themselves when they can be again.

    Mutation check: when failed documents are not made to wait again they stay failed.
    """
    monkeypatch.setattr("memory_server.indexing.postgres.FIRST_PAUSE_S", 0.2)
    embedder = FlakyEmbedder()
    async with serving(tmp_path, embedder) as http:
        body = {"text": exchange(1, "Maria works at Siemens in Lisbon."), "file_source": "a.txt"}
        await http.post("/documents/text", json=body, headers={"LIGHTRAG-WORKSPACE": "outage"})
        await asyncio.sleep(1)
        embedder.down = False
        for _ in range(500):
            answer = await http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": "outage"})
            if answer.json()["status_counts"].get("processed"):
                break
            await asyncio.sleep(0.02)

    assert answer.json()["status_counts"]["processed"] == 1


async def test_a_database_that_does_not_answer_is_503(
    postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every workspace's request gets 503 in time, not one after another, and health answers meanwhile."""
    silent = await asyncio.start_server(lambda _reader, _writer: asyncio.sleep(60), "127.0.0.1", 0)
    host, port = silent.sockets[0].getsockname()[:2]
    monkeypatch.setenv("POSTGRES_HOST", host)
    monkeypatch.setenv("POSTGRES_PORT", str(port))
    monkeypatch.setattr("memory_server.indexing.postgres.OPEN_S", 0.5)
    async with asyncio.timeout(60), serving(tmp_path, WordEmbedder()) as http:
        headers = [{"LIGHTRAG-WORKSPACE": f"w{number}"} for number in range(8)]
        asking = [http.get("/documents/status_counts", headers=each) for each in headers]
        health, *answers = await asyncio.gather(http.get("/health"), *asking)
    silent.close()

    assert health.status_code == 200
    assert [answer.status_code for answer in answers] == [503] * 8
    assert "cannot be read or written now" in answers[0].json()["detail"]
