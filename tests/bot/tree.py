"""A copy of the program in which something is added or left out."""

from __future__ import annotations

import os
import shutil
import sys
from importlib import import_module
from pathlib import Path

from bot.config.folders import PROJECT
from harness.processes import chat

_BESIDE = ("systems", "memory_server", "language", "preferences")
_LISTED = "bot/compose/features.py"
_BELOW = ("bot.turn", "bot.messages", "bot.memory", "bot.errors", "bot.retry", "bot.files")
"""What may import no feature, by the rules of the layers."""


def copy_program(folder: Path, *, copied: tuple[str, ...] = ("bot",)) -> Path:
    """Return a folder with the program: what may be changed in it is copied, the rest is linked."""
    for name in ("bot", "adapters", *_BESIDE):
        if name in copied:
            shutil.copytree(PROJECT / name, folder / name)
        else:
            (folder / name).symlink_to(PROJECT / name)
    return folder


def remove_feature(program: Path, name: str) -> None:
    """Take a feature away: its folder and its line."""
    shutil.rmtree(program / "bot" / "features" / name)
    listed = program / _LISTED
    line = f'    "{name}",\n'
    text = listed.read_text("utf-8")
    assert text.count(line) == 1
    listed.write_text(text.replace(line, ""), "utf-8")


def change(file: Path, before: str, after: str) -> None:
    """Put a text that stands once in a file in another's place."""
    text = file.read_text("utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), "utf-8")


def talk(program: Path, *lines: str, before: str = "") -> tuple[str, ...]:
    """Return what ``mneme`` of a copy answers to lines that are typed; it must end well and say nothing of faults.

    ``before`` is code that its process runs first, in the folder of the copy.
    """
    preferences = program / "settings"
    preferences.mkdir(exist_ok=True)
    (preferences / "runtime-config.json").write_text('{"rag": {"enabled": false}}', encoding="utf-8")
    options = ("chat", "--plain", "--preferences", str(preferences))
    done = chat(program / "data", *lines, program=(__name__, str(program), before, *options))
    assert done.code == 0, done.errors
    assert "Traceback" not in done.errors
    return done.answers


def _become(program: str, before: str, *arguments: str) -> None:
    """Run ``mneme`` of a copy in this process, forked with the project loaded: what lies below features stays so."""
    for name in list(sys.modules):
        if name.partition(".")[0] in {"bot", "adapters", "systems"} and not name.startswith(_BELOW):
            del sys.modules[name]
    os.chdir(program)
    sys.path.insert(0, program)
    exec(before)  # noqa: S102 - a test's own
    sys.argv = ["mneme", *arguments]
    import_module("bot.cli").main()


if __name__ == "__main__":
    _become(*sys.argv[1:])
