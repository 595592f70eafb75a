"""The page that shows one prompt in full is made from the invented conversation by the running bot."""

from __future__ import annotations

from pathlib import Path

from harness.prompt.counting import compare_prefix
from harness.prompt.example import PAGE, build_page, render_transcript
from harness.samples import WordEmbedder


async def test_the_page_shows_every_message_of_the_last_request(tmp_path: Path) -> None:
    """Front, tools, memory of earlier sessions, history and the question, with what they cost; no random mark."""
    page = await build_page(tmp_path, WordEmbedder())

    assert page.startswith("# One prompt in full")
    assert "You are Mneme" in page
    assert '"name": "memory_search"' in page
    assert "The airline moved my flight" in page
    assert "I'm packing." in page
    assert page.index("I'm packing.") < page.index("When does my flight leave")
    assert "| front |" in page
    assert page.startswith(PAGE.read_text(encoding="utf-8").partition("### 1.")[0])


def test_marks_are_replaced_so_that_two_pages_are_the_same() -> None:
    """Wherever a mark stands, also where a model repeated it."""
    pages = {
        render_transcript(
            {
                "messages": [
                    {
                        "role": "system",
                        "content": f"The mark is {mark}.\n\n<<<memory {mark}\n- [x] y\nmemory {mark}>>>",
                    },
                    {"role": "user", "content": "Hi"},
                ]
            },
            compare_prefix("", "x"),
        )
        for mark in ("aaaabbbbcccc1111", "ddddeeeeffff2222")
    }

    assert len(pages) == 1
