"""Reads a question and a text together and says how likely the text answers it.

Vectors tell what a text is about.  Whether it answers what is asked about that ("how much did the oven cost" beside
"HeatPro serviced the oven in March") only shows where both are read in one go: the states of both texts in the sixth
layer of the embedding model, computed for each by itself, go through six further layers together (DeFormer, Cao et al.
2020, arXiv 2005.00697).  These are the upper layers of the same model, trained for this by
``python -m benchmarks.reading train``; what that changed is stored as two thin matrices for each of theirs
(``reading.npz``), and added to the model's own when the files are made (``build.py``).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from adapters.embedding.encoder import ModelSession

Floats = npt.NDArray[np.float32]

WEIGHTS: Final = Path(__file__).with_name("reading.npz")
STATES_READ: Final = "read"
"""Name of the graph's output: the last layer, shape (1, 1 + tokens, 384)."""
MOST_OF_QUESTION: Final = 40
MOST_TOKENS: Final = 96
"""Pieces of a question, and of both texts with the mark before them, that are read; what is longer is cut."""
_LEAST_ODDS: Final = -50.0
_BESIDE_ODDS: Final = -4.5
"""With a likeness that is about right; 1.5 below those of what is beside a question.  No answer of 0.15 or more is lost
so in the lives of another author and in as many that were trained on, not even where each message was embedded with an
unrelated one before it; of 100 messages that are read 38 are embedded for an exact likeness."""
_CHANGED: Final = ".change"
_LOW, _HIGH = ".a", ".b"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was learnt beside the layers' matrices: what marks the two texts, and what makes a number of their states.

    ``mark`` stands before both, shape (384,); ``sides`` is added to the states of the question and of the text, shape
    (2, 384); ``hidden`` and ``offset`` are a layer over the mark's state, the product and the distance of both means,
    shape (1152, 256) and (256,); ``out`` its weights, and ``constant`` what is added.
    """

    mark: Floats
    sides: Floats
    hidden: Floats
    offset: Floats
    out: Floats
    constant: float
    likeness: float
    """What the cosine of the question's mapped vector and the text's counts."""

    def join(self, question: Floats, text: Floats) -> Floats:
        """Return what the graph reads, shape (1, 1 + tokens, 384), of the states of both."""
        question = question[:MOST_OF_QUESTION]
        text = text[: MOST_TOKENS - 1 - len(question)]
        return np.concatenate([self.mark[None], question + self.sides[0], text + self.sides[1]])[None]

    def judge(self, read: Floats, question: int) -> float:
        """Return what the graph's output and the pieces of the question give of the log odds that the text answers."""
        split = 1 + min(question, MOST_OF_QUESTION)
        asked, told = read[1:split].mean(axis=0), read[split:].mean(axis=0)
        inner = np.concatenate([read[0], asked * told, np.abs(asked - told)]) @ self.hidden + self.offset
        bent = 0.5 * inner * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
        return float(bent @ self.out) + self.constant


@dataclass(frozen=True, slots=True)
class Reader:
    """The opened graph, and what was learnt beside it."""

    session: ModelSession
    reading: Reading

    def read(self, question: Floats, text: Floats) -> float:
        """Return the log odds, but for their likeness, that a text answers a question, by the inner states of both.

        An empty text answers nothing.
        """
        if not len(question) or not len(text):
            return -math.inf
        (read,) = self.session.run([STATES_READ], {"words": self.reading.join(question, text)})
        return self.reading.judge(read[0], len(question))

    def rate(self, odds: float, likeness: float) -> float:
        """Return how likely a text answers, 0..1, by what :meth:`read` gave and the likeness of both."""
        odds += self.reading.likeness * likeness
        return 1 / (1 + math.exp(-odds)) if odds > _LEAST_ODDS else 0.0

    def is_beside(self, odds: float, about: float) -> bool:
        """Return whether a text whose likeness is ``about`` this much is beside the question, however much it is."""
        return odds + self.reading.likeness * about < _BESIDE_ODDS


def load_reading() -> Reading:
    """Return what was learnt beside the layers' matrices."""
    packed = _open()
    return Reading(
        packed["mark"],
        packed["sides"],
        packed["hidden"],
        packed["offset"],
        packed["out"],
        float(packed["constant"][0]),
        float(packed["likeness"][0]),
    )


def change_tensors(tensors: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the model's tensors with what training changed of the upper layers."""
    packed = _open()
    changed = dict(tensors)
    for name in packed:
        if name.endswith(_LOW):
            matrix = name.removesuffix(_LOW)
            changed[matrix] = tensors[matrix] + packed[name] @ packed[matrix + _HIGH]
        elif name.endswith(_CHANGED):
            changed[name.removesuffix(_CHANGED)] = packed[name]
    return changed


def _open() -> dict[str, Floats]:
    """Return what was learnt, by name; matrices of int8 come with a scale for each row."""
    with np.load(WEIGHTS) as packed:
        return {
            name: packed[name].astype(np.float32) * packed[f"{name}.scale"].astype(np.float32)[:, None]
            if f"{name}.scale" in packed.files
            else packed[name].astype(np.float32)
            for name in packed.files
            if not name.endswith(".scale")
        }
