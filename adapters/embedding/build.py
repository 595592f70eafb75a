"""Make the int8 model file once, safely, and find it again.

Making it takes about a second and needs ``onnx``; loading it afterwards needs neither.
The file appears by an atomic rename after an fsync, so that two processes that make it at once both find it whole.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from adapters.embedding.session import open_session, open_tokenizer, token_ids
from adapters.embedding.weights import WEIGHTS_SHA256, Tensors, locate, read, verify
from bot.errors import EmbeddingUnavailable

CALIBRATION = (
    "I moved to Lisbon in March 2021 and now work at a small bakery near the river.",
    "Привет! Напомни мне завтра позвонить маме в 18:30, её номер 8-912-555",
    "def main(): print('x')  # TODO",
    "Thanks",
    "booking code 567-G0 flight BA2490 gate 12",
    "User (Anna): can you check the docker logs? Assistant: The container exited with code 137, out of memory.",
)
"""Texts of the kinds a chat holds: they show how large the activations get."""

RECIPE = 1
"""Grows with every change of the graph: an old file is then left alone and a new one made."""


def model_path(cache_dir: Path) -> Path:
    """Return where the model file of this recipe and these weights belongs."""
    return cache_dir / f"minilm-{WEIGHTS_SHA256[:12]}-int8-{RECIPE}.onnx"


def build_model(cache_dir: Path, report: Callable[[str], None]) -> Path:
    """Make the model file unless it is there, telling ``report`` what happens, and return its path.

    Raises :class:`~bot.errors.EmbeddingUnavailable` when the weights are missing or damaged or the folder is not
    writable.
    """
    path = model_path(cache_dir)
    if path.is_file():
        report(f"embedding model ready: {path.name}")
        return path
    files = locate()
    report("checking the embedding model's weights")
    verify(files.weights)
    report("building the int8 embedding model (about a second, once)")
    _in_child(cache_dir)
    report(f"embedding model ready: {path.name}")
    return path


def _int8(tensors: Tensors, tokenizer: Path) -> bytes:
    from adapters.embedding import graph  # noqa: PLC0415 - onnx is heavy and needed at set-up only

    session, words = open_session(graph.build(tensors)), open_tokenizer(tokenizer)
    names = [name.removesuffix(".weight") for name in tensors if name.endswith((".query.weight", ".dense.weight"))]
    names = [name for name in names if name.startswith("encoder.")]
    largest = [session.run(names, {"ids": token_ids(words, text)}) for text in CALIBRATION]
    return graph.build(tensors, {name: np.max(rows, axis=0) for name, *rows in zip(names, *largest, strict=True)})


def _in_child(cache_dir: Path) -> None:
    """Build in a process of its own: it takes 470 MB, which this one would keep."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "adapters.embedding.build", str(cache_dir)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise EmbeddingUnavailable(f"the embedding model cannot be built: {reason}")


def _place(path: Path, content: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise EmbeddingUnavailable(f"cannot write the embedding model to {path.parent}: {error.strerror}") from error


def main() -> None:
    """Build into the folder named on the command line."""
    cache_dir, files = Path(sys.argv[1]), locate()
    _place(model_path(cache_dir), _int8(read(files.weights), files.tokenizer))


if __name__ == "__main__":
    main()
