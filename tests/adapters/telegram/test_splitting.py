"""Long answers as several messages."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.markdown import render
from adapters.telegram.splitting import split
from tests.cases import each_row

SENTENCE = (
    "This is **bold** and `code` and a [link](http://x.y), said at some length, with more words than it would need. "
)
PARAGRAPH = SENTENCE * 5
ROWS = "".join(f"| {row} | value {row} |\n" for row in range(500))


def squeezed(text: str) -> str:
    """Return what is shown without its white space."""
    return re.sub(r"\s+", "", text)


def test_a_short_answer_is_one_part() -> None:
    """What fits stays as it is."""
    assert split("hello **you**\n") == ("hello **you**",)
    assert split("") == split(" \n") == ("…",)


@each_row(
    "markdown",
    [
        "\n\n".join([PARAGRAPH] * 15),
        PARAGRAPH * 15,
        "\n".join(f"- item {number} **b**\n  - below {number}" for number in range(300)),
        "\n".join(f"{number}. item" for number in range(1, 700)),
        "\n".join(f"> line {number} of a quotation" for number in range(400)),
        "**" + "bold " * 2000 + "**",
        "x" * 10_000,
        "😀" * 5000,
        "👨‍👩‍👧‍👦" * 1000,
        "<b>tag</b> " * 800,
        "[" * 9000,
        "_a*" * 3000,
        "- a\n\n  ```py\n" + "".join(f"  x = {number}\n" for number in range(900)) + "  ```\n",
    ],
)  # fmt: skip
def test_nothing_is_lost_and_each_part_fits(markdown: str) -> None:
    """The parts together show what the whole shows, each within 4096 UTF-16 units."""
    parts = split(markdown)
    shown = [render(part) for part in parts]

    assert len(parts) > 1
    assert all(part.fits() and part.text for part in shown)
    assert squeezed("".join(part.text for part in shown)) == squeezed(render(markdown).text)


def test_cuts_fall_between_paragraphs() -> None:
    """No paragraph that fits is torn."""
    parts = split("\n\n".join([PARAGRAPH] * 15))

    assert all(part.strip().startswith("This is **bold**") for part in parts)
    assert all(part.strip().endswith("need.") for part in parts)


def test_cuts_in_a_paragraph_fall_after_sentences_and_keep_formatting() -> None:
    """A paragraph too long is cut after a sentence; links and bold on both sides stay what they are."""
    first, second, *_ = split(PARAGRAPH * 15)

    assert first.rstrip().endswith("need.")
    assert {"bold", "code", "text_link"} <= {entity.type for entity in render(second).entities}


def test_code_stays_code_in_every_part() -> None:
    """A fence that is cut is closed and opened again with its language; lines stay whole."""
    lines = [f"print({number})  # 😀 <tag>" for number in range(600)]
    parts = split("Look:\n\n```python\n" + "\n".join(lines) + "\n```\n\nThat is **all**.")
    code = [entity for part in parts for entity in render(part).entities if entity.type == "pre"]

    assert len(parts) > 3
    assert all(entity.language == "python" for entity in code)
    shown = "\n".join(render(part).text for part in parts)
    assert all(line in shown for line in lines)
    assert parts[-1].endswith("That is **all**.")


def test_a_table_repeats_its_head() -> None:
    """Every part of a long table is a table with the same columns."""
    parts = split(f"| key | value |\n|---|---|\n{ROWS}")

    assert len(parts) > 1
    assert all(render(part).text.startswith("key") for part in parts)
    assert all(f"value {row}" in "".join(parts) for row in range(500))


def test_sources_at_the_end_of_a_long_answer_are_shown() -> None:
    """Link definitions would be lost with the part they end up in: they are spelled out, but not inside code."""
    text = "As said [1].\n\n" + PARAGRAPH * 12 + "\n\n```\n[2]: code\n```\n\n[1]: https://a.b\n"
    shown = [render(part).text for part in split(text)]

    assert shown[0].startswith("As said [1].")
    assert shown[-1].endswith("[2]: code\n\n[1]: https://a.b")


def test_an_emoji_is_never_torn() -> None:
    """A family of four, eleven units long, stays a family."""
    parts = split("👨‍👩‍👧‍👦" * 1000)

    assert all(part.startswith("👨") and part.endswith("👦") for part in parts)


@given(
    st.lists(
        st.sampled_from(["word " * 60, "**b** ", "`c` ", "```\ncode\n```\n", "\n\n", "\n", "- i ", "> q ", "😀" * 40,
                         "| a | b |\n|--|--|\n| 1 | 2 |\n", "*", "_", "<x>", "    ind ", "y" * 900]),
        min_size=20, max_size=60,
    ).map("".join)
)  # fmt: skip
def test_any_markdown_can_be_split(markdown: str) -> None:
    """Every part of anything fits, is not empty, and is stable when it is split again."""
    parts = split(markdown)

    assert parts
    assert all(render(part).fits() and render(part).text for part in parts)
    assert all(split(part) == (part.strip("\n"),) for part in parts)
