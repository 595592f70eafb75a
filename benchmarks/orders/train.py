"""Fits the network that reads orders, with what may follow what, to sentences with their parts marked."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.descent import Descent
from bot.memory.learning.orders import OUTCOMES, TAGS, OrderModel, Part, Role, describe, join
from bot.memory.names import Floats, Ints, Network

DATA: Final = Path(__file__).with_name("orders.jsonl")
_MARK: Final = re.compile(r"\[(.)\|([^\[\]]*)\]")
_UNITS: Final = 256
_EPOCHS: Final = 20
_AT_ONCE: Final = 32
_KEPT, _KEPT_UNITS = 0.5, 0.7
"""Shares of what the network is told, and of its units, that a step keeps."""
_DECAY: Final = 0.05
_RATE: Final = 2e-3
_STEEPEST: Final = 5.0
_THING_UNITS: Final = 32
_THING_STEPS: Final = 150
_THING_DECAY: Final = 1e-4
_LAYERS: Final = 2
_NEVER: Final = -30.0
_LATER: Final = np.array([tag[:1] == "I" for tag in TAGS])
_FOLLOWS: Final = np.array([[tag[:1] != "I" or before[1:] == tag[1:] for tag in TAGS] for before in TAGS])
"""Whether a tag may stand after another: (before, after)."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence by one author, with its parts marked."""

    author: str
    language: str
    act: str
    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """An order as the network is told it, with the right tags."""

    order: Marked
    words: tuple[tuple[int, int], ...]
    rows: Floats
    tags: Ints


def read_orders(path: Path) -> list[Marked]:
    """Return sentences of JSON lines: ``by``, ``lang``, ``act``, and ``text`` with marks "[role|words]"."""
    return [_read_line(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _read_line(line: dict[str, str]) -> Marked:
    text, parts, end = "", list[Part](), 0
    for match in _MARK.finditer(line["text"]):
        text += line["text"][end : match.start()]
        parts.append(Part(Role(match[1]), match[2], len(text), len(text) + len(match[2])))
        text += match[2]
        end = match.end()
    return Marked(line["by"], line["lang"], line["act"], text + line["text"][end:], tuple(parts))


def tag(order: Marked, words: Sequence[tuple[int, int]]) -> Ints:
    """Return the tags of an order's words."""
    tags = np.zeros(len(words), dtype=np.int64)
    for part in order.parts:
        inside = [place for place, (low, high) in enumerate(words) if low < part.end and high > part.start]
        role = Role.THING if part.role in OUTCOMES else part.role
        tags[inside] = TAGS.index(f"I{role}")
        tags[inside[:1]] = TAGS.index(f"B{role}")
    return tags


def fit(examples: Sequence[Example], seed: int) -> OrderModel:
    """Return a model trained on these sentences."""
    return OrderModel(*_fit_words(examples, seed), _fit_things(examples, seed))


def _fit_words(examples: Sequence[Example], seed: int) -> tuple[Network, Floats, Floats]:
    """Train by AdamW (arXiv 1711.05101); the values are averaged over the last half of the steps."""
    draw = np.random.default_rng(seed)
    rows = np.concatenate([each.rows for each in examples])
    middle, width = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    scaled = [(each.rows - middle) / width for each in examples]
    sizes = (rows.shape[1], _UNITS, len(TAGS))
    values = [draw.normal(0, before**-0.5, (before, after)).astype(np.float32) for before, after in pairwise(sizes)]
    shapes = (_UNITS, len(TAGS), len(TAGS), (len(TAGS), len(TAGS)))
    values += [np.zeros(shape, np.float32) for shape in shapes]
    values[4][_LATER], values[5][~_FOLLOWS] = _NEVER, _NEVER
    mean, square, averaged = ([np.zeros_like(value) for value in values] for _ in range(3))
    batches = len(examples) // _AT_ONCE
    steps = _EPOCHS * batches
    for step in range(steps):
        if step % batches == 0:
            order = draw.permutation(len(examples))
        chosen = order[step % batches * _AT_ONCE :][:_AT_ONCE]
        slopes = _slope(values, [scaled[each] for each in chosen], [examples[each].tags for each in chosen], draw)
        steep = max(1.0, float(np.sqrt(sum((slope**2).sum() for slope in slopes))) / _STEEPEST)
        speed = _RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for number, slope in enumerate(slope / steep for slope in slopes):
            mean[number] += 0.1 * (slope - mean[number])
            square[number] += 0.001 * (slope**2 - square[number])
            change = mean[number] / (1 - 0.9 ** (step + 1))
            change /= np.sqrt(square[number] / (1 - 0.999 ** (step + 1))) + 1e-8
            values[number] -= speed * (change + _DECAY * values[number] * (number < _LAYERS))
            if step * 2 >= steps:
                averaged[number] += values[number] / (steps - steps // 2)
    values = averaged
    first = values[0] / width[:, None]
    return Network(first, values[2] - middle @ first, values[1], values[3]), values[4], values[5]


def _fit_things(examples: Sequence[Example], seed: int) -> Network:
    """Return what tells what is to become of a thing."""
    draw = np.random.default_rng(seed)
    told, wanted = list[Floats](), list[int]()
    for each in examples:
        parts = [part for part in each.order.parts if part.role in OUTCOMES]
        marked = [(first, last) for role, first, last in join(each.tags.tolist()) if role is Role.THING]
        for part, (first, last) in zip(parts, marked, strict=False):
            told.append(describe(each.rows, first, last))
            wanted.append(OUTCOMES.index(part.role))
    rows = np.stack(told)
    middle, width = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    rows, right = (rows - middle) / width, np.eye(len(OUTCOMES), dtype=np.float32)[wanted]
    sizes = (rows.shape[1], _THING_UNITS, len(OUTCOMES))
    values = [draw.normal(0, one**-0.5, one * other) for one, other in pairwise(sizes)]
    descent = Descent(np.concatenate([*values, np.zeros(sum(sizes[1:]))]).astype(np.float32), 0.99)
    cuts = np.cumsum([sizes[0] * sizes[1], sizes[1] * sizes[2], sizes[1]])
    for step in range(_THING_STEPS):
        flat = np.split(descent.values, cuts)
        weights, last_weights = flat[0].reshape(sizes[:2]), flat[1].reshape(sizes[1:])
        seen = rows * (draw.random(rows.shape[1], dtype=np.float32) < _KEPT) / _KEPT
        inner = seen @ weights + flat[2]
        active = np.maximum(inner, 0)
        scores = active @ last_weights + flat[3]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = (shares / shares.sum(axis=1, keepdims=True) - right) / len(rows)
        back = (shares @ last_weights.T) * (inner > 0)
        slopes = (seen.T @ back, active.T @ shares, back.sum(axis=0), shares.sum(axis=0))
        slope = np.concatenate([each.ravel() for each in slopes]) + _THING_DECAY * descent.values
        descent.step(slope, _RATE * (1 - step / _THING_STEPS))
    first_layer = weights / width[:, None]
    return Network(first_layer, flat[2] - middle @ first_layer, last_weights, flat[3])


def _slope(values: list[Floats], rows: list[Floats], tags: list[Ints], draw: np.random.Generator) -> list[Floats]:
    """Return the gradient of the mean negative log likelihood of the right tags by each of the values."""
    first, second, first_bias, second_bias, opens, follows = values
    told = np.concatenate([each * (draw.random(each.shape[1], dtype=np.float32) < _KEPT) / _KEPT for each in rows])
    inner = told @ first + first_bias
    dropped = (draw.random(inner.shape, dtype=np.float32) < _KEPT_UNITS) / np.float32(_KEPT_UNITS)
    active = np.maximum(inner, 0) * dropped
    scores = active @ second + second_bias
    ends = np.cumsum([len(each) for each in rows])
    by_scores, by_opens, by_follows = _slope_chains(np.split(scores, ends[:-1]), tags, opens, follows)
    back = (by_scores @ second.T) * dropped * (inner > 0)
    slopes = [told.T @ back, active.T @ by_scores, back.sum(axis=0), by_scores.sum(axis=0), by_opens, by_follows]
    return [slope.astype(np.float32) / len(rows) for slope in slopes]


def _slope_chains(
    scores: Sequence[Floats], tags: Sequence[Ints], opens: Floats, follows: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the gradient of the chains' negative log likelihood by their scores, and by what is added for tags."""
    # Forwards and backwards with a scale for each word (Rabiner 1989).
    count, longest = len(scores), max(map(len, scores))
    likely = np.ones((longest, count, len(opens)))
    there = np.zeros((longest, count, 1), dtype=bool)
    for number, each in enumerate(scores):
        likely[: len(each), number] = np.exp(each - each.max(axis=1, keepdims=True))
        there[: len(each), number] = True
    steps, by_follows = np.exp(follows.astype(np.float64)), np.zeros(follows.shape)
    ahead, behind, scale = np.empty_like(likely), np.ones_like(likely), np.ones((longest, count, 1))
    for at in range(longest):
        reached = (ahead[at - 1] @ steps if at else np.exp(opens)) * likely[at]
        scale[at] = np.where(there[at], reached.sum(axis=1, keepdims=True), 1)
        ahead[at] = np.where(there[at], reached / scale[at], ahead[at - 1] if at else 0)
    for at in range(longest - 1, 0, -1):
        onwards = likely[at] * behind[at] / scale[at] * there[at]
        by_follows += ahead[at - 1].T @ onwards * steps
        behind[at - 1] = np.where(there[at], onwards @ steps.T, 1)
    shares = ahead * behind * there
    for number, right in enumerate(tags):
        shares[np.arange(len(right)), number, right] -= 1
        np.subtract.at(by_follows, (right[:-1], right[1:]), 1)
    joined = np.concatenate([shares[: len(each), number] for number, each in enumerate(scores)])
    return joined.astype(np.float32), shares[0].sum(axis=0).astype(np.float32), by_follows.astype(np.float32)
