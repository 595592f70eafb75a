"""Documents cut along their headings."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memory_server.chunking import SMALLEST, Limits, clean, cut_by_headings, cut_by_tokens, tokenizer
from tests.cases import each_row

TOKENS: Any = tokenizer()  # Any: LightRAG's untyped wrapper
LONG = "Every section needs a body of some length, or it is merged into the one before it by design. " * 2


def contents(text: str, limits: Limits | None = None) -> list[str]:
    """Return the contents of a document's chunks."""
    return [chunk.content for chunk in cut_by_headings(text, limits or Limits())]


def test_headings_bound_sections_and_stand_in_prefixes() -> None:
    """Each section is a chunk that begins with the stack of its headings and a blank line."""
    text = f"# Guide\n{LONG}\n## Install\n{LONG}\n### Linux\n{LONG}\n## Use\n{LONG}"

    chunks = contents(text)

    assert [chunk.split("\n\n")[0] for chunk in chunks] == [
        "[Section: Guide]",
        "[Section: Guide > Install]",
        "[Section: Guide > Install > Linux]",
        "[Section: Guide > Use]",
    ]
    assert chunks[0] == f"[Section: Guide]\n\n{LONG.strip()}"


def test_text_before_the_first_heading_has_no_prefix() -> None:
    """A preamble is a chunk of its own."""
    chunks = contents(f"{LONG}\n\n# Later\n{LONG}")

    assert chunks[0] == LONG.strip()
    assert chunks[1].startswith("[Section: Later]")


@each_row("fence", ["```", "~~~", "````", "```python"])
def test_lines_in_fences_are_no_headings(fence: str) -> None:
    """A comment in code does not begin a section."""
    close = fence.rstrip("python")
    text = f"# Code\n{LONG}\n{fence}\n# not a heading\n## nor this\n{close}\n{LONG}\n# Next\n{LONG}"

    chunks = contents(text)

    assert len(chunks) == 2
    assert "# not a heading" in chunks[0]


@each_row("indent", ["    ", "\t", "  - ", "1.  ", "        "])
def test_an_indented_fence_is_one(indent: str) -> None:
    """In a list a fence is indented by four and more, and what it holds is no heading.

    Mutation check: with fences up to three blanks deep only, "# not a heading" begins a section.
    """
    blank = " " * len(indent.expandtabs(4))
    text = f"# Steps\n{LONG}\n{indent}```sh\n# not a heading\n## nor this\n{blank}```\n{LONG}\n# Next\n{LONG}"

    chunks = contents(text)

    assert len(chunks) == 2
    assert "# not a heading" in chunks[0]


def test_a_deep_fence_that_nothing_closes_hides_no_heading() -> None:
    """Three backticks in an indented block are text; a heading further down still begins a section."""
    chunks = contents(f"# Steps\n{LONG}\n        ```` is how it begins\n{LONG}\n```\n# no heading\n```\n# Next\n{LONG}")

    assert len(chunks) == 2
    assert chunks[1].startswith("[Section: Next]")


def test_front_matter_is_no_chunk_of_its_own() -> None:
    """A few lines before the first heading join its section, which keeps its name."""
    chunks = contents(f"---\ntitle: npm-root\nsection: 1\n---\n\n# Synopsis\n{LONG}\n# Next\n{LONG}")

    assert len(chunks) == 2
    assert chunks[0].startswith("[Section: Synopsis]\n\n---\ntitle: npm-root")


def test_deep_headings_stay_in_the_body() -> None:
    """Headings below level 3 do not begin a section."""
    chunks = contents(f"# A\n{LONG}\n#### Deep\n{LONG}")

    assert len(chunks) == 1
    assert "#### Deep" in chunks[0]


def test_small_sections_join_the_one_before() -> None:
    """Under 16 tokens a section goes into the previous chunk, heading inline, prefix cut to the common ancestor."""
    chunks = contents(f"# Guide\n{LONG}\n## Install\n{LONG}\n## Note\nToo short.\n## Use\n{LONG}")

    assert len(chunks) == 3
    assert chunks[1].startswith("[Section: Guide]\n\n## Install\n")
    assert chunks[1].endswith("## Note\nToo short.")
    assert chunks[2].startswith("[Section: Guide > Use]")


def test_a_long_section_is_windowed_with_its_prefix() -> None:
    """Windows overlap, repeat the prefix and stay within the size; tokens count the final text."""
    words = " ".join(f"word{number}" for number in range(600))
    limits = Limits(120, 20)

    chunks = cut_by_headings(f"# Title\n{words}", limits)

    assert len(chunks) > 5
    assert all(chunk.content.startswith("[Section: Title]\n\n") for chunk in chunks)
    assert all(chunk.tokens == len(TOKENS.encode(chunk.content)) <= 120 for chunk in chunks)
    assert all(f"word{number}" in "".join(chunk.content for chunk in chunks) for number in range(600))
    tails = [chunk.content.split()[-1] for chunk in chunks[:-1]]
    assert all(tail in after.content for tail, after in zip(tails, chunks[1:], strict=True))


def test_without_headings_it_is_lightrags_chunker() -> None:
    """No headings: exactly the fixed-token chunks."""
    text = "plain words " * 500

    assert cut_by_headings(text, Limits(100, 10)) == cut_by_tokens(text, Limits(100, 10))


@given(
    st.lists(
        st.one_of(
            st.tuples(st.integers(1, 6), st.text("abc ", min_size=1, max_size=12)).map(
                lambda h: f"{'#' * h[0]} {h[1]}"
            ),
            st.text("abc `~#\n", max_size=80),
            st.just("```"),
        ),
        max_size=30,
    )
)
def test_every_word_is_kept_and_no_window_is_too_long(lines: list[str]) -> None:
    """Whatever the document, each word of it is in some chunk and each chunk within the limit."""
    text = clean("\n".join(lines))
    chunks = cut_by_headings(text, Limits(60, 10)) if text else []

    whole = "\n".join(chunk.content for chunk in chunks)

    assert all(word.strip("#") in whole for word in text.split())
    assert all(chunk.tokens == len(TOKENS.encode(chunk.content)) for chunk in chunks)
    assert all(chunk.tokens <= 60 + SMALLEST for chunk in chunks if not chunk.content.startswith("[Section:"))


@given(st.text())
def test_the_tokenizer_gives_back_what_it_got(text: str) -> None:
    """Decoding the tokens of a text gives the text."""
    whole = text.encode("utf-8", "replace").decode()

    assert TOKENS.decode(TOKENS.encode(whole)) == whole
