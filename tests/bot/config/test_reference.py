"""docs/configuration.md is what the schema says."""

from __future__ import annotations

from pathlib import Path

from harness.configuration import reference

PAGE = Path(__file__).parents[3] / "docs" / "configuration.md"


def test_the_page_is_current() -> None:
    """After a change of the schema: python -m harness.configuration > docs/configuration.md."""
    assert PAGE.read_text(encoding="utf-8") == reference()


def test_every_setting_stands_on_the_page() -> None:
    """Also those of nested sections and of lists."""
    page = reference()

    assert "| `rag.rerank.topK` |" in page
    assert "| `memory.topKPerLayer.semantic` |" in page
    assert "| `llm.fallbacks[].model` |" in page
