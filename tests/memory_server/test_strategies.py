"""Documents cut the way they ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_server.chunking import Cutter, Limits, cut_by_meaning, cut_by_tokens, cut_recursively, tokenizer
from memory_server.errors import DocumentRejected
from memory_server.indexing.ingest import document_id
from tests.cases import each_row
from tests.memory_server.serving import served
from tests.memory_server.word_embedder import WordEmbedder

TOKENS: Any = tokenizer()  # Any: LightRAG's untyped wrapper
SHIPS = "Ship harbour sail one. Ship harbour sail two. Ship harbour sail three."
BREAD = "Bread dough flour four. Bread dough flour five. Bread dough flour six."


async def cut(text: str, strategy: str, **params: Any) -> list[str]:  # Any: JSON of a request
    """Return a text's chunks."""
    made = await Cutter(WordEmbedder(), Limits()).chunks(text, {"strategy": strategy, "params": params})
    return [chunk.content for chunk in made]


async def test_a_split_character_is_lightrags_chunker() -> None:
    """With one the headings do not count."""
    only = {"split_by_character": "\n\n", "split_by_character_only": True}

    assert await cut("# A\n\nb\n\nc", "custom", **only) == ["# A", "b", "c"]
    assert await cut("# A\n\nb\n\nc", "fixed_token", **only) == ["# A", "b", "c"]
    assert await cut("# A\n\nb", "fixed_token") == [chunk.content for chunk in cut_by_tokens("# A\n\nb", Limits())]


async def test_recursive_cuts_at_paragraphs_before_words() -> None:
    """Paragraphs that fit stay whole; one that does not is cut between words."""
    long = " ".join(["seven"] * 30)

    chunks = await cut(f"one two\n\nthree four\n\n{long}", "recursive_character", chunk_token_size=10,
                       chunk_overlap_token_size=0)  # fmt: skip

    assert chunks[0] == "one two\n\nthree four"
    assert {word for chunk in chunks[1:] for word in chunk.split()} == {"seven"}
    assert sum(chunk.count("seven") for chunk in chunks) == 30
    assert len(await cut("a|b|c", "recursive_character", chunk_token_size=2, chunk_overlap_token_size=0,
                         separators=["|"])) == 3  # fmt: skip


async def test_paragraphs_of_a_plain_text_are_cut_recursively() -> None:
    """``paragraph_semantic`` needs a parser's blocks; without them LightRAG cuts recursively, and so does this."""
    text = "one two\n\nthree four\n\nfive six seven eight"

    assert await cut(text, "paragraph_semantic", chunk_token_size=8) == await cut(
        text, "recursive_character", chunk_token_size=8
    )


@each_row(("kind", "amount"), [("percentile", 80.0), ("standard_deviation", 1.0), ("interquartile", 0.5)])
async def test_semantic_cuts_where_the_topic_changes(kind: str, amount: float) -> None:
    """Of six sentences the cut falls between the two topics, whatever measures what is unusual."""
    chunks = await cut(f"{SHIPS} {BREAD}", "semantic_vector", breakpoint_threshold_type=kind,
                       breakpoint_threshold_amount=amount)  # fmt: skip

    assert chunks == [SHIPS, BREAD]


async def test_a_gradient_cuts_where_the_distance_rises() -> None:
    """It rises most on the way to the first window that reaches into the new topic."""
    chunks = await cut(f"{SHIPS} {BREAD}", "semantic_vector", breakpoint_threshold_type="gradient")

    assert " ".join(chunks) == f"{SHIPS} {BREAD}"
    assert len(chunks) == 2
    assert BREAD in chunks[1]


async def test_a_group_that_is_too_long_is_cut_further() -> None:
    """The size asked for holds for semantic chunks, too."""
    chunks = await cut(f"{SHIPS} {BREAD}", "semantic_vector", chunk_token_size=10)

    assert all(len(TOKENS.encode(chunk)) <= 10 for chunk in chunks)
    assert " ".join(chunks).split() == f"{SHIPS} {BREAD}".split()


async def test_what_there_is_not_is_refused() -> None:
    """An unknown strategy is an error, not another strategy."""
    with pytest.raises(DocumentRejected, match="by_moon"):
        await cut("x", "by_moon")


async def test_a_request_chooses_its_strategy(tmp_path: Path) -> None:
    """Every strategy of LightRAG's API is accepted over HTTP and indexed; a wrong parameter is 422 at once."""
    asked: dict[str, dict[str, Any]] = {  # Any: JSON
        "fixed_token": {"chunk_token_size": 20, "chunk_overlap_token_size": 0},
        "recursive_character": {"chunk_token_size": 20, "chunk_overlap_token_size": 0},
        "paragraph_semantic": {"chunk_token_size": 20, "chunk_overlap_token_size": 0},
        "semantic_vector": {"breakpoint_threshold_amount": 80.0},
        "custom": {},
    }
    headers = {"LIGHTRAG-WORKSPACE": "w"}
    async with served(tmp_path) as ours:
        for strategy, params in asked.items():
            body = {"text": f"{SHIPS} {BREAD}", "file_source": f"{strategy}.txt",
                    "chunking": {"strategy": strategy, "params": params}}  # fmt: skip
            answer = await ours.http.post("/documents/text", json=body, headers=headers)
            assert answer.status_code == 200, answer.text
        await ours.wait_until_idle()
        wrong = body | {"chunking": {"strategy": "semantic_vector", "params": {"buffer_size": 0}}}
        refused = await ours.http.post("/documents/text", json=wrong, headers=headers)
        page = await ours.http.post("/documents/paginated", json={"page": 1, "page_size": 50}, headers=headers)
    counts = {document["id"]: (document["status"], document["chunks_count"]) for document in page.json()["documents"]}

    assert refused.status_code == 422
    assert counts[document_id("custom.txt")] == ("processed", 1)
    for strategy in set(asked) - {"custom"}:
        status, chunks = counts[document_id(f"{strategy}.txt")]
        assert status == "processed"
        assert chunks > 1, strategy


@given(st.text("ab c.\n", max_size=300), st.integers(1, 20))
def test_recursive_keeps_every_letter_within_the_size(text: str, size: int) -> None:
    """No letter is lost and no chunk is larger than asked."""
    chunks = cut_recursively(text, Limits(size, 0))

    assert "".join("".join(chunk.content.split()) for chunk in chunks) == "".join(text.split())
    assert all(chunk.tokens <= size for chunk in chunks)


async def test_one_sentence_is_one_group() -> None:
    """There is nothing to compare it with."""
    assert await cut_by_meaning("Only this.", WordEmbedder()) == ["Only this."]
