"""Recall: what is said is remembered over /new, over processes, and by either memory alone."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.processes import Answered, Home, chat, documents, waiting

pytestmark = pytest.mark.server
TOLD = ("My sister Vera lives in Porto.", "My booking code is 567-G0.")
STORE_ALONE: dict[str, Any] = {"rag": {"enabled": False}}
LIGHTRAG_ALONE: dict[str, Any] = {
    "memory": {"recallEnabled": False, "itemsEnabled": False, "contextDeadlineSeconds": 30},
    "rag": {"queryBudgetSeconds": 30},
}
"""With time for a server that shares its processor with other tests."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a data folder of somebody who has said two things and asked one."""
    data = tmp_path_factory.mktemp("told") / "data"
    answered = chat(data, *TOLD, "/new", "Where does my sister live?", settle=True)
    assert answered.code == 0, answered.errors
    assert "Porto" in answered.answers[-1]
    assert waiting(data) == 0
    return data


def asked(told: Path, folder: Path, settings: dict[str, Any], *lines: str) -> Answered:
    """Ask in a new process, on a copy of what was told."""
    home = Home(folder)
    home.configure(settings)
    shutil.copytree(told, home.data)
    return chat(home.data, *lines, environment={"MNEME_PREFERENCES": str(home.preferences)})


def test_a_new_process_remembers_and_explains(told: Path, tmp_path: Path) -> None:
    """Both facts are recalled; /why figures names the exchange, its date and the memory that it came from.

    What nothing answers gets no invention; a greeting becomes no document.
    """
    questions = ("Where does Vera live?", "What was my booking code?", "/why figures")
    others = ("hello!", "спасибо", "What is the name of my dentist?")
    new, porto, code, why, _, _, dentist = asked(told, tmp_path, {}, "/new", *questions, *others).answers

    assert new
    assert "Porto" in porto
    assert "567-G0" in code
    assert "My booking code is 567-G0." in why
    assert re.search(r"\b20\d\d\b.*\d\d:\d\d", why)
    assert re.search(r"from the store|LightRAG", why)
    assert re.search(r"exchange \d+", why)
    assert not re.search("Porto|567", dentist)
    assert len(documents(tmp_path / "data")) == len(documents(told))


@pytest.mark.parametrize("settings", [STORE_ALONE, LIGHTRAG_ALONE], ids=["store", "lightrag"])
def test_either_memory_alone_answers(told: Path, tmp_path: Path, settings: dict[str, Any]) -> None:
    """With one of the two out of the read path the other answers, and /why figures says which."""
    answered = asked(told, tmp_path, settings, "/new", "Where does my sister live?", "/why figures")

    assert "Porto" in answered.answers[1], json.dumps(settings)
    assert ("LightRAG" in answered.answers[2]) is (settings is LIGHTRAG_ALONE)
    assert ("from the store" in answered.answers[2]) is (settings is STORE_ALONE)
