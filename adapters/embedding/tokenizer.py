"""Cuts a text into the pieces that multilingual-e5-small knows, and says where each stands in it.

SentencePiece finds the pieces (Unigram, Kudo 2018); its model is written once from the vocabulary, in its own format:
https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.weights import Vocabulary

_SPACE: Final = "▁"
_RUNS: Final = re.compile(r" {2,}|^ | $")
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text: their numbers, and where each stands in it (character offsets, shape (pieces, 2))."""

    ids: Ints
    spans: Ints


class Tokenizer:
    """Reads texts; ``replaced`` is what stands for each character before a text is cut."""

    def __init__(self, model: Path, replaced: Mapping[int, str]) -> None:
        from sentencepiece import SentencePieceProcessor  # noqa: PLC0415 - at first use, as the runtime of the model

        self._model: Any = SentencePieceProcessor(model_file=str(model))  # Any: the package's types are partial
        self._replaced = replaced

    def split(self, text: str) -> Pieces:
        """Return the pieces of a text; one that is white space alone has an empty span."""
        plain, places = self._normalise(text)
        ids: list[int] = self._model.encode(plain, out_type=int)
        found: list[str] = self._model.encode(plain, out_type=str)
        ends = np.fromiter(accumulate(map(len, found)), dtype=np.int64, count=len(found))
        # The model puts a space before everything: offsets count from it.
        blank = np.fromiter((piece.startswith(_SPACE) for piece in found), dtype=np.int64, count=len(found))
        starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]]) + blank - 1
        spans = places[np.stack([starts, ends - 1], axis=1)] if found else np.zeros((0, 2), dtype=np.int64)
        return Pieces(np.array(ids, dtype=np.int64), spans)

    def _normalise(self, text: str) -> tuple[str, Ints]:
        """Return the text as it is cut, and for each offset in it, its end included, the offset in ``text``."""
        changed = text.translate(self._replaced)
        if changed == text and not _RUNS.search(text):
            return text, np.arange(len(text) + 1)
        kept: list[str] = []
        places: list[int] = []
        before = " "
        for place, character in enumerate(text):
            for one in self._replaced.get(ord(character), character):
                if one != " " or before != " ":
                    kept.append(one)
                    places.append(place)
                before = one
        if kept and kept[-1] == " ":
            del kept[-1], places[-1]
        places.append(places[-1] + 1 if places else len(text))
        return "".join(kept), np.array(places, dtype=np.int64)


def write_tokenizer(vocabulary: Vocabulary) -> bytes:
    """Return the model of SentencePiece that knows these pieces and changes nothing of a text but its spaces."""
    controls = {vocabulary.begin, vocabulary.end, vocabulary.pad}
    parts: list[bytes] = []
    for number, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True)):
        kind = _UNKNOWN if number == vocabulary.unknown else _CONTROL if number in controls else _NORMAL
        entry = _field(1, piece.encode()) + b"\x15" + struct.pack("<f", score) + _number(3, kind)
        parts.append(_field(1, entry))
    unigram = _number(3, 1)
    places = {40: vocabulary.unknown, 41: vocabulary.begin, 42: vocabulary.end, 43: vocabulary.pad}
    parts.append(_field(2, unigram + b"".join(_number(*place) for place in places.items())))
    dummy_prefix, keep_spaces, escape_spaces = _number(3, 1), _number(4, 0), _number(5, 1)
    parts.append(_field(3, _field(1, b"identity") + dummy_prefix + keep_spaces + escape_spaces))
    return b"".join(parts)


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits per byte
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*found, value))
