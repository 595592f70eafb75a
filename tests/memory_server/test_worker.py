"""Accepted is indexed: after restarts, outages and poison."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.processes import until
from memory_server.errors import EmbeddingUnavailable
from memory_server.extraction import Extractor
from memory_server.indexing.ingest import TURN
from memory_server.options import Vectors
from tests.memory_server.serving import exchange, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder


class FlakyEmbedder(WordEmbedder):
    """Fails while ``down``."""

    down = True

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors or raise."""
        if self.down:
            raise EmbeddingUnavailable("no model")
        return await super().embed(texts)


async def test_what_was_accepted_is_indexed_after_a_restart(tmp_path: Path) -> None:
    """Documents that wait when the server ends are indexed by the next one, in order, without help."""
    async with served(tmp_path) as ours:
        await ours.server.worker.stop()
        for number in range(5):
            await ours.post("w", f"{number}.txt", exchange(number, f"fact number {number} about Maria"))
    async with served(tmp_path) as again:
        await again.server.resumed()
        await again.wait_until_idle()
        counts = await again.statuses("w")
        chunks = (await again.ask("w", "fact number about Maria", "naive"))["data"]["chunks"]

    assert counts["processed"] == counts["all"] == 5
    assert len(chunks) == 5


async def test_an_outage_is_not_the_documents_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While no vectors can be made documents wait, however often it is tried; then they are indexed."""
    monkeypatch.setattr("memory_server.indexing.ingest.time.time", lambda: 0.0)
    embedder = FlakyEmbedder()
    async with served(tmp_path, embedder, attempts=1) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
        waiting = await ours.statuses("w")
        embedder.down = False
        monkeypatch.undo()
        ours.server.worker.wake("w")
        await ours.wait_until_idle()
        after = await ours.statuses("w")

    assert (waiting["pending"], waiting["failed"]) == (1, 0)
    assert after["processed"] == 1


async def test_an_outage_is_not_asked_for_every_document(tmp_path: Path) -> None:
    """With many documents waiting, an embedder that is down is tried now and then, not once for each of them.

    Mutation check: when the worker goes on to the next document this test is red.
    """
    embedder = FlakyEmbedder()
    async with served(tmp_path, embedder) as ours:
        await ours.server.worker.stop()
        for number in range(40):
            await ours.post("w", f"{number}.txt", exchange(number, f"fact number {number} about Maria"))
    tried = 0

    class Counting(FlakyEmbedder):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            nonlocal tried
            tried += 1
            return await super().embed(texts)

    async with served(tmp_path, Counting()) as again:
        await again.server.resumed()
        while not tried:  # noqa: ASYNC110 - the worker has no event
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        counts = await again.statuses("w")

    assert 1 <= tried <= 3
    assert counts["pending"] == 40


async def test_poison_is_set_aside_and_can_be_revived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that breaks the indexer ends as a visible dead letter; the others are indexed; a retry works."""

    def poisoned(self: Extractor, text: str) -> object:
        if "poison" in text:
            raise ZeroDivisionError
        return whole(self, text)

    whole = Extractor.extract
    async with served(tmp_path, attempts=1) as ours:
        with monkeypatch.context() as patched:
            patched.setattr(Extractor, "extract", poisoned)
            for source, text in (("bad.txt", "some poison here"), ("good.txt", "Maria lives in Lisbon.")):
                await ours.post("w", source, exchange(1, text))
            await ours.wait_until_idle()
            counts = await ours.statuses("w")
            page = (await ours.http.post("/documents/paginated", json={"status_filter": "failed"},
                                         headers={"LIGHTRAG-WORKSPACE": "w"})).json()  # fmt: skip
            state = (await ours.http.get("/workspaces/w")).json()
        await ours.http.post("/documents/reprocess_failed", headers={"LIGHTRAG-WORKSPACE": "w"})
        await ours.wait_until_idle()
        revived = await ours.statuses("w")

    assert (counts["failed"], counts["processed"]) == (1, 1)
    (letter,) = page["documents"]
    assert letter["file_path"] == "bad.txt"
    assert "ZeroDivisionError" in letter["error_msg"]
    assert letter["metadata"]["dead_letter"] is True
    assert state["documents"] == {"failed": 1, "processed": 1}
    assert revived["processed"] == 2


async def test_workspaces_do_not_wait_for_one_another(tmp_path: Path) -> None:
    """While one workspace's document hangs in the embedder, another's is indexed and answers."""
    gate = asyncio.Event()

    class Hanging(WordEmbedder):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            if any("hang" in text for text in texts):
                await gate.wait()
            return await super().embed(texts)

    async with served(tmp_path, Hanging()) as ours:
        await ours.post("slow", "a.txt", exchange(1, "please hang here"))
        await ours.post("fast", "a.txt", exchange(1, "Maria lives in Lisbon."))
        for _ in range(3000):
            if (await ours.statuses("fast"))["processed"]:
                break
            await asyncio.sleep(0.02)
        fast, slow = await ours.statuses("fast"), await ours.statuses("slow")
        gate.set()
        await ours.wait_until_idle()

    assert fast["processed"] == 1
    assert slow["processed"] == 0


async def test_a_damaged_workspace_does_not_stop_the_others(tmp_path: Path) -> None:
    """With garbage for one file the others resume and answer, and it begins anew itself."""
    async with served(tmp_path) as ours:
        await ours.server.worker.stop()
        await ours.post("whole", "a.txt", exchange(1, "Maria lives in Lisbon."))
    (tmp_path / "workspaces" / "broken.sqlite3").write_bytes(b"garbage " * 4000)
    async with served(tmp_path) as again:
        await again.server.resumed()
        await again.wait_until_idle()
        counts = await again.statuses("whole")
        broken = await again.http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": "broken"})

    assert counts["processed"] == 1
    assert broken.json()["status_counts"]["all"] == 0
    assert len(list((tmp_path / "workspaces" / "damaged").iterdir())) == 1


class Recording(WordEmbedder):
    """Notes which workspace's chunk is embedded, by the word in it."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Note and return vectors."""
        for text in texts:
            self.order += [word for word in text.split() if word.startswith("shop")][:1] if "Date:" in text else []
        return await super().embed(texts)


async def _filled(folder: Path, shops: int, documents: int) -> None:
    async with served(folder) as ours:
        await ours.server.worker.stop()
        for shop in range(shops):
            body = {
                "texts": [exchange(number, f"in shop{shop} there is a parcel") for number in range(documents)],
                "file_sources": [f"{number}.txt" for number in range(documents)],
            }
            await ours.http.post("/documents/texts", json=body, headers={"LIGHTRAG-WORKSPACE": f"w{shop}"})


async def test_busy_workspaces_take_turns_with_the_others(tmp_path: Path) -> None:
    """Four workspaces with 200 documents each keep a fifth one's single text waiting for a few dozen, not for all.

    Counted in documents, which are indexed eight at a time.
    Mutation check: with a slot held until a workspace is empty it waits for some 200.
    """
    await _filled(tmp_path, 4, 200)
    embedder = Recording()
    async with served(tmp_path, embedder) as ours:
        await ours.server.resumed()
        await until(lambda: len(embedder.order) >= 12, seconds=60)
        before = len(embedder.order)
        await ours.post("late", "a.txt", exchange(1, "in shop9 there is a parcel"))
        await until(lambda: "shop9" in embedder.order, seconds=60)
        waited = embedder.order.index("shop9") - before
        done = {shop: embedder.order.count(f"shop{shop}") for shop in range(4)}
        await ours.server.worker.stop()

    assert waited <= 2 * 4 * TURN + 4  # what is under way when it comes, and a turn of each
    assert max(done.values()) - min(done.values()) <= 2 * TURN


async def test_after_a_restart_workspaces_take_turns_too(tmp_path: Path) -> None:
    """The last of nine waiting workspaces is served before the first one is empty.

    The first ones begin before the last one is looked into, on a busy machine long before.
    """
    await _filled(tmp_path, 9, 6 * TURN)
    embedder = Recording()
    async with served(tmp_path, embedder) as ours:
        await ours.server.resumed()
        await ours.wait_until_idle()

    order = embedder.order
    assert max(order.index(f"shop{shop}") for shop in range(9)) < len(order) - order[::-1].index(order[0])
    assert len(order) == 9 * 6 * TURN


async def test_a_workspace_dropped_while_it_is_indexed_stays_away(tmp_path: Path) -> None:
    """In many rounds, at every moment: no file comes back, and nothing is found.

    Mutation check: with a lease that makes what it does not find, an empty file comes back in some rounds.
    """
    rounds, back = 24, []
    async with served(tmp_path) as ours:
        for number in range(rounds):
            name = f"w{number}"
            for each in range(3):
                await ours.post(name, f"{each}.txt", exchange(each, f"the secret {number} of Maria"))
            for _ in range(number % 12):
                await asyncio.sleep(0.001)
            erasing = [
                ours.http.delete(f"/workspaces/{name}"),
                ours.http.post("/documents/reprocess_failed", headers={"LIGHTRAG-WORKSPACE": name}),
                ours.http.get("/documents/status_counts", headers={"LIGHTRAG-WORKSPACE": name}),
            ]
            receipt, *_ = await asyncio.gather(*erasing)
            assert receipt.json()["residue"] == []
        await ours.wait_until_idle()
        await asyncio.sleep(0.1)
        back = [path.name for path in (tmp_path / "workspaces").iterdir()]

    assert back == []


class Calls(WordEmbedder):
    """Counts what it is asked, and refuses whatever holds a word."""

    def __init__(self, poison: str = "") -> None:
        super().__init__()
        self.poison = poison
        self.asked: list[int] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Note how many texts there are and return vectors."""
        self.asked.append(len(texts))
        if self.poison and any(self.poison in text for text in texts):
            raise ValueError("poison")
        return await super().embed(texts)


async def _indexed_with(folder: Path, embedder: Calls) -> tuple[list[str], dict[str, int], str]:
    """Index eight exchanges that waited; return the entities, the statuses and what a question shows."""
    async with served(folder) as ours:
        await ours.server.worker.stop()
        for number in range(TURN):
            await ours.post("w", f"{number}.txt", exchange(number, f"Maria met Ivan in Lisbon, code 77-X{number}."))
    async with served(folder, embedder, attempts=1) as ours:
        await ours.server.resumed()
        await ours.wait_until_idle()
        labels = (await ours.http.get("/graph/label/list", headers={"LIGHTRAG-WORKSPACE": "w"})).json()
        shown = texts_of(await ours.ask("w", "Maria met Ivan in Lisbon"))
        return sorted(labels), await ours.statuses("w"), shown


async def test_short_documents_that_wait_are_indexed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one call of the model, with what one by one gives."""
    together, one_by_one = Calls(), Calls()

    at_once = await _indexed_with(tmp_path / "together", together)
    monkeypatch.setattr("memory_server.indexing.ingest.TURN", 1)
    singly = await _indexed_with(tmp_path / "singly", one_by_one)

    assert at_once[:2] == singly[:2]
    assert at_once[1]["processed"] == TURN
    assert all(f"code 77-X{number}" in at_once[2] for number in range(TURN))
    assert len(together.asked) == len(one_by_one.asked) - TURN + 1


async def test_one_of_several_that_cannot_be_indexed_is_set_aside_alone(tmp_path: Path) -> None:
    """The batch fails, and then the document whose fault it is; the others are indexed."""
    _, counts, shown = await _indexed_with(tmp_path, Calls(poison="77-X3"))

    assert (counts["processed"], counts["failed"]) == (TURN - 1, 1)
    assert "77-X4" in shown
