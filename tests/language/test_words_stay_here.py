"""No module outside the package of languages decides anything by words of a language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import language

_ROOT: Final = Path(next(iter(language.__path__))).parent
_PROGRAMS: Final = ("adapters", "bot", "memory_server", "systems")
_NOT_ENGLISH: Final = re.compile("[\u0400-\u04ffäöüßÄÖÜ]")
"""Letters that English does not write: English words cannot be told from names in code."""
_MAY_HOLD: Final = re.compile(rf"{_NOT_ENGLISH.pattern}|\\[xuUN]")
"""What has neither such a letter nor one by its number need not be parsed."""
_ALLOWED: Final = {
    "adapters/embedding/build.py": "text of several scripts, by which a new model's quantisation is calibrated",
    "adapters/page/looking.py": "letters that are broader than others, no words",
}
"""Files that may hold such strings, and why."""


def _strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the value of each string but docstrings, which stand as statements of their own."""
    if not _MAY_HOLD.search(source):
        return
    tree = ast.parse(source)
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def _foreign_strings(path: Path) -> list[str]:
    found = _strings(path.read_text(encoding="utf-8"))
    return [f"{path.relative_to(_ROOT)}:{line}" for line, value in found if _NOT_ENGLISH.search(value)]


def test_no_other_module_holds_words_of_another_language() -> None:
    """Strings with Cyrillic letters or umlauts stand in the package of languages, docstrings aside."""
    modules = [path for name in _PROGRAMS for path in sorted((_ROOT / name).rglob("*.py"))]
    found = {str(path.relative_to(_ROOT)): _foreign_strings(path) for path in modules}

    assert {place for places in found.values() for place in places if place.rpartition(":")[0] not in _ALLOWED} == set()
    assert all(found[name] for name in _ALLOWED), "an exception that is needed no longer"
