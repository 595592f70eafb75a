"""Long-term memory can be made again from the store."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.processes import chat


@pytest.mark.server
def test_a_deleted_memory_server_is_filled_again_at_the_next_start(tmp_path: Path) -> None:
    """Whoever deletes the server's folder loses nothing: LightRAG alone answers again after a restart."""
    told = chat(tmp_path, "My sister Vera lives in Porto and keeps bees.", settle=True)
    shutil.rmtree(tmp_path / "memory-server")
    preferences = tmp_path / "preferences"
    preferences.mkdir()
    (preferences / "runtime-config.json").write_text(
        '{"memory": {"recallEnabled": false, "itemsEnabled": false, "contextDeadlineSeconds": 30}, '
        '"rag": {"queryBudgetSeconds": 30}}',
        encoding="utf-8",
    )
    chat(tmp_path, "hello", settle=True)
    asked = chat(tmp_path, "/new", "Where does my sister live?", settle=True)

    assert told.code == asked.code == 0
    assert "Porto" in asked.answers[-1]
