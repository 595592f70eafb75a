"""Erase that erases, with a receipt that is true."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from memory_server.errors import EmbeddingUnavailable
from memory_server.indexing import embedding_texts as erasing
from memory_server.indexing.ingest import document_id
from memory_server.options import Vectors
from memory_server.storage.workspace import Workspace
from tests.memory_server.serving import exchange, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder

PEOPLE = ("Maria", "Ivan", "Olga", "Lars")


def bytes_in(folder: Path, needle: str) -> list[str]:
    """Return the files that hold a text."""
    return [path.name for path in folder.rglob("*") if path.is_file() and needle.encode() in path.read_bytes()]


async def test_an_erased_exchange_is_gone_from_everything(tmp_path: Path) -> None:
    """Not retrievable in any mode, not in a description, not a byte on disk; what others said of the same people stays.

    Mutation check: without ``secure_delete`` the bytes test is red, without re-embedding the vector test.
    """
    chance = random.Random(3)
    async with served(tmp_path) as ours:
        for number in range(40):
            one, two = chance.sample(PEOPLE, 2)
            text = exchange(number, f"{one} met {two} in Lisbon and whispered zq{number}zq about the harbour.")
            await ours.post("w", f"e{number}.txt", text)
        await ours.wait_until_idle()
        doomed = chance.sample(range(40), 10)
        receipts = [await ours.erase("w", document_id(f"e{number}.txt")) for number in doomed]
        shown = dict.fromkeys(("mix", "naive", "local", "global"), "")
        for mode, (number, name) in product(shown, zip(doomed, PEOPLE * 3, strict=False)):
            keywords = {"ll_keywords": [name, f"zq{number}zq"], "hl_keywords": ["met whispered", f"zq{number}zq"]}
            shown[mode] += texts_of(await ours.ask("w", f"whispered zq{number}zq Lisbon", mode, **keywords))
        graph = (await ours.http.get("/graphs", params={"label": "*"}, headers={"LIGHTRAG-WORKSPACE": "w"})).text
        left = [number for number in range(40) if number not in doomed]
        kept = texts_of(await ours.ask("w", f"whispered zq{left[0]}zq", "naive"))

        for number in doomed:
            assert not any(f"zq{number}zq" in text for text in shown.values())
            assert f"zq{number}zq" not in graph
            assert bytes_in(tmp_path, f"zq{number}zq") == []

    assert f"zq{left[0]}zq" in kept
    assert all(receipt["documents"] == 1 and receipt["chunks"] == 1 for receipt in receipts)
    assert all(receipt["residue"] == [] for receipt in receipts)
    assert all(receipt["entities_changed"] >= 1 for receipt in receipts)


async def test_a_shared_entity_is_embedded_without_the_erased(tmp_path: Path) -> None:
    """The vector of an entity that others mention too is that of what is left."""
    embedder = WordEmbedder()
    async with served(tmp_path, embedder) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria loves tangerines."))
        await ours.post("w", "b.txt", exchange(2, "Maria hates submarines."))
        await ours.wait_until_idle()
        await ours.erase("w", document_id("b.txt"))
        async with ours.server.workspaces.lease("w") as workspace:
            row = await workspace.read(
                lambda db: db.execute(
                    "SELECT v.v FROM vectors_entities v JOIN nodes n ON n.no = v.no WHERE n.name = 'Maria'"
                ).fetchone()
            )
        (expected,) = await embedder.embed(["Maria\nAnna (2026-02-07): Maria loves tangerines."])

    assert float(np.frombuffer(row[0], np.float16).astype(np.float32) @ expected) > 0.999


async def test_an_erase_killed_half_way_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows are gone at once; the vectors are made anew when the server starts again."""
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria loves tangerines."))
        await ours.post("w", "b.txt", exchange(2, "Maria hates submarines."))
        await ours.wait_until_idle()

        async def killed(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(erasing, "_embed_again", killed)
            async with ours.server.workspaces.lease("w") as workspace:
                with pytest.raises(KeyboardInterrupt):
                    await erasing.erase(workspace, [document_id("b.txt")], WordEmbedder())
    async with served(tmp_path) as again:
        await again.server.resumed()
        shown = texts_of(await again.ask("w", "Maria hates submarines"))
        async with again.server.workspaces.lease("w") as workspace:
            pending = await workspace.read(
                lambda db: db.execute("SELECT 1 FROM meta WHERE key = ?", (erasing.PENDING,)).fetchone()
            )

    assert "submarines" not in shown.replace("Maria hates submarines", "")
    assert pending is None


async def test_an_erase_killed_before_the_log_was_emptied_leaves_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log still holds pages with the text; the next start empties it.

    Mutation check: with the mark of an unfinished erase removed together with the vectors this test is red.
    """

    async def killed(_: Workspace) -> None:
        raise KeyboardInterrupt

    async with served(tmp_path / "running") as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria loves tangerines."))
        await ours.post("w", "b.txt", exchange(2, "Maria hates submarines."))
        await ours.wait_until_idle()
        async with ours.server.workspaces.lease("w") as workspace:
            monkeypatch.setattr(Workspace, "checkpoint", killed)
            with pytest.raises(KeyboardInterrupt):
                await erasing.erase(workspace, [document_id("b.txt")], WordEmbedder())
        monkeypatch.undo()
        await asyncio.to_thread(shutil.copytree, tmp_path / "running", tmp_path / "killed")
    before = bytes_in(tmp_path / "killed", "submarines")
    async with served(tmp_path / "killed") as again:
        await again.server.resumed()
        after = bytes_in(tmp_path / "killed", "submarines")

    assert before != []
    assert after == []


async def test_an_erase_during_an_outage_is_not_forgotten_by_the_next(tmp_path: Path) -> None:
    """What two erases have left to be embedded is embedded by the second: no vector keeps the first one's words.

    Mutation check: with only the second erase's entities embedded this test is red.
    """

    class Flaky(WordEmbedder):
        down = False

        async def embed(self, texts: Sequence[str]) -> Vectors:
            if self.down:
                raise EmbeddingUnavailable("no model")
            return await super().embed(texts)

    embedder = Flaky()
    async with served(tmp_path, embedder) as ours:
        for source, text in (("a", "Maria loves tangerines."), ("b", "Maria hates submarines."), ("c", "Ivan sings.")):
            await ours.post("w", f"{source}.txt", exchange(1, text))
        await ours.wait_until_idle()
        embedder.down = True
        body = {"doc_ids": [document_id("b.txt")]}
        refused = await ours.http.request(
            "DELETE", "/documents/delete_document", json=body, headers={"LIGHTRAG-WORKSPACE": "w"}
        )
        embedder.down = False
        await ours.erase("w", document_id("c.txt"))
        async with ours.server.workspaces.lease("w") as workspace:
            row = await workspace.read(
                lambda db: db.execute(
                    "SELECT v.v FROM vectors_entities v JOIN nodes n ON n.no = v.no WHERE n.name = 'Maria'"
                ).fetchone()
            )
        (expected,) = await embedder.embed(["Maria\nAnna (2026-02-07): Maria loves tangerines."])

    assert refused.status_code == 503
    assert float(np.frombuffer(row[0], np.float16).astype(np.float32) @ expected) > 0.999


async def test_a_drop_killed_half_way_is_finished_at_the_next_start(tmp_path: Path) -> None:
    """A log whose workspace is gone is removed, the one of a workspace is kept."""
    async with served(tmp_path) as ours:
        await ours.post("kept", "a.txt", exchange(1, "Maria loves tangerines."))
        await ours.wait_until_idle()
        folder = tmp_path / "workspaces"
        for suffix in ("-wal", "-shm"):
            (folder / f"gone.sqlite3{suffix}").write_bytes(b"dropcanary")
        log = (folder / "kept.sqlite3-wal").stat().st_size
        await ours.server.workspaces.sweep()
        left = bytes_in(tmp_path, "dropcanary")
        names = sorted(path.name for path in folder.iterdir())

    assert left == []
    assert log > 0
    assert names == ["kept.sqlite3", "kept.sqlite3-shm", "kept.sqlite3-wal"]


async def test_a_dropped_workspace_leaves_no_byte(tmp_path: Path) -> None:
    """Its files are gone, the receipt says so, a new one of the same name is empty, the neighbours are whole."""
    async with served(tmp_path) as ours:
        for name in ("mine", "other"):
            await ours.post(name, "a.txt", exchange(1, f"Maria said the word {name}canary."))
        await ours.wait_until_idle()
        receipt = (await ours.http.delete("/workspaces/mine")).json()
        again = (await ours.http.delete("/workspaces/mine")).json()
        shown = await ours.ask("mine", "Maria said the word minecanary")
        counts = await ours.statuses("mine")

        assert bytes_in(tmp_path, "minecanary") == []
        assert bytes_in(tmp_path, "othercanary") != []

    assert receipt == {"status": "success", "workspace": "mine", "existed": True, "residue": []}
    assert again["existed"] is False
    assert shown["status"] == "failure"
    assert counts["all"] == 0


async def test_a_document_erased_while_it_waits_is_never_indexed(tmp_path: Path) -> None:
    """Erasing a document that has not been indexed yet removes it for good."""
    async with served(tmp_path) as ours:
        await ours.server.worker.stop()
        await ours.post("w", "a.txt", exchange(1, "Maria said waitingcanary."))
        receipt = await ours.erase("w", document_id("a.txt"))
    async with served(tmp_path) as again:
        await again.server.resumed()
        await again.wait_until_idle()
        counts = await again.statuses("w")

    assert receipt["documents"] == 1
    assert counts["all"] == 0
    assert bytes_in(tmp_path, "waitingcanary") == []


async def test_erasing_while_others_write(tmp_path: Path) -> None:
    """Erases, inserts and questions at once in one workspace: nothing fails, and what was erased stays gone."""
    async with served(tmp_path) as ours:
        for number in range(10):
            await ours.post("w", f"e{number}.txt", exchange(number, f"Maria said race{number}x in Lisbon."))
        await ours.wait_until_idle()

        async def insert(number: int) -> int:
            return (await ours.post("w", f"n{number}.txt", exchange(number, f"Ivan said new{number}y."))).status_code

        erased, inserted, _ = await asyncio.gather(
            asyncio.gather(*(ours.erase("w", document_id(f"e{number}.txt")) for number in range(10))),
            asyncio.gather(*(insert(number) for number in range(30))),
            asyncio.gather(*(ours.ask("w", "Maria said race in Lisbon") for _ in range(10))),
        )
        await ours.wait_until_idle()
        counts = await ours.statuses("w")
        report = (await ours.http.get("/workspaces/w/check")).json()

    assert all(receipt["residue"] == [] for receipt in erased)
    assert inserted == [200] * 30
    assert counts["processed"] == counts["all"] == 30
    assert report["clean"], report


@pytest.mark.parametrize("doomed", [0, 1, 2])
async def test_an_entity_that_was_merged_keeps_a_vector(tmp_path: Path, doomed: int) -> None:
    """Erasing any of the documents behind a merge leaves everything consistent, without a reconcile, and findable.

    Mutation check: when what was written is not embedded anew, "entities without vector" is found.
    """
    headers = {"LIGHTRAG-WORKSPACE": "w"}
    texts = ("Maria lives in Lisbon.", "Marie lives in Porto with Ivan.", "Maria met Marie in Oslo.")
    async with served(tmp_path) as ours:
        for number, text in enumerate(texts):
            await ours.post("w", f"{number}.txt", exchange(number, text))
        await ours.wait_until_idle()
        body = {"entities_to_change": ["Marie"], "entity_to_change_into": "Maria"}
        merged = await ours.http.post("/graph/entities/merge", json=body, headers=headers)
        merged.raise_for_status()
        receipt = await ours.erase("w", document_id(f"{doomed}.txt"))
        report = (await ours.http.get("/workspaces/w/check")).json()
        diagnosis = (await ours.http.get("/workspaces/w/entities/Maria")).json()
        await ours.erase("w", *(document_id(f"{number}.txt") for number in range(3)))
        empty = (await ours.http.get("/workspaces/w/check")).json()

    assert receipt["residue"] == []
    assert report["findings"] == {}
    assert diagnosis["vector"] is True
    assert empty["clean"] is True


@pytest.mark.parametrize("route", ["entity/delete", "entity/edit", "relation/delete"])
async def test_what_is_removed_from_the_graph_is_gone_from_the_log(tmp_path: Path, route: str) -> None:
    """An entity, a relation and a description that were written by hand leave no byte behind, the log included.

    Mutation check: without emptying the log the needle is found in the file beside the database.
    """
    headers = {"LIGHTRAG-WORKSPACE": "w"}
    written = {"description": "zqneedlezq", "entity_type": "person"}
    plain, needle = written | {"description": "somebody"}, {"description": "zqneedlezq", "keywords": "knows"}
    async with served(tmp_path) as ours:
        for name, data in (("Maria", written if route != "relation/delete" else plain), ("Ivan", plain)):
            body = {"entity_name": name, "entity_data": data}
            (await ours.http.post("/graph/entity/create", json=body, headers=headers)).raise_for_status()
        if route == "relation/delete":
            body = {"source_entity": "Maria", "target_entity": "Ivan", "relation_data": needle}
            (await ours.http.post("/graph/relation/create", json=body, headers=headers)).raise_for_status()
        before = bytes_in(tmp_path, "zqneedlezq")
        answer = await ours.http.request(
            "POST" if route == "entity/edit" else "DELETE", f"/graph/{route}", json=_BODIES[route], headers=headers
        )
        after = bytes_in(tmp_path, "zqneedlezq")

    assert answer.status_code == 200, answer.text
    assert before
    assert after == []


_BODIES = {
    "entity/delete": {"entity_name": "Maria"},
    "entity/edit": {"entity_name": "Maria", "updated_data": {"description": "other words"}},
    "relation/delete": {"source_entity": "Maria", "target_entity": "Ivan"},
}
