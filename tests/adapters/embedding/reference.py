"""The encoder in plain float32 numpy, as the paper writes it (Devlin et al. 2018): what int8 is held against."""

import math

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from adapters.embedding.build import Tensors, locate, read

Matrix = npt.NDArray[np.float32]
_erf = np.vectorize(math.erf, otypes=[np.float32])


class Reference:
    """Float vectors from the same weights."""

    def __init__(self) -> None:
        files = locate()
        self._t: Tensors = read(files.weights)
        self._words = Tokenizer.from_file(str(files.tokenizer))
        self._words.no_padding()
        self._words.enable_truncation(256)

    def embed(self, text: str) -> Matrix:
        ids = self._words.encode(text).ids
        value = self._t["embeddings.word_embeddings.weight"][ids]
        value = value + self._t["embeddings.position_embeddings.weight"][: len(ids)]
        value = self._norm(value + self._t["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(6):
            value = self._layer(value, f"encoder.layer.{layer}")
        mean = value.mean(axis=0)
        vector: Matrix = mean / np.linalg.norm(mean)
        return vector

    def _layer(self, value: Matrix, name: str) -> Matrix:
        parts = [self._linear(value, f"{name}.attention.self.{p}") for p in ("query", "key", "value")]
        query, key, content = (p.reshape(len(value), 12, 32).transpose(1, 0, 2) for p in parts)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (weights / weights.sum(axis=-1, keepdims=True)) @ content
        output = self._linear(mixed.transpose(1, 0, 2).reshape(len(value), 384), f"{name}.attention.output.dense")
        value = self._norm(value + output, f"{name}.attention.output.LayerNorm")
        inner = self._linear(value, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + _erf(inner / math.sqrt(2)))
        return self._norm(value + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _linear(self, value: Matrix, name: str) -> Matrix:
        result: Matrix = value @ self._t[f"{name}.weight"].T + self._t[f"{name}.bias"]
        return result

    def _norm(self, value: Matrix, name: str) -> Matrix:
        centred = value - value.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(centred.var(axis=-1, keepdims=True) + 1e-12)
        result: Matrix = scaled * self._t[f"{name}.weight"] + self._t[f"{name}.bias"]
        return result
