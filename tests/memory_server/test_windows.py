"""Windows of a model: it reads all of a long chunk, and all of a long question."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import respx

from adapters.embedding.use import UseEmbedder
from harness.memory_server.serving import MODES, serving
from language.tokens import count_tokens
from memory_server.embedding import EndpointEmbedder, endpoint_embedder
from memory_server.errors import ConfigInvalid
from memory_server.indexing.ingest import document_id
from memory_server.options import Vectors
from tests.memory_server.serving import served
from tests.memory_server.word_embedder import WORD, WordEmbedder

URL = "https://models.example/v1"


class ShortSighted(WordEmbedder):
    """Reads twenty words of a text, as a model reads 256 tokens, and says so."""

    async def windows(self, text: str, *, topics: bool = True) -> tuple[str, ...]:
        """Return the text twenty words at a time."""
        assert topics in {True, False}
        words = WORD.findall(text)
        return tuple(" ".join(words[start : start + 20]) for start in range(0, len(words), 20)) or (text,)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts' first twenty words."""
        return await super().embed([" ".join(WORD.findall(text)[:20]) for text in texts])


@pytest.fixture(scope="module")
def model(model_dir: Path) -> UseEmbedder:
    """The local model."""
    return UseEmbedder(model_dir)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text of 750 words about something else, with one sentence at a place in it."""

    fact: str
    text: str
    question: str


def hide(number: int, words: int = 750) -> Hidden:
    """Return text ``number``; the first stands at the beginning, the next in the middle, the third at the end."""
    name, topic = (("Adler", "chess"), ("Bramley", "sailing"), ("Calder", "pottery"))[number % 3]
    verbs, things = ("describes", "explains", "compares", "lists"), ("methods", "tools", "seasons", "costs", "rules")
    around = [
        f"Part {place} of the notes on {topic} {verbs[place % 4]} {things[place % 5]} that everybody should know."
        for place in range(words // 14)
    ]
    fact = f"{name} ordered lentil soup at the harvest dinner on {number} May."
    around.insert((0, len(around) // 2, len(around))[number % 3], fact)
    return Hidden(fact, " ".join(around), f"What did {name} order at the dinner?")


async def test_a_fact_is_found_wherever_in_a_chunk_it_stands(tmp_path: Path, model: UseEmbedder) -> None:
    """First, in the middle or last in 1,000 tokens: it stands first in every mode."""
    documents = [hide(number) for number in range(3)]
    first: set[tuple[str, str]] = set()
    async with serving(tmp_path, model) as (server, client):
        for number, document in enumerate(documents):
            body = {"text": document.text, "file_source": f"{number}.txt"}
            (await client.post("/documents/text", json=body)).raise_for_status()
        await server.worker.wait_until_idle()
        for mode in MODES:
            for document in documents:
                asked = {"query": document.question, "mode": mode}
                chunks = (await client.post("/query/data", json=asked)).json()["data"]["chunks"]
                first |= {(mode, document.fact)} if document.fact in chunks[0]["content"] else set()

    assert first == {(mode, document.fact) for mode in MODES for document in documents}


async def test_the_local_model_reads_all_of_a_long_text_in_parts(model: UseEmbedder) -> None:
    """A short text is its own only part; of a long one every sentence is in a part that is read whole."""
    document = hide(1)

    parts = await model.windows(document.text)
    few = await model.windows(document.text, topics=False)

    assert await model.windows(document.fact) == (document.fact,)
    assert document.text.startswith(parts[0])
    assert any(document.fact in part and len(part) < 300 for part in parts[1:])
    assert len(few) < 8
    assert all([await model.windows(part) == (part,) for part in few])


async def test_words_without_an_end_are_read_too(model: UseEmbedder) -> None:
    """A "sentence" longer than the model reads is cut further."""
    text = " ".join(f"word{number}" for number in range(600))

    parts = await model.windows(text)

    assert "word599" in parts[-1]
    assert all([await model.windows(part) == (part,) for part in parts[1:]])


async def test_a_windows_vectors_go_with_its_chunk(tmp_path: Path) -> None:
    """An erased document leaves no vector, one indexed again has each once, and the check sees an orphan."""
    path = tmp_path / "workspaces" / "w.sqlite3"
    async with served(tmp_path, ShortSighted()) as ours:
        for number in (1, 2):
            await ours.post("w", f"{number}.txt", hide(number, 120).text)
        await ours.wait_until_idle()
        before = _windows(path)
        await ours.http.post("/workspaces/w/reindex?everything=true")
        await ours.wait_until_idle()
        again = _windows(path)
        receipt = await ours.erase("w", document_id("1.txt"), document_id("2.txt"))
        left = _windows(path)
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO vectors_windows VALUES (?, ?)", (77 << 16 | 1, b"\0" * 128))
    async with served(tmp_path, ShortSighted()) as ours:
        found = (await ours.http.get("/workspaces/w/check")).json()["findings"]
        repaired = (await ours.http.post("/workspaces/w/reconcile")).json()

    assert before == again > 4
    assert receipt["residue"] == []
    assert left == 0
    assert list(found) == ["windows without chunk"]
    assert repaired["clean"]


async def test_a_question_limited_to_documents_sees_their_windows_only(tmp_path: Path) -> None:
    """The nearest window of another document is not found, the right one at the end of a chunk is."""
    async with served(tmp_path, ShortSighted()) as ours:
        for number in (2, 5):
            await ours.post("w", f"{number}.txt", hide(number, 120).text)
        await ours.wait_until_idle()
        question = hide(2).fact
        free = await ours.ask("w", question, "naive", chunk_top_k=1)
        limited = await ours.ask("w", question, "naive", file_sources=["5.txt"])

    assert [chunk["file_path"] for chunk in free["data"]["chunks"]] == ["2.txt"]
    assert {chunk["file_path"] for chunk in limited["data"].get("chunks", [])} <= {"5.txt"}


async def test_a_long_question_is_read_to_its_end(tmp_path: Path) -> None:
    """What is asked behind 300 other words finds its document."""
    padding = " ".join(f"filler{number}" for number in range(300))
    async with served(tmp_path, ShortSighted()) as ours:
        await ours.post("w", "a.txt", "Zebra crossing number seven is closed for repairs.")
        await ours.wait_until_idle()
        found = await ours.ask("w", f"{padding} zebra crossing number seven closed", "naive")

    assert [chunk["file_path"] for chunk in found["data"]["chunks"]] == ["a.txt"]


async def test_a_question_with_very_many_names_is_answered(tmp_path: Path) -> None:
    """LightRAG refuses more than 64 keywords: of those found by rules so many are sent."""
    names = ", ".join(f"Maria{number} Lopez{number}" for number in range(100))
    async with served(tmp_path) as ours:
        await ours.post("w", "a.txt", "Maria99 Lopez99 lives in Porto.")
        await ours.wait_until_idle()
        found = await ours.ask("w", f"Where do {names} live?", "mix")

    assert found["status"] in {"success", "failure"}  # "nothing found" is a failure in LightRAG's words; 422 raises


async def test_an_endpoint_is_never_sent_more_than_its_model_reads(tmp_path: Path, respx_mock: respx.Router) -> None:
    """With EMBEDDING_TOKENS no text of a request is longer, and the end of a document is among them."""
    sent: list[str] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        texts = json.loads(request.content)["input"]
        sent.extend(texts)
        rows = (await WordEmbedder(32).embed(texts)).tolist()
        return httpx.Response(200, json={"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]})

    respx_mock.post(f"{URL}/embeddings").mock(side_effect=answer)
    named = {"EMBEDDING_URL": URL, "EMBEDDING_MODEL": "m", "EMBEDDING_DIMENSION": "32", "EMBEDDING_TOKENS": "128"}
    document = hide(2)
    async with served(tmp_path, endpoint_embedder(named)) as ours:
        await ours.post("w", "a.txt", document.text)
        await ours.wait_until_idle()
        found = await ours.ask("w", f"{document.text} {document.question}", "naive")

    assert max(map(count_tokens, sent)) <= 128
    assert any(text.endswith(document.fact) for text in sent)
    assert found["data"]["chunks"]


async def test_an_endpoint_cuts_words_of_any_length() -> None:
    """Text without blanks is cut all the same, and nothing of it is lost."""
    embedder = EndpointEmbedder(URL, "", "m", 8, httpx.AsyncClient(), window_tokens=64)

    parts = await embedder.windows("x" * 5000)

    assert all(count_tokens(part) <= 64 for part in parts)
    assert sum(map(len, parts)) >= 5000


@pytest.mark.parametrize("window", ["8", "many", "-512"])
def test_a_window_that_no_model_has_is_refused(tmp_path: Path, window: str) -> None:
    """EMBEDDING_TOKENS is a number from 64 on."""
    named = {"EMBEDDING_URL": URL, "EMBEDDING_MODEL": "m", "EMBEDDING_DIMENSION": "32", "EMBEDDING_TOKENS": window}

    with pytest.raises(ConfigInvalid, match="EMBEDDING_TOKENS"):
        endpoint_embedder(named)


def _windows(path: Path) -> int:
    with sqlite3.connect(path) as db:
        (count,) = db.execute("SELECT count(*) FROM vectors_windows").fetchone()
    return int(count)
