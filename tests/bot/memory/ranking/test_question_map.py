"""The maps of questions: of the model in use, of length 1, and not for what another model gave."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from adapters.embedding.e5 import E5Embedder
from bot.memory.ranking.vectors import load_maps, map_later, map_question, map_words


def test_the_maps_are_of_the_embedding_model_in_use() -> None:
    maps, model = load_maps()
    assert model == E5Embedder(Path("nowhere")).model, "python -m benchmarks.recall questions makes them anew"
    names = ("vector", "words", "later")
    assert {name: values.shape for name, values in maps.items()} == dict.fromkeys(names, (384, 384))


def test_what_is_mapped_has_length_one() -> None:
    _, model = load_maps()
    rows = np.random.default_rng(0).normal(size=(3, 384)).astype(np.float32)
    lengths = [*np.linalg.norm(map_words(rows, model), axis=1), np.linalg.norm(map_question(rows[0], model))]
    np.testing.assert_allclose(lengths, 1, rtol=1e-5)
    assert not np.allclose(map_question(rows[0], model), rows[0] / np.linalg.norm(rows[0]), atol=1e-3)


def test_vectors_of_another_model_stay_as_they_are() -> None:
    vector = np.ones(7, dtype=np.float32)
    assert map_question(vector, "text-embedding-3-small") is vector
    assert map_later(bytes(7)) == bytes(7)
