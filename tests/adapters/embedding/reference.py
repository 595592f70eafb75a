"""The encoder in plain float32 numpy, as the paper writes it (Devlin et al. 2018): what int8 is held against."""

import math

import numpy as np
import numpy.typing as npt

from adapters.embedding.encoder import Tokenizer, embed_words, token_ids
from adapters.embedding.graph import WeightsFile, locate_e5

Matrix = npt.NDArray[np.float32]
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class Reference:
    """Float states from the same weights."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._weights = WeightsFile(locate_e5())
        self._t = self._weights.read_tensors()
        self._tokenizer = tokenizer

    def read(self, text: str, prefix: str) -> Matrix:
        """Return the mean of the last layer's states."""
        ids, _ = token_ids(self._tokenizer, text, prefix)
        value = embed_words(self._weights.word_rows[ids]) + self._t["embeddings.position_embeddings.weight"][: len(ids)]
        value = self._norm(value + self._t["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(12):
            value = self._layer(value, f"encoder.layer.{layer}")
        mean: Matrix = value.mean(axis=0)
        return mean

    def _layer(self, value: Matrix, name: str) -> Matrix:
        parts = [self._linear(value, f"{name}.attention.self.{p}") for p in ("query", "key", "value")]
        query, key, content = (p.reshape(len(value), 12, 32).transpose(1, 0, 2) for p in parts)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (weights / weights.sum(axis=-1, keepdims=True)) @ content
        output = self._linear(mixed.transpose(1, 0, 2).reshape(len(value), 384), f"{name}.attention.output.dense")
        value = self._norm(value + output, f"{name}.attention.output.LayerNorm")
        inner = self._linear(value, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + self._erf(inner / math.sqrt(2)))
        return self._norm(value + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _erf(self, value: Matrix) -> Matrix:
        """Approximate the error function to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26)."""
        part = 1 / (1 + 0.3275911 * np.abs(value))
        found: Matrix = np.sign(value) * (1 - np.polyval((*_ERF, 0), part) * np.exp(-(value**2)))
        return found

    def _linear(self, value: Matrix, name: str) -> Matrix:
        result: Matrix = value @ self._t[f"{name}.weight"].T + self._t[f"{name}.bias"]
        return result

    def _norm(self, value: Matrix, name: str) -> Matrix:
        centred = value - value.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(centred.var(axis=-1, keepdims=True) + 1e-12)
        result: Matrix = scaled * self._t[f"{name}.weight"] + self._t[f"{name}.bias"]
        return result
