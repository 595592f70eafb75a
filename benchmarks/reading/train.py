"""Trains the layers that read two texts together (:mod:`adapters.embedding.e5`): for an answer, or for a change.

Each question is read with the messages that answer it, with those of its life that look most like answers and are
none, and with one of the others; a message that something changed with what was said later in the same way, beginning
with what was learnt of answers.  What is learnt is what the upper six layers of the embedding model need changed, and
what makes a number of their states (cross-entropy, AdamW, arXiv 1711.05101); the lower six are computed once.
Needs ``pip install jax optax``, which nothing else here does, and about a minute of two cores for 200 steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from adapters.embedding import graph
from adapters.embedding.e5 import (
    MOST_OF_FIRST,
    MOST_OF_QUESTION,
    MOST_TOKENS,
    E5Embedder,
    Floats,
    Loaded,
    change_tensors,
    load_reading,
)
from adapters.embedding.encoder import PASSAGE, QUESTION, WIDTH
from adapters.embedding.files import ANSWERS, CHANGES
from adapters.embedding.graph import Tensors, WeightsFile, locate_e5
from benchmarks.reading.lives import Asked
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.ranking.vectors import map_question

_AT_ONCE: Final = 32
_HARD, _EASY = {ANSWERS: 5, CHANGES: 3}, 1
"""Messages without an answer, or a change, that a text is read with: the most alike, and others by chance."""
_UNITS: Final = 256
_RATE: Final = 6e-5
_HEAD_FASTER: Final = 20.0
"""What is learnt from nothing moves faster than what the model knew: all of it at once made it forget that."""
_DROPPED: Final = 0.05
_PERHAPS: Final = 0.7
"""How likely what is marked as a likely change is one."""
_KEPT: Final = 0.3
"""What the weights that training went on from count beside what it made of them (averages of both generalise better
than either, arXiv 2203.05482)."""
_RANK: Final = 64
"""Of the matrices that a change is stored as."""
_LIKENESS: Final = (17.0, 0.338)
"""What a logistic regression on the cosine alone says, to begin with: its weight, and where it is even."""
_STEP: Final = 8
"""Texts of about one length are read at once, filled up to a multiple of this."""
_MATRICES: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_HEAD: Final = ("mark", "sides", "hidden", "offset", "out", "constant", "likeness")

Learnt = dict[str, Any]  # Any: arrays of jax
Batch = tuple[Floats, npt.NDArray[np.int32], Floats, Floats]
"""States, shape (pairs, tokens, 384); whose each token is: 0 the mark or none, 1 the first text's, 2 the other's, 3 the
question's that both are read for; which are there; the cosines, 0 where they do not count."""


@dataclass(frozen=True, slots=True)
class _Pair:
    first: int
    text: int
    right: float
    question: int | None


class _Texts:
    """Every text once: its inner states, and its vector."""

    def __init__(self, loaded: Loaded, model: str, *, likened: bool) -> None:
        self._loaded, self._model, self._likened = loaded, model, likened
        self._numbers: dict[tuple[str, str], int] = {}
        self.states: list[npt.NDArray[np.float16]] = []
        self.vectors: list[Floats] = []

    def add(self, prefix: str, text: str) -> int:
        """Return the number of a text, read now unless it was before."""
        number = self._numbers.setdefault((prefix, text), len(self.states))
        if number == len(self.states):
            read = self._loaded.embed(self._loaded.read(text, prefix))
            vector = read.words.vector
            self.states.append(read.inner.astype(np.float16))
            self.vectors.append(map_question(vector, self._model) if prefix == QUESTION else vector)
        return number

    def liken(self, first: int, texts: Sequence[int]) -> Floats:
        likeness: Floats = np.stack([self.vectors[each] for each in texts]) @ self.vectors[first]
        return likeness

    def measure(self, pair: _Pair) -> int:
        """Return how many tokens are read of a pair."""
        texts = (each for each in (pair.first, pair.text, pair.question) if each is not None)
        return min(MOST_TOKENS, 1 + sum(len(self.states[number]) for number in texts))

    def fill(self, pairs: Sequence[_Pair]) -> Batch:
        tokens = -(-max(map(self.measure, pairs)) // _STEP) * _STEP
        states = np.zeros((len(pairs), tokens, WIDTH), np.float32)
        sides = np.zeros((len(pairs), tokens), np.int32)
        there = np.zeros((len(pairs), tokens), np.float32)
        for row, pair in enumerate(pairs):
            question = () if pair.question is None else self.states[pair.question][:MOST_OF_QUESTION]
            first = self.states[pair.first][:MOST_OF_FIRST]
            told = self.states[pair.text][: MOST_TOKENS - 1 - len(question) - len(first)]
            end = 1
            for side, part in ((3, question), (1, first), (2, told)):
                if len(part):
                    states[row, end : end + len(part)], sides[row, end : end + len(part)] = part, side
                    end += len(part)
            there[row, :end] = 1
        alike = [self._likened and self.vectors[each.first] @ self.vectors[each.text] for each in pairs]
        return states, sides, there, np.array(alike, np.float32)


class Trainer:
    """Trains what becomes ``weights``, rates with what is learnt, and stores it."""

    def __init__(self, weights: Path, seed: int, *, further: bool = False) -> None:
        embedder = E5Embedder(find_model_folder(PROJECT / "data"))
        self._weights, self._seed = weights, seed
        self._texts = _Texts(embedder.load(), embedder.model, likened=weights == ANSWERS)
        self._tensors = WeightsFile(locate_e5()).read_tensors()
        self._chance = np.random.default_rng(seed)
        self._learnt = _begin(self._tensors, self._chance)
        if weights == CHANGES or further:
            self._learnt |= _continue(self._tensors, self._learnt, weights if further else ANSWERS)
        self._before = dict(self._learnt) if further else None
        self._score = jax.jit(_rate)

    def train(self, asked: Sequence[Asked], epochs: float, report: Callable[[str], None]) -> None:
        """Train on questions; ``report`` is told how it goes."""
        pairs = self._choose(asked)
        steps, done, losses, began = int(epochs * len(pairs) / _AT_ONCE), 0, list[float](), time.monotonic()
        pace = optax.warmup_cosine_decay_schedule(0, _RATE, max(20, steps // 12), steps, _RATE * 0.02)
        optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(pace, weight_decay=0.01))
        state, key = optimiser.init(self._learnt), jax.random.PRNGKey(self._seed)

        def step(learnt: Learnt, state: Any, batch: Batch, right: Floats, key: Any) -> Any:  # Any: jax
            loss, slope = jax.value_and_grad(_lose)(learnt, batch, right, key)
            change, state = optimiser.update(slope, state, learnt)
            faster = {name: each * _HEAD_FASTER if name in _HEAD else each for name, each in change.items()}
            return optax.apply_updates(learnt, faster), state, loss

        move = jax.jit(step)
        while done < steps:
            for batch in self._shuffle(pairs):
                key, now = jax.random.split(key)
                right = np.array([each.right for each in batch], np.float32)
                self._learnt, state, loss = move(self._learnt, state, self._texts.fill(batch), right, now)
                losses, done = [*losses[-199:], float(loss)], done + 1
                if done % 200 == 0:
                    report(f"{done}/{steps} steps, loss {np.mean(losses):.4f}, {time.monotonic() - began:.0f} s")
                if done == steps:
                    break
            pairs = self._choose(asked)
        for name, before in (self._before or {}).items():
            self._learnt[name] = _KEPT * before + (1 - _KEPT) * self._learnt[name]

    def rate(self, asked: Sequence[Asked]) -> list[list[float]]:
        """Return for each text of each first one how likely it answers or changes it, in log odds."""
        pairs = [pair for each in asked for pair in self._pair(each)]
        rates, order = np.zeros(len(pairs)), np.argsort([self._texts.measure(each) for each in pairs]).tolist()
        for start in range(0, len(order), _AT_ONCE):  # filled up, as each other size would be compiled anew
            places = order[start : start + _AT_ONCE]
            batch = [pairs[place] for place in (places + places[-1:] * _AT_ONCE)[:_AT_ONCE]]
            rates[places] = np.asarray(self._score(self._learnt, self._texts.fill(batch)))[: len(places)]
        left = iter(rates.tolist())
        return [[next(left) for _ in each.texts] for each in asked]

    def store(self) -> None:
        """Write what was learnt: of each matrix two thin ones that make up what changed, by its largest parts."""
        packed: dict[str, npt.NDArray[Any]] = {}  # Any: numbers of several kinds
        for name, value in ((name, np.asarray(each)) for name, each in self._learnt.items()):
            if name in _HEAD:
                packed |= _quantise(name, value) if name == "hidden" else {name: value.reshape(value.shape or (1,))}
            elif value.ndim == 1:
                packed[f"{name}.change"] = value.astype(np.float16)
            else:
                left, size, right = np.linalg.svd(value - self._tensors[name], full_matrices=False)
                root = np.sqrt(size[:_RANK])
                packed |= _quantise(f"{name}.a", left[:, :_RANK] * root)
                packed |= _quantise(f"{name}.b", root[:, None] * right[:_RANK])
        np.savez_compressed(self._weights, allow_pickle=False, **packed)

    def _choose(self, asked: Sequence[Asked]) -> list[_Pair]:
        hard, chosen = _HARD[self._weights], list[_Pair]()
        for each in asked:
            pairs = self._pair(each)
            order = np.argsort(self._texts.liken(pairs[0].first, [pair.text for pair in pairs]))[::-1].tolist()
            wrong = [pairs[place] for place in order if not pairs[place].right]
            others = self._chance.permutation(range(hard, max(hard, len(wrong))))[:_EASY].tolist()
            chosen += [*(pair for pair in pairs if pair.right), *wrong[:hard], *(wrong[place] for place in others)]
        return chosen

    def _pair(self, asked: Asked) -> list[_Pair]:
        """Return a first text with each of the others, and with the question that they are read for."""
        first = self._texts.add(QUESTION if self._weights == ANSWERS else PASSAGE, asked.first)
        texts = [self._texts.add(PASSAGE, text) for text in asked.texts]
        question = self._texts.add(QUESTION, asked.question) if asked.question else None
        likely = dict.fromkeys(asked.perhaps, _PERHAPS) | dict.fromkeys(asked.right, 1.0)
        return [_Pair(first, text, likely.get(place, 0.0), question) for place, text in enumerate(texts)]

    def _shuffle(self, pairs: Sequence[_Pair]) -> Iterator[list[_Pair]]:
        """Yield pairs of about one length together, in an order by chance."""
        lengths = [self._texts.measure(pair) + self._chance.uniform(0, _STEP / 2) for pair in pairs]
        order = np.argsort(lengths)
        for start in self._chance.permutation(range(0, len(pairs) - _AT_ONCE + 1, _AT_ONCE)).tolist():
            yield [pairs[number] for number in order[start : start + _AT_ONCE]]


def _begin(tensors: Tensors, chance: np.random.Generator) -> Learnt:
    weight, even = _LIKENESS
    learnt: Learnt = {
        "mark": chance.normal(0, 0.02, WIDTH),
        "sides": np.zeros((3, WIDTH)),
        "hidden": chance.normal(0, 0.03, (3 * WIDTH, _UNITS)),
        "offset": np.zeros(_UNITS),
        "out": np.zeros(_UNITS),
        "likeness": np.array(weight),
        "constant": np.array(-weight * even - 1.5),
    }
    upper = (f"encoder.layer.{layer}." for layer in range(graph.INNER, graph.LAYERS))
    learnt |= {name: each for start in upper for name, each in tensors.items() if name.startswith(start)}
    return {name: jnp.asarray(each, jnp.float32) for name, each in learnt.items()}


def _continue(tensors: Tensors, learnt: Learnt, weights: Path) -> Learnt:
    """Return what was learnt before; of answers without what makes a number of the states: likeness counts nothing."""
    reading, changed = load_reading(weights), change_tensors(tensors, weights)
    kept: Learnt = {name: each for name, each in changed.items() if name in learnt}
    sides = np.zeros((3, WIDTH))
    sides[: len(reading.sides)] = reading.sides
    kept |= {"mark": reading.mark, "sides": sides}
    if weights == ANSWERS:
        kept |= {"likeness": np.array(0.0), "constant": np.array(-2.0)}
    else:
        kept |= {name: getattr(reading, name) for name in _HEAD[2:]}
    return {name: jnp.asarray(each, jnp.float32) for name, each in kept.items()}


def _lose(learnt: Learnt, batch: Batch, right: Floats, key: Any) -> Any:  # Any: jax
    return optax.sigmoid_binary_cross_entropy(_rate(learnt, batch, key), right).mean()


def _rate(learnt: Learnt, batch: Batch, key: Any = None) -> Any:  # Any: jax
    """Return log odds, shape (pairs,); with a ``key`` some of what is computed is left out by chance."""
    states, sides, there, likeness = batch
    keys = iter(() if key is None else jax.random.split(key, 2 * (graph.LAYERS - graph.INNER) + 1))
    value: Any = states + jnp.concatenate([jnp.zeros((1, WIDTH)), learnt["sides"]])[sides]
    value = value.at[:, 0].add(learnt["mark"])
    for layer in range(graph.INNER, graph.LAYERS):
        value = _pass(learnt, f"encoder.layer.{layer}", value, (1 - there)[:, None, None, :] * -1e9, keys)
    means = []
    for side in (1, 2):
        own = (sides == side)[..., None]
        means.append((value * own).sum(axis=1) / jnp.maximum(own.sum(axis=1), 1))
    asked, told = means
    seen = jnp.concatenate([value[:, 0], asked * told, jnp.abs(asked - told)], axis=-1)
    inner = _drop(jax.nn.gelu(seen @ learnt["hidden"] + learnt["offset"], approximate=True), keys)
    return inner @ learnt["out"] + learnt["likeness"] * likeness + learnt["constant"]


def _pass(learnt: Learnt, name: str, value: Any, hidden: Any, keys: Iterator[Any]) -> Any:  # Any: jax
    """Return the states after one layer; ``hidden`` is added to the weight of tokens that are not there."""

    def multiply(states: Any, part: str) -> Any:  # Any: jax
        return states @ learnt[f"{name}.{part}.weight"].T + learnt[f"{name}.{part}.bias"]

    def normalise(states: Any, part: str) -> Any:  # Any: jax
        spread = jnp.sqrt(states.var(axis=-1, keepdims=True) + graph.EPSILON)
        scaled = (states - states.mean(axis=-1, keepdims=True)) / spread
        return scaled * learnt[f"{name}.{part}.weight"] + learnt[f"{name}.{part}.bias"]

    pairs, tokens, _ = value.shape
    query, key, content = (
        multiply(value, part).reshape(pairs, tokens, graph.HEADS, -1).transpose(0, 2, 1, 3) for part in _MATRICES[:3]
    )
    weights = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]) + hidden, axis=-1)
    mixed = multiply((weights @ content).transpose(0, 2, 1, 3).reshape(pairs, tokens, -1), _MATRICES[3])
    value = normalise(value + _drop(mixed, keys), "attention.output.LayerNorm")
    inner = multiply(jax.nn.gelu(multiply(value, _MATRICES[4]), approximate=False), _MATRICES[5])
    return normalise(value + _drop(inner, keys), "output.LayerNorm")


def _drop(value: Any, keys: Iterator[Any]) -> Any:  # Any: jax
    key = next(keys, None)
    return value if key is None else value * jax.random.bernoulli(key, 1 - _DROPPED, value.shape) / (1 - _DROPPED)


def _quantise(name: str, matrix: Floats) -> dict[str, npt.NDArray[Any]]:  # Any: int8 and a float for each row
    scale = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127
    return {name: np.rint(matrix / scale[:, None]).astype(np.int8), f"{name}.scale": scale.astype(np.float32)}
