"""A chunker and loaders of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pytest

from memory_server.errors import DocumentRejected
from memory_server.maintenance import Maintenance
from memory_server.options import Plugins
from tests.memory_server.serving import Served, served, texts_of
from tests.memory_server.word_embedder import WordEmbedder

LINES = "The harbour sails at dawn.\nBread rises at noon.\n"


class ByLine:
    """Cuts a text into its lines."""

    version = "lines-1"

    def chunks(self, text: str, size: int, overlap: int, count: Callable[[str], int]) -> Sequence[str]:
        """Return the lines."""
        if "unreadable" in text:
            raise ValueError("a bug")
        assert overlap < size
        assert count(text) > 0
        return text.split("\n")


class Shouted:
    """Reads files of capital letters."""

    endings = (".shout",)

    def text(self, content: bytes, name: str) -> str:
        """Return the text in lower case."""
        if name.startswith("broken"):
            raise KeyError("a bug")
        if not content.isupper():
            raise DocumentRejected("this is not shouted")
        return content.decode().lower()


async def _chunks(ours: Served) -> int:
    page = await ours.http.post("/documents/paginated", json={}, headers={"LIGHTRAG-WORKSPACE": "w"})
    return sum(document["chunks_count"] or 0 for document in page.json()["documents"])


async def _upload(ours: Served, name: str, content: bytes) -> httpx.Response:
    return await ours.http.post(
        "/documents/upload", files={"file": (name, content)}, headers={"LIGHTRAG-WORKSPACE": "w"}
    )


async def test_a_chunker_cuts_what_asks_for_no_strategy(tmp_path: Path) -> None:
    """A document that asks for one of LightRAG's gets that; what a plug-in cannot cut fails and harms no other."""
    async with served(tmp_path, plugins=Plugins(chunker=ByLine())) as ours:
        await ours.post("w", "lines.txt", LINES)
        await ours.wait_until_idle()
        lines = await _chunks(ours)
        asked = {"text": LINES + "Asked.", "file_source": "fixed.txt", "chunking": {"strategy": "fixed_token"}}
        await ours.http.post("/documents/text", json=asked, headers={"LIGHTRAG-WORKSPACE": "w"})
        await ours.post("w", "bug.txt", "unreadable")
        await ours.wait_until_idle()
        both, statuses = await _chunks(ours), await ours.statuses("w")

    assert (lines, both) == (2, 3)
    assert (statuses["processed"], statuses["failed"]) == (2, 1)


async def test_another_chunker_makes_documents_outdated(tmp_path: Path) -> None:
    """They are found as they are until ``reindex``, which cuts them anew; chunks of two chunkers never mix unseen."""
    async with served(tmp_path) as ours:
        await ours.post("w", "lines.txt", LINES)
        await ours.wait_until_idle()
        whole = await _chunks(ours)
    async with served(tmp_path, plugins=Plugins(chunker=ByLine())) as ours:
        state = (await ours.http.get("/workspaces/w")).json()
        started = (await ours.http.post("/workspaces/w/reindex")).json()
        await ours.wait_until_idle()
        cut = await _chunks(ours)
    back = await Maintenance(tmp_path, WordEmbedder()).reindex(lambda _: None)

    assert (whole, cut) == (1, 2)
    assert (state["outdated"]["documents"], started["documents"], back) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "content", "status", "says"),
    [
        ("a.shout", b"THE HARBOUR SAILS AT DAWN.", 200, "received"),
        ("b.SHOUT", b"quiet", 400, "not shouted"),
        ("broken.shout", b"LOUD", 400, "cannot be read: KeyError"),
        ("plain.md", b"# Harbour\n\nIt sails.", 200, "received"),
        ("other.bin", b"\xff\xfe\x00", 400, "plain text"),
    ],
)
async def test_a_loader_reads_its_files(tmp_path: Path, name: str, content: bytes, status: int, says: str) -> None:
    """Others are plain text; what cannot be read is refused with a reason, and nothing is stored of it."""
    async with served(tmp_path, plugins=Plugins(loaders=(Shouted(),))) as ours:
        answer = await _upload(ours, name, content)
        await ours.wait_until_idle()
        found = texts_of(await ours.ask("w", "harbour", "naive")) if status == 200 else ""

    assert (answer.status_code, says in answer.text) == (status, True)
    assert status != 200 or "arbour" in found
