"""The sentence encoder in plain float32 numpy, one piece after another: what the quick one is held against."""

import numpy as np
import numpy.typing as npt
from sentencepiece import SentencePieceProcessor

from adapters.embedding.graph import locate_use

Matrix = npt.NDArray[np.float32]


class UseReference:
    """Vectors straight from the packed weights: nothing is mapped, shared or computed together."""

    def __init__(self) -> None:
        weights, vocabulary, _ = locate_use()
        self._t = dict(np.load(weights))
        self._pieces = SentencePieceProcessor(model_file=str(vocabulary))

    def embed(self, text: str) -> Matrix:
        t, ids = self._t, self._pieces.encode(text, add_bos=True, add_eos=True)[:256]
        rows = np.stack([t[f"q{n % 17 + 1}"][n // 17] * t["scale"][n % 17] + t["lo"][n % 17] for n in ids])
        projected = np.concatenate([rows @ t[f"proj{n}"] + t[f"proj_b{n}"] for n in (2, 3, 5)], axis=1)
        gamma, beta = (np.concatenate([t[f"{name}{n}"] for n in (2, 3, 5)]) for name in ("ln_g", "ln_b"))
        branches = np.split(_normalise(projected, gamma, beta), 3, axis=1)
        seen = [self._convolve(value, *how) for value, how in zip(branches, ((2, 0), (3, 1), (5, 2)), strict=True)]
        states = _normalise(np.concatenate([rows, *seen], axis=1), t["ln_g"], t["ln_b"])
        pooled = (states @ t["cnn_W"] + t["cnn_b"]).sum(axis=0) / np.sqrt(len(ids))
        hidden = np.maximum(pooled @ t["p1"] + np.maximum(pooled @ t["d0"], 0) @ t["d1"], 0)
        vector = np.tanh(hidden @ t["p3"] + np.maximum(hidden @ t["d2"], 0) @ t["d3"])
        result: Matrix = vector / np.linalg.norm(vector)
        return result

    def _convolve(self, value: Matrix, size: int, before: int) -> Matrix:
        for layer in (1, 2):
            padded = np.pad(value, ((before, size - 1 - before), (0, 0)))
            around = np.stack([padded[place : place + size].ravel() for place in range(len(value))])
            weight, bias = self._t[f"w{layer}_{size}"], self._t[f"b{layer}_{size}"]
            value = value + np.maximum(around @ weight + bias, 0)
        return value


def _normalise(rows: Matrix, gamma: Matrix, beta: Matrix) -> Matrix:
    centred = rows - rows.mean(axis=1, keepdims=True)
    result: Matrix = centred / np.sqrt(centred.var(axis=1, keepdims=True) + 1e-12) * gamma + beta
    return result
