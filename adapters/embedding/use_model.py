"""universal-sentence-encoder-multilingual v3: the arithmetic over its file.

A piece of a word is looked up in a table; convolutions over two, three and five pieces look at its neighbours; what all
pieces give is summed and goes through four small layers (Yang et al. 2019, arXiv 1907.04307).
numpy computes in float32 what they say.  An int8 graph for onnxruntime is two to three times as fast and costs each
program 30 MB more; texts that are read together come near to it.
The table is read row by row and not mapped: a program that reads all day would hold most of it.
"""

import json
import math
import os
import weakref
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.files import damaged

WIDTH: Final = 512
PARTS, _ROWS = 17, 7530
"""The table comes in parts; piece n is row n // 17 of part n % 17, each part with a scale and an offset of its own."""
_BRANCH: Final = 256
_WINDOWS: Final = ((2, 0), (3, 1), (5, 2))
"""Pieces that a convolution looks at, and how many of them stand before the piece."""
HEADER: Final = 4096
"""Bytes at the beginning of our file: names and shapes of its float32 tensors as JSON; they follow, then where each
row of the table ends, and the rows, deflated."""
_EPSILON: Final = 1e-12

Floats = npt.NDArray[np.float32]


class UseModel:
    """The arithmetic over a file that :func:`~adapters.embedding.build.pack_use` made.  Safe in several threads."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        try:
            shapes: dict[str, list[int]] = json.loads(os.pread(self._file, HEADER, 0))
        except ValueError:
            shapes = {}
        sizes = [math.prod(shape) for shape in shapes.values()]
        at = HEADER + 4 * sum(sizes)
        self._table = at + 4 * (PARTS * _ROWS + 1)
        if not shapes or path.stat().st_size < self._table:
            raise damaged(path)
        self._ends = np.memmap(path, np.dtype("<u4"), "r", offset=at, shape=(PARTS * _ROWS + 1,))
        if path.stat().st_size != self._table + int(self._ends[-1]):
            raise damaged(path)
        floats = np.memmap(path, np.dtype("<f4"), "r", offset=HEADER, shape=(sum(sizes),))
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
        spans = zip(self._ends[ids].tolist(), self._ends[ids + 1].tolist(), strict=True)
        packed = (os.pread(self._file, end - start, self._table + start) for start, end in spans)
        raw = b"".join(zlib.decompress(row, -zlib.MAX_WBITS, WIDTH) for row in packed)
        part = ids % PARTS
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
