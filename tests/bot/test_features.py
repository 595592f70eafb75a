"""A feature is a folder and a line: without them the rest works, with them it is there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.compose.features import FEATURES
from bot.config.folders import PROJECT
from bot.config.schema import FEATURE_SECTIONS
from tests.bot.tree import change, copy_program, remove_feature, talk

OFFERED = {
    "chats": "/settings",
    "costs": "/usage",
    "documents": "/docs",
    "lists": "/list",
    "page": "/page",
    "reminders": "/remind",
    "skills": "/skill",
    "transfer": "/export",
}
"""What /help lists of a feature."""
OWN = {
    "chats": {"chats"},
    "costs": {"costs"},
    "documents": {"documents", "web"},
    "metrics": {"metrics"},
    "page": {"page"},
    "tools": {"mcp"},
    "voice": {"voice"},
}
"""What ``runtime-config.json`` may say of a feature."""


LIST_SECTIONS = """
from bot.config.schema import FEATURE_SECTIONS
with open("sections", "w") as file:
    file.write(" ".join(each.key for each in FEATURE_SECTIONS))
"""
"""Writes the sections of features that a copy knows; its reader of settings refuses all others."""


@pytest.mark.parametrize("name", FEATURES)
def test_what_is_left_without_a_feature_works(tmp_path: Path, name: str) -> None:
    """It starts, remembers, answers, reports and forgets; what the feature offered is in no help and no setting."""
    program = copy_program(tmp_path)
    remove_feature(program, name)
    *_, found, why, status, help_, memory, _, after = talk(
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
        before=LIST_SECTIONS,
    )
    sections = (program / "sections").read_text("utf-8")

    assert "Your sister Vera lives in Porto" in found
    assert all((why, status))
    assert "Vera" in memory
    assert "nothing" in after.casefold() or "know" in after
    assert "/remember" in help_
    offered = OFFERED.get(name)
    assert offered is None or f"{offered} –" not in help_
    assert set(sections.split()) == {each.key for each in FEATURE_SECTIONS} - OWN.get(name, set())


def test_a_feature_is_added_by_the_recipe(tmp_path: Path) -> None:
    """The example of docs/extending.md, copied in, with its two lines: it lasts, and an erase takes its rows along."""
    program = copy_program(tmp_path, copied=("bot", "adapters"))
    shutil.copytree(PROJECT / "examples" / "todo", program, dirs_exist_ok=True)
    change(program / "bot/compose/features.py", '    "users",\n', '    "users",\n    "todo",\n')
    rooms = program / "adapters/sqlite/rooms.py"
    change(rooms, "    chats.ROOM,\n", "    chats.ROOM,\n    todo.ROOM,\n")
    change(
        rooms,
        "from adapters.sqlite.conversations import chats, usage\n",
        "from adapters.sqlite import todo\nfrom adapters.sqlite.conversations import chats, usage\n",
    )
    first = talk(program, "/todo buy oat milk", "/todo call Vera", "/todo done 1", "/todo done 9", "/help")
    second = talk(program, "/todo", "/forget everything yes", "/todo")
    left = [file for file in (program / "data").rglob("*") if file.is_file() and b"call Vera" in file.read_bytes()]

    assert "2. call Vera" in first[2]
    assert "There is no 9 on the list" in first[3]
    assert "/todo – what is to be done" in first[4]
    assert second[0].startswith("2. call Vera")
    assert second[-1] == "Nothing is to be done."
    assert left == []
