"""What the manuals name is there: files, folders and commands."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CODE = re.compile(r"`([^`\n]{3,200})`")
_LINK = re.compile(r"\]\(([^)\s#]{1,200})")
_COMMAND = re.compile(r"python -m ([\w.]+)")
_PLACEHOLDER = re.compile(r"[A-Z*{<…]|\bxx\b|\bname\.py$")
"""A part of a path that stands for others: ``language/xx``, ``sNN_name.py``, ``adapters/tools/name.py``."""


def test_every_path_link_and_command_of_the_manuals_exists() -> None:
    """Red with a file that was moved: ``adapters/rerank`` had become a module."""
    folders = {each.name for each in ROOT.iterdir() if each.is_dir() and not each.name.startswith(".")} - {"data"}
    missing = []
    for manual in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = manual.read_text(encoding="utf-8")
        paths = [word.rstrip(".,:") for code in _CODE.findall(text) for word in code.split() if "/" in word]
        named = [path for path in paths if path.split("/")[0] in folders and not _PLACEHOLDER.search(path)]
        missing += [f"{manual.name}: {path}" for path in named if not (ROOT / path.partition("::")[0]).exists()]
        missing += [f"{manual.name}: -m {one}" for one in _COMMAND.findall(text) if not _is_module(one.rstrip("."))]
        links = [link for link in _LINK.findall(text) if "://" not in link and not link.startswith("mailto:")]
        missing += [f"{manual.name}: {link}" for link in links if not (manual.parent / link).exists()]

    assert missing == []


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
