"""docs/configuration.md is what the schema says."""

from __future__ import annotations

from bot.config.schema import FEATURE_SECTIONS
from harness.configuration import PAGE, reference


def test_the_page_is_current() -> None:
    """After a change of the schema: python -m harness.configuration."""
    assert PAGE.read_text(encoding="utf-8") == reference()


def test_every_setting_stands_on_the_page() -> None:
    """Also those of nested sections and of lists."""
    page = reference()

    assert "| `rag.rerank.topK` |" in page
    assert "| `memory.topKPerLayer.semantic` |" in page
    assert "| `llm.fallbacks[].model` |" in page


def test_every_variable_of_a_feature_stands_on_the_page() -> None:
    """Written by hand, among the others."""
    named = {(name, f"{each.key}.{key}") for each in FEATURE_SECTIONS for name, key in each.variables.items()}

    assert named
    assert [name for name, key in named if f"| `{name}` | `{key}` |" not in reference()] == []
