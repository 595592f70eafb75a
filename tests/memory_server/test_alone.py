"""The memory server is a program of its own, which may be installed without the bot."""

from __future__ import annotations

import subprocess
import sys

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
import memory_server
for module in pkgutil.walk_packages(memory_server.__path__, "memory_server."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("memory_server.")]))
print(sorted({name.split(".")[0] for name in sys.modules} & {"bot", "systems", "adapters"}))
"""
COMMANDS = "import bot.cli.server, sys; print(sorted({'numpy', 'lightrag', 'fastapi'} & set(sys.modules)))"


def _printed(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return done.stdout.splitlines()


def test_no_module_of_it_imports_the_bot() -> None:
    """Every module of it, imported in a fresh process, brings no package of the bot along."""
    count, foreign = _printed(IMPORT_EVERYTHING)

    assert int(count) > 40
    assert foreign == "[]"


def test_its_command_line_is_read_without_the_server() -> None:
    """``mneme`` reads these commands at each start, whichever is asked for, before it sets numpy's threads."""
    assert _printed(COMMANDS) == ["[]"]
