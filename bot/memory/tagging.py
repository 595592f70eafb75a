"""Tells names in a sentence: people, places and organisations, by what the embedding model knows of each word.

A small network over the state of a word in the model's middle layer, of its neighbours, and how they are written;
trained by ``python -m benchmarks.names.train`` from sentences of our own.  Of all ways to mark the words that make
names the likeliest is taken (Viterbi).  A word that is written small throughout begins no name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from language import stop_words

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

WEIGHTS: Final = Path(__file__).with_name("tagging.npz")
KINDS: Final = ("person", "location", "organization", "artifact")
TAGS: Final = ("", *(f"{place}{kind}" for kind in KINDS for place in "BI"))
"""Of a word: no name, or the beginning or a later word of a name of a kind."""
DOUBT: Final = 4.0
"""Log odds by which a name must be likelier than none: false names cost more than missed ones."""
SURE: Final = 0.69
"""Mean probability of its kind over the words of a name; a name that is told with less is left out."""

_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
_QUOTES: Final = frozenset("\"'«»„“”‘’")
_BEFORE: Final = frozenset('.!?:"«„“')
_SHORT: Final = 2
_NEVER: Final = 1e9
_STOPS: Final = stop_words()
_LATER: Final = np.array([tag[:1] == "I" for tag in TAGS])
_FOLLOWS: Final = np.array([[tag[:1] != "I" or before[1:] == tag[1:] for tag in TAGS] for before in TAGS])
"""Whether a tag may stand after another: (before, after)."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A name: where it stands, as character offsets, and its kind, one of :data:`KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer: weights by input, (inputs, units) and (units, tags), and what is added."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    def score(self, rows: Floats) -> Floats:
        """Return the log probability of each tag for each row."""
        values = np.maximum(rows @ self.first + self.first_bias, 0) @ self.second + self.second_bias
        values -= values.max(axis=1, keepdims=True)
        scores: Floats = values - np.log(np.exp(values).sum(axis=1, keepdims=True))
        return scores


def find_words(sentence: str) -> tuple[tuple[int, int], ...]:
    """Return where words and marks stand."""
    return tuple(match.span() for match in _WORD.finditer(sentence))


def may_name(sentence: str) -> bool:
    """Whether any word could begin a name: others need not be embedded."""
    words = (sentence[low:high] for low, high in find_words(sentence))
    return any(_is_free(word) and word.lower() not in _STOPS for word in words)


def tell_names(sentence: str, pieces: Floats, spans: Ints) -> tuple[Tagged, ...]:
    """Return the names of a sentence by the states of its pieces, (pieces, dimension), and where they stand."""
    words = find_words(sentence)
    if not words or not len(pieces):
        return ()
    return find_names(sentence, words, load_network().score(make_rows(sentence, words, pieces, spans)))


def find_names(sentence: str, words: Sequence[tuple[int, int]], scores: Floats) -> tuple[Tagged, ...]:
    """Return the names of a sentence by the log probabilities of its words' tags, (words, tags)."""
    names = join(words, decode(sentence, words, scores))
    shares = np.exp(scores)

    def is_sure(name: Tagged) -> bool:
        within = [low >= name.start and high <= name.end for low, high in words]
        kind = [tag[1:] == name.kind for tag in TAGS]
        return bool(shares[within][:, kind].sum(axis=1).mean() >= SURE)

    return tuple(filter(is_sure, names))


def make_rows(sentence: str, words: Sequence[tuple[int, int]], pieces: Floats, spans: Ints) -> Floats:
    """Return what the network is told of each word: itself, the one before it and the one after it."""
    own = np.concatenate([_average(words, pieces, spans), _look(sentence, words)], axis=1)
    none = np.zeros_like(own[:1])
    rows: Floats = np.concatenate(
        [own, np.concatenate([none, own[:-1]]), np.concatenate([own[1:], none])], axis=1
    ).astype(np.float32)
    return rows


def decode(sentence: str, words: Sequence[tuple[int, int]], scores: Floats, doubt: float = DOUBT) -> list[int]:
    """Return the likeliest tags by their log probabilities, (words, tags)."""
    scores = scores.astype(np.float64)
    scores[:, 0] += doubt
    small = [not _is_free(sentence[low:high]) for low, high in words]
    scores[np.ix_(small, [tag[:1] == "B" for tag in TAGS])] -= _NEVER
    best, came = scores[0] - _NEVER * _LATER, []
    for row in scores[1:]:
        ways = np.where(_FOLLOWS, best[:, None], -_NEVER * 2)
        came.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    tags = [int(best.argmax())]
    for back in came[::-1]:
        tags.append(int(back[tags[-1]]))
    return tags[::-1]


def join(words: Sequence[tuple[int, int]], tags: Sequence[int]) -> tuple[Tagged, ...]:
    """Return the names that tags mark."""
    found: list[Tagged] = []
    for (low, high), number in zip(words, tags, strict=True):
        mark, kind = TAGS[number][:1], TAGS[number][1:]
        if mark == "B":
            found.append(Tagged(low, high, kind))
        elif mark == "I":
            found[-1] = Tagged(found[-1].start, high, kind)
    return tuple(found)


@lru_cache(maxsize=1)
def load_network(path: Path = WEIGHTS) -> Network:
    """Return the trained network."""
    with np.load(path) as file:
        return Network(
            file["first"].astype(np.float32) * file["first_scale"],
            file["first_bias"],
            file["second"].astype(np.float32),
            file["second_bias"],
        )


def _is_free(word: str) -> bool:
    """Whether a word may begin a name: it is not written small throughout, and it is no figure or mark."""
    return word[0].isalpha() and not word.islower()


def _average(words: Sequence[tuple[int, int]], pieces: Floats, spans: Ints) -> Floats:
    """Return the mean state of each word's pieces, zeros where the model read none of it."""
    borders = np.array(words, dtype=np.int64)
    within = (spans[None, :, 0] < borders[:, None, 1]) & (spans[None, :, 1] > borders[:, None, 0])
    shares = within.astype(np.float32) / np.maximum(within.sum(axis=1, keepdims=True), 1)
    means: Floats = (shares @ pieces).astype(np.float32)
    return means


def _look(sentence: str, words: Sequence[tuple[int, int]]) -> Floats:
    """Return how each word is written."""
    texts = [sentence[low:high] for low, high in words]
    rows = [
        (
            word[0].isupper(),
            word.isupper() and len(word) > 1,
            word.isalpha(),
            word.isdigit(),
            not word[0].isalnum(),
            any(map(str.isupper, word[1:])),
            place == 0 or texts[place - 1] in _BEFORE,
            len(word) <= _SHORT,
            word.lower() in _STOPS,
            word in _QUOTES,
        )
        for place, word in enumerate(texts)
    ]
    return np.array(rows, dtype=np.float32)
