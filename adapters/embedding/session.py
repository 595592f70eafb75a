"""Open an ONNX model and a tokenizer, each on one thread and without padding.

Both libraries are imported at the first use: together they take 0.2 s and 60 MB, which a process that never embeds
should not pay.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256
"""Longer texts are cut here: the model was trained with this length (its sentence_bert_config.json)."""


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
    words.enable_truncation(MAX_TOKENS)
    return words


def token_ids(words: Tokenizer, text: str) -> npt.NDArray[np.int64]:
    """Return the ids of a text, shape (1, tokens); what UTF-8 cannot carry becomes a question mark."""
    return np.array([words.encode(text.encode("utf-8", "replace").decode()).ids], dtype=np.int64)
