"""The shapes of LightRAG's REST API: the same calls against LightRAG's own routers and against this server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from memory_server.api import lightrag_api
from memory_server.chunking import tokenizer
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import document_id
from memory_server.language_model import NoModel
from tests.cases import each_row
from tests.memory_server.rule_model import RuleModel
from tests.memory_server.serving import exchange, served
from tests.memory_server.word_embedder import WordEmbedder

TEXT = exchange(1, "I moved to Lisbon in March 2021. My sister Maria works at Siemens in Berlin.")
SOURCE = "conv_20260207_143000_t_1.txt"


@asynccontextmanager
async def stock(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    """LightRAG's routers over one LightRAG with its default storages."""
    embedder = WordEmbedder()

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return await embedder.embed(texts)

    api = lightrag_api.load()
    rag = LightRAG(
        working_dir=str(folder),
        workspace=f"stock{abs(hash(folder))}",
        embedding_func=EmbeddingFunc(embedding_dim=64, func=embed, model_name="words"),
        llm_model_func=RuleModel(Extractor()).complete,
        role_llm_configs={"query": {"func": NoModel().complete}},
        tokenizer=tokenizer(),
    )
    await rag.initialize_storages()
    app = FastAPI()
    app.state.background_tasks = set()
    for router in (
        api.documents.create_document_routes(rag, api.documents.DocumentManager(str(folder / "inputs")), None),
        api.query.create_query_routes(rag, None),
        api.graph.create_graph_routes(rag, None),
    ):
        app.include_router(router)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://stock") as http:
        yield http
    await rag.finalize_storages()
    for function in (rag.embedding_func.func, *rag.role_llm_funcs.values()):
        await function.shutdown()


@pytest.fixture(params=["stock", "ours"])
async def http(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of either."""
    if request.param == "stock":
        async with stock(tmp_path) as client:
            yield client
    else:
        async with served(tmp_path) as ours:
            yield ours.http


async def inserted(http: httpx.AsyncClient, source: str = SOURCE, text: str = TEXT) -> str:
    """Post a text, wait until it is processed and return the track id."""
    answer = await http.post("/documents/text", json={"text": text, "file_source": source})
    assert answer.status_code == 200, answer.text
    track_id = str(answer.json()["track_id"])
    for _ in range(600):
        documents = (await http.get(f"/documents/track_status/{track_id}")).json()["documents"]
        if documents and documents[0]["status"] in {"processed", "failed"}:
            break
        await asyncio.sleep(0.02)
    assert documents[0]["status"] == "processed", documents
    return track_id


async def test_an_insert_can_be_followed(http: httpx.AsyncClient) -> None:
    """200 with a track id; the track shows one document with id, source, chunks and status."""
    track_id = await inserted(http)

    followed = (await http.get(f"/documents/track_status/{track_id}")).json()

    assert set(followed) == {"track_id", "documents", "total_count", "status_summary"}
    (document,) = followed["documents"]
    assert document["id"] == document_id(SOURCE)
    assert document["file_path"] == SOURCE
    assert document["chunks_count"] == 1
    assert document["content_length"] == len(TEXT)
    assert document["error_msg"] in {None, ""}


async def test_the_same_source_again_is_a_conflict(http: httpx.AsyncClient) -> None:
    """409 with the status in the text, also for another folder of the same file name."""
    await inserted(http)

    again = await http.post("/documents/text", json={"text": "other", "file_source": f"some/folder/{SOURCE}"})

    assert again.status_code == 409
    assert "processed" in again.json()["detail"].lower()


@each_row(
    ("body", "status"),
    [
        ({"text": "x"}, 400),
        ({"text": "   ", "file_source": "a.txt"}, 422),
        ({"file_source": "a.txt"}, 422),
        ({"text": "x", "file_source": "a.txt", "chunking": {"strategy": "nonsense"}}, 422),
        ({"text": "x", "file_source": "a\u0000b.txt"}, 422),
        ({"text": 5, "file_source": "a.txt"}, 422),
    ],
)
async def test_a_bad_insert_is_refused_the_same_way(http: httpx.AsyncClient, body: dict[str, Any], status: int) -> None:
    """Missing source 400; blank, missing or mistyped text and unknown strategies 422."""
    answer = await http.post("/documents/text", json=body)

    assert answer.status_code == status
    assert answer.json()["detail"]


@pytest.mark.parametrize("mode", ["local", "global", "hybrid", "mix", "naive"])
async def test_query_data_has_lightrags_shape(http: httpx.AsyncClient, mode: str) -> None:
    """Success carries entities, relationships, chunks and references with their fields, and metadata."""
    await inserted(http)

    body = {
        "query": "Maria works at Siemens in Berlin",
        "mode": mode,
        "ll_keywords": ["Maria"],
        "hl_keywords": ["works Siemens"],
    }
    answer = await http.post("/query/data", json=body)
    found = answer.json()

    assert answer.status_code == 200
    assert found["status"] == "success"
    assert set(found["data"]) == {"entities", "relationships", "chunks", "references"}
    assert {"query_mode"} <= set(found["metadata"])
    for chunk in found["data"]["chunks"]:
        assert {"reference_id", "content", "file_path", "chunk_id"} <= set(chunk)
        assert chunk["chunk_id"] == f"{document_id(SOURCE)}-chunk-000"
    if mode != "naive":
        assert {"entity_name", "entity_type", "description", "source_id", "file_path", "created_at"} <= set(
            found["data"]["entities"][0]
        )
        assert {"src_id", "tgt_id", "description", "keywords", "weight", "source_id", "file_path"} <= set(
            found["data"]["relationships"][0]
        )
    assert found["data"]["references"][0]["file_path"] == SOURCE


async def test_nothing_found_is_a_failure_with_200(http: httpx.AsyncClient) -> None:
    """An empty memory answers 200, status failure and empty data."""
    body = {"query": "anything at all", "mode": "naive"}

    answer = await http.post("/query/data", json=body)

    assert answer.status_code == 200
    assert answer.json()["status"] == "failure"
    assert answer.json()["data"] == {}


@each_row("body", [{"query": "ab"}, {"query": ""}, {"query": "abc", "mode": "nonsense"}, {}])
async def test_a_bad_query_is_refused_the_same_way(http: httpx.AsyncClient, body: dict[str, Any]) -> None:
    """Too short, empty, missing, or an unknown mode: 400, which LightRAG's whole server makes of its routers' 422."""
    answer = await http.post("/query/data", json=body)

    assert answer.status_code in {400, 422}


async def test_query_answers_with_references(http: httpx.AsyncClient) -> None:
    """/query gives a text and where it is from."""
    await inserted(http)

    body = {"query": "Where does Maria work?", "mode": "mix", "ll_keywords": ["Maria"], "hl_keywords": ["works"]}
    answer = (await http.post("/query", json=body)).json()

    assert "Siemens" in answer["response"]
    assert answer["references"][0]["file_path"] == SOURCE


async def test_documents_are_listed_and_counted(http: httpx.AsyncClient) -> None:
    """Pages carry documents, pagination and counts."""
    await inserted(http)

    page = (await http.post("/documents/paginated", json={"page": 1, "page_size": 10})).json()
    counts = (await http.get("/documents/status_counts")).json()["status_counts"]

    assert set(page) == {"documents", "pagination", "status_counts"}
    assert page["pagination"]["total_count"] == 1
    assert counts["processed"] == 1
    assert counts["all"] == 1


async def test_a_deleted_document_is_gone_and_may_come_back(http: httpx.AsyncClient) -> None:
    """deletion_started, also for an unknown id; then nothing is found and the source is free again."""
    await inserted(http)
    body = {"doc_ids": [document_id(SOURCE)], "delete_llm_cache": True}
    for _ in range(200):
        answer = await http.request("DELETE", "/documents/delete_document", json=body)
        if answer.json()["status"] != "busy":
            break
        await asyncio.sleep(0.02)
    for _ in range(600):
        if (await http.get("/documents/status_counts")).json()["status_counts"]["all"] == 0:
            break
        await asyncio.sleep(0.02)
    for _ in range(200):
        unknown = await http.request("DELETE", "/documents/delete_document", json={"doc_ids": ["doc-unknown"]})
        if unknown.json()["status"] == "deletion_started":
            break
        await asyncio.sleep(0.02)

    assert answer.status_code == 200
    assert answer.json()["status"] == "deletion_started"
    assert answer.json()["doc_id"] == document_id(SOURCE)
    assert unknown.json()["status"] == "deletion_started"
    found = (await http.post("/query/data", json={"query": "Where does Maria work?", "mode": "naive"})).json()
    assert found["status"] == "failure"


async def test_the_graph_can_be_looked_at_and_edited(http: httpx.AsyncClient) -> None:
    """Labels, subgraph, entity and relation creation and change, deletion by name."""
    await inserted(http)
    popular = (await http.get("/graph/label/popular")).json()
    near = (await http.get("/graphs", params={"label": "Maria", "max_depth": 1})).json()
    exists = (await http.get("/graph/entity/exists", params={"name": "Maria"})).json()
    described = {"description": "A car maker", "entity_type": "ORGANIZATION"}
    for _ in range(200):
        made = await http.post("/graph/entity/create", json={"entity_name": "Tesla", "entity_data": described})
        if made.status_code != 409:
            break
        await asyncio.sleep(0.02)
    joined = await http.post(
        "/graph/relation/create",
        json={"source_entity": "Maria", "target_entity": "Tesla",
              "relation_data": {"description": "drives one", "keywords": "car", "weight": 1.0}},
    )  # fmt: skip
    edited = await http.post(
        "/graph/entity/edit", json={"entity_name": "Tesla", "updated_data": {"description": "An electric car maker"}}
    )
    gone = await http.request("DELETE", "/graph/entity/delete", json={"entity_name": "Tesla"})

    assert "Maria" in popular
    assert {"nodes", "edges", "is_truncated"} <= set(near)
    assert exists == {"exists": True}
    assert [answer.status_code for answer in (made, joined, edited, gone)] == [200, 200, 200, 200], joined.text
    assert (await http.get("/graph/entity/exists", params={"name": "Tesla"})).json() == {"exists": False}
