"""A copy of the program in which something is added or left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bot.config.folders import PROJECT

_BESIDE = ("systems", "memory_server", "language", "preferences")
_LISTED = "bot/compose/features.py"


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


def talk(program: Path, *lines: str, before: str = "pass") -> str:
    """Return what ``mneme`` of a copy prints for lines that are typed; it must end well and say nothing of faults.

    ``before`` is code that its process runs first.
    """
    data = program / "data"
    (data / "models").parent.mkdir(exist_ok=True)
    preferences = program / "settings"
    preferences.mkdir(exist_ok=True)
    (preferences / "runtime-config.json").write_text('{"rag": {"enabled": false}}', encoding="utf-8")
    path = os.pathsep.join(filter(None, (str(program), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(  # noqa: S603 - our own program
        [
            *(sys.executable, "-c", f"{before}; from bot.cli import main; main()", "chat", "--plain"),
            *("--data", str(data), "--preferences", str(preferences)),
        ],
        cwd=program,
        env={**os.environ, "PYTHONPATH": path, "LANG": "C.UTF-8"},
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout
