"""Moves what a question means to where its answers lie: one linear map for its vector, one for the states of its words.

An embedding model puts "Who looks after my teeth?" near other questions about teeth; the map, learnt from plain facts
and questions for them in other words, puts it nearer to "Dr. Lind is my dentist".  Stored texts stay as they are, so
that a new map costs no store a new embedding.
``python -m benchmarks.recall questions`` makes the maps (``question_map.npz``) and judges them (docs/recall.md).
"""

from functools import cache
from importlib import resources

import numpy as np

from bot.memory.ranking.binary_codes import Floats


def map_question(vectors: Floats, model: str) -> Floats:
    """Return the vector of a question, or one per row, mapped and of length 1.

    ``model`` names the embedding model: what another one gave is returned as it is.
    """
    return _map(vectors, "vector", model)


def map_words(states: Floats, model: str) -> Floats:
    """Return the states of a question's words, one per row, as :func:`map_question` does."""
    return _map(states, "words", model)


def _map(vectors: Floats, name: str, model: str) -> Floats:
    maps, trained = load_maps()
    if model != trained:
        return vectors
    mapped: Floats = vectors + vectors @ maps[name]
    mapped /= np.maximum(np.linalg.norm(mapped, axis=-1, keepdims=True), np.float32(1e-12))
    return mapped


@cache
def load_maps() -> tuple[dict[str, Floats], str]:
    """Return what the maps add to a row, by name, shape (dimension, dimension), and the embedding model they are of."""
    with resources.files("bot.memory.ranking").joinpath("question_map.npz").open("rb") as file, np.load(file) as packed:
        maps = {name: packed[name].astype(np.float32) * packed[f"{name}_scale"] for name in ("vector", "words")}
        return maps, str(packed["embedding"])
