"""The memory server is a program of its own, which may be installed without the bot."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

COMMANDS = "import bot.cli.commands, sys; print(sorted({'numpy', 'lightrag', 'fastapi'} & set(sys.modules)))"


def _printed(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return done.stdout.splitlines()


def test_its_command_line_is_read_without_the_server() -> None:
    """``mneme`` reads these commands at each start, whichever is asked for, before it sets numpy's threads."""
    assert _printed(COMMANDS) == ["[]"]


_OWN = ("memory_server", "language", "postgres_session")


def test_it_declares_what_it_imports() -> None:
    """Every library that it or a package with it imports is in its own list, in the version of the project's."""
    root = Path(__file__).parents[2]
    declared = tomllib.loads((root / "memory_server" / "pyproject.toml").read_text("utf-8"))["project"]
    whole = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    project, bundled = whole["project"]["dependencies"], whole["dependency-groups"]["bundled"]
    listed = {*declared["dependencies"], *declared["optional-dependencies"]["postgres"], *bundled}
    imported: set[str] = set()
    for path in (path for name in _OWN for path in (root / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).split(".")[0])
    foreign = imported - sys.stdlib_module_names - {*_OWN, "starlette"}  # FastAPI brings Starlette
    known = packages_distributions()
    names = {line.split(">=")[0].split("==")[0].split("[")[0].lower() for line in listed}

    assert {name for name in foreign if not names & {each.lower() for each in known[name]}} == set()
    assert {line for line in declared["dependencies"] if line not in project} == set()
