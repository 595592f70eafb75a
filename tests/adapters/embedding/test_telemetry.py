"""The model runtime keeps to itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

USE = """
from contextlib import suppress
from adapters.embedding.encoder import open_session
with suppress(Exception):
    open_session(b"no model")
"""


def test_loading_the_runtime_leaves_no_device_id(tmp_path: Path) -> None:
    """Embedding in a fresh home folder writes nothing there: the runtime's telemetry is off before it is loaded.

    Mutation check: without the variable ``~/.cache/Microsoft/DeveloperTools/.onnxruntime/deviceid`` appears.
    """
    settings = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", USE], env=settings | home, check=False)  # noqa: S603 - our own code

    assert done.returncode == 0
    assert [str(path) for path in tmp_path.rglob("*")] == []
