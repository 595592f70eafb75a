"""What multilingual-e5-small reads of a text, and the runtime that computes it.

onnxruntime is imported at the first use: a process that never embeds should not pay for it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from adapters.embedding.tokenizer import Tokenizer

WIDTH: Final = 384
BLOCK: Final = 32
"""Weights that share a scale."""
BLOCK_BYTES: Final = 2 + BLOCK // 2
STATES: Final = "states"
"""Name of the output beside "vector": the last layer, shape (1, tokens, 384)."""
INNER: Final = "inner"
"""Name of the output of the layer that tells names, of the same shape."""
MAX_TOKENS: Final = 256
"""Longer texts are cut here.  The model reads 512, but a vector of many topics is near to none of them."""
QUESTION: Final = "query: "
PASSAGE: Final = "passage: "
"""What the model was trained to see before a question and before a text to be found."""
_BEGIN, _END = 0, 2


class ModelSession(Protocol):
    """The part of ``onnxruntime.InferenceSession`` used here; ``run`` releases the interpreter lock."""

    def run(self, outputs: Sequence[str], inputs: dict[str, npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        """Return the named outputs in order."""


def open_session(model: bytes | Path) -> ModelSession:
    """Return a session over a model file or its bytes; raises onnxruntime's own errors for a damaged one."""
    # Not told so before it is loaded, it writes a device id into the home folder and reports to Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - at first use, see the module's text

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session: ModelSession = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    return session


def whole(text: str) -> str:
    """Return a text of the same length that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


def token_ids(
    tokenizer: Tokenizer, text: str, prefix: str = PASSAGE
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return what the model reads of a text: ids, shape (tokens,), and where they stand in it, shape (tokens, 2).

    Marks and the prefix stand nowhere: their spans are empty.  What UTF-8 cannot carry becomes a question mark.
    """
    pieces = tokenizer.split(prefix + whole(text))
    spans = np.maximum(pieces.spans[: MAX_TOKENS - 2] - len(prefix), 0)
    ids = np.concatenate([[_BEGIN], pieces.ids[: MAX_TOKENS - 2], [_END]])
    return ids, np.concatenate([[[0, 0]], spans, [[0, 0]]])


def dequantise(blocks: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return blocks of shape (…, 18) as numbers of shape (…, 32).

    A block is a half-precision scale and 32 numbers of four bits, number i and number i + 16 in one byte, 8 meaning 0.
    """
    scale = blocks[..., :2].copy().view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    numbers = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    values: npt.NDArray[np.float32] = (numbers - 8) * scale
    return values


def embed_words(rows: npt.NDArray[np.uint8], ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Return the embedding of each piece, shape (pieces, 384), from all rows, shape (vocabulary, 12, 18)."""
    return dequantise(rows[ids]).reshape(len(ids), WIDTH)
