"""LightRAG's own pipeline and queries give the same results on the SQLite storages as on its files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

from lightrag.base import QueryParam

from harness.memory_server.exchanges import exchanges
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import document_id
from memory_server.indexing.instances import CLASSES, Instance, lightrag_for, register
from memory_server.storage.engines import SqliteFile
from memory_server.storage.workspace import Tenant, Workspace, act_for
from tests.memory_server.rule_model import RuleModel
from tests.memory_server.serving import served
from tests.memory_server.word_embedder import WordEmbedder

FILES = ("JsonKVStorage", "NanoVectorDBStorage", "NetworkXStorage", "JsonDocStatusStorage")
SAID = tuple(exchanges(9))


@asynccontextmanager
async def pipeline(folder: Path, name: str, classes: tuple[str, ...]) -> AsyncIterator[Instance]:
    """Fill a LightRAG through its own pipeline, one exchange at a time."""
    register()
    with ThreadPoolExecutor(2) as threads, ExitStack() as stack:
        if classes != FILES:
            workspace = Workspace(name, SqliteFile(name, folder / "w.sqlite3"), "words/128", threads)
            stack.callback(workspace.close)
            stack.enter_context(act_for(Tenant(workspace)))
        embedder, model = WordEmbedder(128), RuleModel(Extractor())
        rag = lightrag_for(name, folder, embedder, model, classes, force_llm_summary_on_merge=50)
        await rag.initialize_storages()
        for said in SAID:
            await rag.apipeline_enqueue_documents([said.text], file_paths=[said.source])
            await rag.apipeline_process_enqueue_documents()
        yield rag
        await rag.finalize_storages()
        for function in rag.role_llm_funcs.values():
            await function.shutdown()


async def answers(rag: Instance) -> dict[tuple[str, str], dict[str, set[Any]]]:  # Any: names and pairs
    """Return what each question finds in each mode, as sets."""
    found = {}
    for said, mode in product(SAID[::3], ("naive", "local", "global", "hybrid", "mix")):
        param = QueryParam(
            mode=mode, ll_keywords=list(said.keywords), hl_keywords=list(said.keywords[:2]), enable_rerank=False
        )
        data = (await rag.aquery_data(said.question, param)).get("data") or {}
        found[said.source, mode] = {
            "chunks": {chunk["chunk_id"] for chunk in data.get("chunks", ())},
            "entities": {(e["entity_name"], e["description"]) for e in data.get("entities", ())},
            "relations": {frozenset((r["src_id"], r["tgt_id"])) for r in data.get("relationships", ())},
        }
    return found


async def test_what_is_found_is_what_lightrag_finds_on_its_files(tmp_path: Path) -> None:
    """The same exchanges through its pipeline on our storages: the same chunks, entities, descriptions and relations.

    Indexed by us, chunks have the ids that LightRAG gives them, and a naive question finds the same ones.
    """
    async with pipeline(tmp_path / "files", "filed", FILES) as rag:
        on_files = await answers(rag)
    (tmp_path / "sqlite").mkdir()
    async with pipeline(tmp_path / "sqlite", "sqlited", tuple(name for name, _ in CLASSES.values())) as rag:
        on_sqlite = await answers(rag)
    async with served(tmp_path / "ours", WordEmbedder(128)) as ours:
        for said in SAID:
            await ours.post("w", said.source, said.text)
        await ours.wait_until_idle()
        found = {said.source: await ours.ask("w", said.question, "naive") for said in SAID[::3]}
    theirs = {source: each["chunks"] for (source, mode), each in on_files.items() if mode == "naive"}

    assert any(answer["entities"] for answer in on_files.values())
    assert any(answer["relations"] for answer in on_files.values())
    assert on_sqlite == on_files
    assert {
        source: {chunk["chunk_id"] for chunk in answer["data"]["chunks"]} for source, answer in found.items()
    } == theirs
    assert any(f"{document_id(SAID[0].source)}-chunk-000" in ids for ids in theirs.values())
