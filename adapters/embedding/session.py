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

from language.sentences import split_sentences

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MAX_TOKENS = 256
"""Longer texts are cut here: the model was trained with this length (its sentence_bert_config.json)."""

SHARED_TOKENS = 32
"""What two parts of a sentence that is too long have in common."""
TOPIC_TOKENS = 24
"""Up to here short sentences share a vector.  In one of 256 tokens a fact drowns: of 40 documents with a fact each in
750 words on something else, all 40 chunks stood first with 32 tokens, 22 with 64, 11 with 256."""


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


def windows(words: Tokenizer, text: str, *, topics: bool) -> tuple[str, ...]:
    """Return what to embed of a text: itself if the model reads it whole, else its beginning and then all its topics.

    A topic is a sentence, or several short ones.  Without ``topics`` it is the text in the longest parts that are read.
    """
    first, *more = _spans(words, text)
    if not more:
        return (text,)
    if not topics:
        return (first, *more)
    found: list[str] = [first]
    held: list[str] = []
    spent = 0
    for sentence in split_sentences(text):
        for part in _spans(words, sentence):
            cost = len(words.encode(_whole(part)).ids)
            if held and spent + cost > TOPIC_TOKENS:
                found.append(" ".join(held))
                held, spent = [], 0
            held.append(part)
            spent += cost
    return (*found, " ".join(held)) if held else tuple(found)


def _spans(words: Tokenizer, text: str) -> list[str]:
    """Return a text in parts as long as the model reads, each beginning with the end of the one before."""
    encoded = words.encode(_whole(text))
    if not encoded.overflowing:
        return [text]
    parts = ([span for span in part.offsets if span[0] < span[1]] for part in (encoded, *encoded.overflowing))
    return [text[part[0][0] : part[-1][1]] for part in parts if part]


def _whole(text: str) -> str:
    """Return a text of the same length that UTF-8 can carry."""
    return text.encode("utf-8", "replace").decode()


def token_ids(words: Tokenizer, text: str) -> npt.NDArray[np.int64]:
    """Return the ids of a text, shape (1, tokens); what UTF-8 cannot carry becomes a question mark."""
    return np.array([words.encode(_whole(text)).ids], dtype=np.int64)
