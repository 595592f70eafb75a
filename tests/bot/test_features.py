"""A feature is a folder and a line: without them the rest works, with them it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.compose.features import FEATURES
from tests.bot.tree import copy_program, remove_feature, talk

OFFERED = {
    "chats": "/settings",
    "costs": "/usage",
    "documents": "/docs",
    "page": "/page",
    "reminders": "/remind",
    "skills": "/skill",
    "transfer": "/export",
}
"""What /help lists of a feature."""


@pytest.mark.parametrize("name", FEATURES)
def test_what_is_left_without_a_feature_works(tmp_path: Path, name: str) -> None:
    """It starts, remembers over /new, answers, reports and forgets; what the feature offered is gone from /help."""
    program = copy_program(tmp_path)
    remove_feature(program, name)
    told = talk(
        program,
        "My sister Vera lives in Porto.",
        "/new",
        "Where does my sister live?",
        "/why",
        "/status",
        "/help",
        "/memory",
        "/forget everything yes",
        "Where does my sister live?",
    )

    assert "my sister Vera lives in Porto" in told
    assert "nothing" in told.rsplit("mneme>", 1)[1].casefold() or "know" in told.rsplit("mneme>", 1)[1]
    assert "/remember" in told
    offered = OFFERED.get(name)
    assert offered is None or f"{offered} –" not in told
