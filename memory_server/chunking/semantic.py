"""Cut a text where its meaning turns: LightRAG's ``semantic_vector`` strategy.

The method is Greg Kamradt's, as in LangChain's SemanticChunker, which LightRAG calls and which is not installed here:
every sentence is embedded together with its neighbours, and a cut is made where the distance to the next one is
unusually large.  https://python.langchain.com/docs/how_to/semantic-chunker/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
from lightrag.constants import DEFAULT_SENTENCE_SPLIT_REGEX

from memory_server.ports import Embedder

Distances = npt.NDArray[np.float64]

_SENTENCE_END = re.compile(DEFAULT_SENTENCE_SPLIT_REGEX)
_USUAL_AMOUNT = {"percentile": 95.0, "standard_deviation": 3.0, "interquartile": 1.5, "gradient": 95.0}


async def groups(
    text: str, embedder: Embedder, *, kind: str = "percentile", amount: float | None = None, buffer: int = 1
) -> list[str]:
    """Return the pieces of ``text``, in order and without overlap; raises what the embedder raises.

    ``buffer`` is the number of neighbours on each side that a sentence is embedded with.  ``kind`` and ``amount`` say
    what is unusual: a percentile of the distances or of their gradient, so many standard deviations above the mean, or
    so many interquartile ranges.
    """
    starts = [0, *(end.end() for end in _SENTENCE_END.finditer(text) if end.end() < len(text))]
    sentences = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    if len(sentences) == 1:
        return [text.strip()]
    around = [" ".join(sentences[max(0, i - buffer) : i + buffer + 1]) for i in range(len(sentences))]
    vectors = await embedder.embed(around)
    distances = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:]).astype(np.float64)
    cuts = [starts[i + 1] for i in _unusual(distances, kind, _USUAL_AMOUNT[kind] if amount is None else amount)]
    pieces = [text[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [piece for piece in pieces if piece]


def _unusual(distances: Distances, kind: str, amount: float) -> list[int]:
    """Return the places, in order, whose distance is above the threshold."""
    if kind == "gradient":
        if len(distances) == 1:
            return [0]
        distances = np.gradient(distances)
    thresholds: Mapping[str, Callable[[], float]] = {
        "percentile": lambda: float(np.percentile(distances, amount)),
        "gradient": lambda: float(np.percentile(distances, amount)),
        "standard_deviation": lambda: float(distances.mean() + amount * distances.std()),
        "interquartile": lambda: float(distances.mean() + amount * np.subtract(*np.percentile(distances, [75, 25]))),
    }
    return [int(place) for place in np.flatnonzero(distances > thresholds[kind]())]
