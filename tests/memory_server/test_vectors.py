"""Vectors in memory: exact, and in step with what is stored."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory_server.storage.vector_index import VectorIndex


def unit(seed: int, count: int, dimension: int = 32) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return random normalised rows."""
    rows = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    normal: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normal


def test_the_candidates_hold_the_exact_nearest() -> None:
    """Of 5,000 rows the ten nearest are always among the candidates that int8 chooses."""
    rows = unit(1, 5000)
    index = VectorIndex(32)
    index.put(enumerate(rows))

    for query in unit(2, 50):
        nearest = set(np.argsort(-(rows @ query))[:10].tolist())

        assert nearest <= set(index.candidates(query, 10).tolist())


def test_only_allowed_rows_are_candidates() -> None:
    """A filter leaves its own rows only, and all of them when they are few."""
    index = VectorIndex(32)
    index.put(enumerate(unit(3, 1000)))
    allowed = np.array([3, 500, 999, 5000], dtype=np.int64)

    found = index.candidates(unit(4, 1)[0], 10, allowed)

    assert sorted(found.tolist()) == [3, 500, 999]


@given(st.lists(st.tuples(st.integers(-20, 40), st.booleans()), max_size=80))
def test_it_is_a_mapping(changes: list[tuple[int, bool]]) -> None:
    """Any order of inserts, replacements and removals leaves exactly the rows that a dictionary would hold."""
    index = VectorIndex(8)
    model: dict[int, object] = {}
    rows = unit(5, len(changes) + 1, 8)
    for place, (number, keep) in enumerate(changes):
        index.put([(number, rows[place] if keep else None)])
        model.pop(number, None)
        if keep:
            model[number] = rows[place]

    assert len(index) == len(model)
    assert set(index.candidates(rows[-1], 100).tolist()) == set(model)
