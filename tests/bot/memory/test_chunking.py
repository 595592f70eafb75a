"""Documents are cut along their headings, small enough to be found and shown whole."""

from __future__ import annotations

from bot.memory.chunking import (
    CHUNK_CHARACTERS,
    CHUNK_WORDS,
    DocumentChunk,
    cut_document,
    find_document_uid,
    name_part,
    render_part,
    split_parts,
)
from harness.samples import NOON
from tests.cases import each_row


def test_a_short_section_is_one_chunk_with_its_headings() -> None:
    """Text, path and page come through; what has no words gives nothing."""
    chunks = cut_document(
        [
            DocumentChunk(("Report",), "", 1),
            DocumentChunk(("Report", " 3  Results "), "We found  a tide of 3.2 m.\n\n\n\nIt was high.", 41),
        ]
    )

    assert chunks == (DocumentChunk(("Report", "3 Results"), "We found a tide of 3.2 m.\nIt was high.", 41),)


@each_row(
    "text",
    [
        " ".join(f"Sentence number {n} tells of the harbour and its lights." for n in range(200)),
        " ".join(f"word{n}" for n in range(2000)),
        "x" * 10_000,
        "\n".join(f"Line {n} of a list" for n in range(500)),
        "潮" * 5_000,
    ],
)
def test_no_chunk_is_larger_than_what_is_embedded_and_shown_whole(text: str) -> None:
    """Whatever the text is made of, every word of it stands in some chunk, in order."""
    chunks = cut_document([DocumentChunk((), text)])

    assert all(len(chunk.text.split()) <= CHUNK_WORDS for chunk in chunks)
    assert all(len(chunk.text) <= CHUNK_CHARACTERS * 1.3 for chunk in chunks)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(text.split())


def test_rows_of_a_table_keep_its_head() -> None:
    """A row says nothing without the names of its columns."""
    rows = "\n".join(f"| City {n} | {n} | a remark of some words about it |" for n in range(60))
    chunks = cut_document(
        [DocumentChunk(("Sheet",), f"Before.\n| Place | Number | Remark |\n|---|:-:|---|\n{rows}\nAfter.")]
    )
    tables = [chunk.text for chunk in chunks if "City" in chunk.text]

    assert len(tables) > 2
    assert all(text.startswith("| Place | Number | Remark |\n| City") for text in tables)
    assert (chunks[0].text, chunks[-1].text) == ("Before.", "After.")


def test_a_large_document_goes_to_long_term_memory_in_parts() -> None:
    """Every chunk stands in one part, with its headings; each part has a name and a line of its own."""
    chunks = tuple(DocumentChunk(("Book", f"Chapter {n // 50}"), f"Page {n}. " + "text " * 100) for n in range(300))
    parts = split_parts(chunks)
    texts = [
        render_part("book.pdf", "Book", NOON, f"doc_{n}", chunks[part.first : part.last + 1])
        for n, part in enumerate(parts, 1)
    ]

    assert [part.first for part in parts] == [0, *(part.last + 1 for part in parts[:-1])]
    assert parts[-1].last == len(chunks) - 1
    assert all(len(text) < 100_000 for text in texts)
    assert [sum(text.count(f"Page {n}. ") for text in texts) for n in range(300)] == [1] * 300
    assert len({text.splitlines()[0] for text in texts}) == len(texts)
    assert all("# Book\n" in text for text in texts)
    assert [find_document_uid(name_part("d00ff", n)) for n in (1, 2, 30)] == ["d00ff"] * 3
