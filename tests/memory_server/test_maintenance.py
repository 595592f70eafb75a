"""Check, reconcile, diagnose, reindex, import."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from lightrag.lightrag import LightRAG
from lightrag.utils import EmbeddingFunc

from memory_server.chunking import tokenizer
from memory_server.errors import ConfigInvalid, DocumentRejected
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import document_id
from memory_server.maintenance import Maintenance
from memory_server.options import Vectors
from memory_server.storage.workspace import Transaction
from tests.cases import each_row
from tests.memory_server.rule_model import RuleModel
from tests.memory_server.serving import exchange, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder


def quiet(_: str) -> None:
    """Ignore progress."""


async def fill(folder: Path, count: int = 4) -> None:
    """Store some exchanges."""
    async with served(folder) as ours:
        for number in range(count):
            await ours.post("w", f"{number}.txt", exchange(number, f"Maria met Ivan in Lisbon, code 77-X{number}."))
        await ours.wait_until_idle()


async def damage(folder: Path, *statements: str) -> None:
    """Break a workspace by hand."""

    def change(tx: Transaction) -> None:
        for statement in statements:
            tx.db.execute(statement)

    async with Maintenance(folder, WordEmbedder()).opened() as workspaces, workspaces.lease("w") as workspace:
        await workspace.write(change)


async def test_what_was_indexed_and_erased_is_consistent(tmp_path: Path) -> None:
    """After inserts and an erase the check finds nothing."""
    await fill(tmp_path)
    async with served(tmp_path) as ours:
        await ours.erase("w", document_id("1.txt"))
        answer = (await ours.http.get("/workspaces/w/check")).json()

    (report,) = await Maintenance(tmp_path, WordEmbedder()).check()

    assert report.clean, report
    assert answer == {"workspace": "w", "clean": True, "findings": {}}


@each_row(
    ("statement", "finding"),
    [
        ("DELETE FROM vectors_entities WHERE no = 1", "entities without vector"),
        ("DELETE FROM vectors_relationships WHERE no = 1", "relations without vector"),
        ("DELETE FROM vectors_chunks WHERE no = 2", "chunks without vector"),
        ("DELETE FROM chunks WHERE no = 2", "mentions without chunk"),
        ("DELETE FROM kv WHERE ns = 'text_chunks'", "chunks without text"),
        ("DELETE FROM status WHERE no = 1", "chunks without document"),
        ("DELETE FROM mentions WHERE node = 1", "entities without mention"),
        ("DELETE FROM edge_mentions WHERE edge = 1", "relations without mention"),
        ("DELETE FROM adjacency WHERE edge = 1", "relations without ends"),
        ("INSERT INTO vectors_entities (no, v) VALUES (9999, x'00')", "vectors without entity"),
        ("UPDATE status SET status = 'pending', id = 'doc-x' WHERE no = 1", "waiting documents without text"),
    ],
)
async def test_a_damage_is_found_and_repaired(tmp_path: Path, statement: str, finding: str) -> None:
    """Each kind of disagreement is named, and gone after reconcile."""
    whole, folder = tmp_path / "whole", tmp_path / finding
    if not whole.exists():
        await fill(whole)
    shutil.copytree(whole, folder)
    await damage(folder, statement)
    (before,) = await Maintenance(folder, WordEmbedder()).check()

    (after,) = await Maintenance(folder, WordEmbedder()).reconcile()

    assert finding in before.findings
    assert after.clean, after


async def test_an_entity_is_explained(tmp_path: Path) -> None:
    """Diagnose shows sources, chunks, relations and whether there is a vector; unknown names give nothing."""
    await fill(tmp_path)

    found = await Maintenance(tmp_path, WordEmbedder()).diagnose("w", "Maria")
    nothing = await Maintenance(tmp_path, WordEmbedder()).diagnose("w", "Nobody")

    assert found is not None
    assert len(found.chunks) == len(found.documents) == 4
    assert "Ivan" in found.relations
    assert found.vector
    assert nothing is None
    with pytest.raises(ConfigInvalid, match="no such workspace"):
        await Maintenance(tmp_path, WordEmbedder()).diagnose("unknown", "Maria")


async def test_another_embedding_model_is_never_mixed_in(tmp_path: Path) -> None:
    """A server with another model begins anew with the vectors by itself; what is said meanwhile is indexed with it."""
    await fill(tmp_path)
    other = WordEmbedder(dimension=96, model="other")
    async with served(tmp_path, other) as ours:
        accepted = await ours.post("w", "new.txt", exchange(9, "Maria went to Oslo."))
        await ours.server.resumed()
        await ours.wait_until_idle()
        shown = texts_of(await ours.ask("w", "Maria met Ivan in Lisbon code"))
        after = await ours.statuses("w")
        state = (await ours.http.get("/workspaces/w")).json()

    (report,) = await Maintenance(tmp_path, other).check()

    assert accepted.status_code == 200
    assert "77-X1" in shown
    assert after["processed"] == after["all"] == 5
    assert state["outdated"] == {"embedding": False, "documents": 0}
    assert report.clean, report


async def test_a_change_of_model_may_be_killed_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the first document: questions are answered from what is done, the next start does the rest.

    What was written through LightRAG's interface belongs to no document, and is embedded last.
    """
    await fill(tmp_path)
    async with served(tmp_path) as ours:
        headers = {"LIGHTRAG-WORKSPACE": "w"}
        body = {"entity_name": "Harbour", "entity_data": {"description": "Where boats lie.", "entity_type": "place"}}
        (await ours.http.post("/graph/entity/create", json=body, headers=headers)).raise_for_status()
    other = Killed(dimension=96, model="other")
    monkeypatch.setattr("memory_server.indexing.ingest.TURN", 1)
    async with served(tmp_path, other) as ours:
        await ours.server.resumed()
        await other.reached.wait()
        half = await ours.statuses("w")
        found = (await ours.ask("w", "Maria met Ivan in Lisbon", "naive"))["data"]["chunks"]
        await ours.server.worker.stop()
    async with served(tmp_path, WordEmbedder(dimension=96, model="other")) as ours:
        await ours.server.resumed()
        await ours.wait_until_idle()
        after = await ours.statuses("w")
        shown = texts_of(await ours.ask("w", "Harbour boats", "local"))

    (report,) = await Maintenance(tmp_path, WordEmbedder(96, "other")).check()

    assert (half["processed"], half["pending"]) == (1, 3)
    assert len(found) == 1
    assert after["processed"] == after["all"] == 4
    assert "Where boats lie." in shown
    assert report.clean, report


class Killed(WordEmbedder):
    """Embeds one document, then takes for ever over the next; questions (short) go through."""

    def __init__(self, dimension: int, model: str) -> None:
        super().__init__(dimension, model)
        self.reached = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors, or nothing ever."""
        if len(texts) > 1 and self.calls:
            self.reached.set()
            await asyncio.Event().wait()
        return await super().embed(texts)


async def test_another_chunker_version_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents cut by an older chunker are counted and cut again by a reindex, once."""
    await fill(tmp_path)
    monkeypatch.setattr("memory_server.chunking.VERSION", "newer")

    first = await Maintenance(tmp_path, WordEmbedder()).reindex(quiet)
    second = await Maintenance(tmp_path, WordEmbedder()).reindex(quiet)

    assert (first, second) == (4, 0)


async def test_a_folder_of_lightrag_moves_in(tmp_path: Path) -> None:
    """Documents are indexed, the extracted graph is kept and found, repeating changes nothing, erase reaches it."""
    old = await lightrag_folder(tmp_path / "old")
    lines: list[str] = []

    first = await Maintenance(tmp_path / "new", WordEmbedder()).import_folder(old, "w", lines.append)
    again = await Maintenance(tmp_path / "new", WordEmbedder()).import_folder(old, "w", lines.append)
    (report,) = await Maintenance(tmp_path / "new", WordEmbedder()).check()
    async with served(tmp_path / "new") as ours:
        counts = await ours.statuses("w")
        shown = texts_of(await ours.ask("w", "Maria met Ivan", ll_keywords=["Maria"], hl_keywords=["met"]))
        receipts = [await ours.erase("w", document_id(f"{number}.txt")) for number in range(3)]
        graph = (await ours.http.get("/graph/label/list", headers={"LIGHTRAG-WORKSPACE": "w"})).json()

    assert (first.documents, again.documents) == (3, 0)
    assert first.entities > 0
    assert first.relations > 0
    assert counts["processed"] == counts["all"] == 3
    assert "Maria" in shown
    assert report.clean, report
    assert "indexing" in lines
    assert all(receipt["residue"] == [] for receipt in receipts)
    assert graph == []


async def test_a_folder_that_is_none_or_damaged_is_refused(tmp_path: Path) -> None:
    """Not a LightRAG folder, or one with a torn file: a clear error, nothing is made."""
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "kv_store_full_docs.json").write_bytes(b'{"doc-1": {"cont')

    with pytest.raises(ConfigInvalid, match="not a LightRAG folder"):
        await Maintenance(tmp_path / "new", WordEmbedder()).import_folder(tmp_path, "w", quiet)
    with pytest.raises(DocumentRejected, match="damaged"):
        await Maintenance(tmp_path / "new", WordEmbedder()).import_folder(tmp_path / "torn", "w", quiet)


async def test_maintenance_and_a_server_exclude_each_other(tmp_path: Path) -> None:
    """A folder in use is refused."""
    async with Maintenance(tmp_path, WordEmbedder()).opened():
        with pytest.raises(ConfigInvalid, match="another memory server"):
            await Maintenance(tmp_path, WordEmbedder()).check()


async def lightrag_folder(folder: Path) -> Path:
    """Make a folder with LightRAG's own pipeline."""
    embedder = WordEmbedder()

    async def embed(texts: list[str], **_: Any) -> Any:  # Any: LightRAG's hints, and numpy to it
        return await embedder.embed(texts)

    rag = LightRAG(
        working_dir=str(folder),
        workspace="old",
        embedding_func=EmbeddingFunc(embedding_dim=64, func=embed, model_name="words"),
        llm_model_func=RuleModel(Extractor()).complete,
        tokenizer=tokenizer(),
    )
    await rag.initialize_storages()
    texts = [exchange(number, f"Maria met Ivan in Lisbon, code 77-X{number}.") for number in range(3)]
    await rag.apipeline_enqueue_documents(texts, file_paths=[f"{number}.txt" for number in range(3)])
    await rag.apipeline_process_enqueue_documents()
    await rag.finalize_storages()
    for function in (rag.embedding_func.func, *rag.role_llm_funcs.values()):
        await function.shutdown()
    assert orjson.loads((folder / "old" / "kv_store_doc_status.json").read_bytes())
    return folder / "old"
