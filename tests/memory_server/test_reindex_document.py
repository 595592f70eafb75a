"""One document is indexed anew by itself."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.forking import fork_program
from harness.processes import clean_environment
from memory_server.errors import ConfigInvalid
from memory_server.indexing.ingest import document_id
from memory_server.maintenance import Maintenance
from tests.memory_server.serving import exchange, served
from tests.memory_server.word_embedder import WordEmbedder


@pytest.mark.parametrize("named", ["a.txt", document_id("a.txt")])
async def test_one_document_is_indexed_again_and_no_other(tmp_path: Path, named: str) -> None:
    """By its id or its source: its chunk is made anew, the other document's stays; an unknown one is 404."""
    path = tmp_path / "workspaces" / "w.sqlite3"
    async with served(tmp_path) as ours:
        for source in ("a.txt", "b.txt"):
            await ours.post("w", source, exchange(1, f"Maria keeps {source} in Lisbon."))
        await ours.wait_until_idle()
        before = _chunks(path)
        answer = await ours.http.post("/workspaces/w/reindex", params={"document": named})
        await ours.wait_until_idle()
        after = _chunks(path)
        unknown = await ours.http.post("/workspaces/w/reindex", params={"document": "c.txt"})
        clean = (await ours.http.get("/workspaces/w/check")).json()["clean"]

    changed = {doc for doc in before if before[doc] != after[doc]}
    assert answer.json()["doc_id"] == document_id("a.txt")
    assert changed == {document_id("a.txt")}
    assert unknown.status_code == 404
    assert clean


async def test_vectors_of_two_models_are_not_mixed_for_one_document(tmp_path: Path) -> None:
    """After a change of the embedding model one document alone cannot be indexed again; it is said what to do."""
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()

    with pytest.raises(ConfigInvalid, match="whole workspace"):
        await Maintenance(tmp_path, WordEmbedder(32, "other")).reindex_document("w", "a.txt")


async def test_the_command_indexes_one_document_and_is_quiet(tmp_path: Path) -> None:
    """``reindex w --document NAME`` on the folder; LightRAG's remarks about optional packages are not shown."""
    async with served(tmp_path, _Local()) as ours:
        await ours.post("w", "a.txt", exchange(1, "Maria lives in Lisbon."))
        await ours.wait_until_idle()
    command = [sys.executable, "-m", "bot", "memory-server", "--data", str(tmp_path), "reindex"]

    done = subprocess.run([*command, "w", "--document", "a.txt"], capture_output=True, text=True, check=False)  # noqa: ASYNC221, S603 - our own
    unknown = _fork("--data", str(tmp_path), "reindex", "w", "--document", "c.txt")
    nowhere = _fork("--data", str(tmp_path), "reindex", "--document", "a.txt")

    assert done.returncode == 0, done.stderr
    assert "1 documents indexed again" in done.stdout
    assert "pypinyin" not in done.stdout + done.stderr
    assert unknown[0] != 0
    assert "no such document in w: c.txt" in unknown[1]
    assert nowhere[0] != 0


class _Local(WordEmbedder):
    """Bears the local model's name, so that the command finds vectors of its own."""

    def __init__(self) -> None:
        from adapters.embedding.use import UseEmbedder  # noqa: PLC0415 - only its name is needed

        local = UseEmbedder(Path())
        super().__init__(local.dimension, local.model)


def _fork(*arguments: str) -> tuple[int | None, str]:
    """Run the command in a fork; return its exit code and what it said of errors."""
    with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        streams = (nothing.fileno(), output.fileno(), errors.fileno())
        process = fork_program("bot", ("memory-server", *arguments), clean_environment(), streams)
        process.join(120)
        errors.seek(0)
        return process.exitcode, errors.read().decode()


def _chunks(path: Path) -> dict[str, int]:
    with sqlite3.connect(path) as db:
        return dict(db.execute("SELECT s.id, c.no FROM chunks c JOIN status s ON s.no = c.doc"))
