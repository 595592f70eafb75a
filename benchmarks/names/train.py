"""``python -m benchmarks.names.train``: train the network that tells names, and say how right it is.

A line more in ``sentences`` is a sentence more.  Figures are of three folds: each third of the sentences is judged by a
network that was trained on the others.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from adapters.embedding.e5 import E5Embedder
from benchmarks.names.reading import Counts, Marked, compute_shares, judge, read_own
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.names import TAGS, WEIGHTS, Floats, Ints, Network, find_names, find_words, make_rows
from harness.options import Report, run

_UNITS: Final = 64
_EPOCHS: Final = 20
_AT_ONCE: Final = 128
_DROPPED: Final = 0.6
"""Share of what the network is told that each step leaves out."""
_DECAY: Final = 0.1
_RATE: Final = 2e-3
_FOLDS: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as the network is told it, with the right tags."""

    language: str
    sentence: Marked
    words: tuple[tuple[int, int], ...]
    rows: Floats
    tags: Ints


async def train(*, seed: int = 1) -> Report:
    """Judge, then train on everything and write the weights."""
    examples = await _read()
    report = {language: compute_shares(judged) for language, judged in _fold(examples, seed).items()}
    _write(fit(examples, seed), WEIGHTS)
    return {"sentences": len(examples), **report, "bytes": WEIGHTS.stat().st_size}


def fit(examples: Sequence[Example], seed: int) -> Network:
    """Return a network trained by AdamW (arXiv 1711.05101), its weights averaged over the second half of the steps."""
    draw = np.random.default_rng(seed)
    rows = np.concatenate([each.rows for each in examples])
    tags = np.concatenate([each.tags for each in examples])
    middle, width = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    rows = (rows - middle) / width
    sizes = (rows.shape[1], _UNITS, len(TAGS))
    weights = [draw.normal(0, before**-0.5, (before, after)).astype(np.float32) for before, after in pairwise(sizes)]
    values = [weights[0], np.zeros(_UNITS, np.float32), weights[1], np.zeros(len(TAGS), np.float32)]
    mean, square, kept = ([np.zeros_like(value) for value in values] for _ in range(3))
    steps = -(-len(rows) // _AT_ONCE)
    for step in range(_EPOCHS * steps):
        if step % steps == 0:
            order = draw.permutation(len(rows))
        batch = order[step % steps * _AT_ONCE :][:_AT_ONCE]
        seen = rows[batch] * (draw.random((len(batch), sizes[0]), dtype=np.float32) > _DROPPED) / (1 - _DROPPED)
        rate = _RATE * (1 - step / (_EPOCHS * steps))
        for number, slope in enumerate(_slopes(values, seen, tags[batch])):
            mean[number] += 0.1 * (slope - mean[number])
            square[number] += 0.001 * (slope**2 - square[number])
            change = mean[number] / (1 - 0.9 ** (step + 1))
            change /= np.sqrt(square[number] / (1 - 0.999 ** (step + 1))) + 1e-8
            values[number] -= rate * (change + _DECAY * values[number] * (values[number].ndim > 1))
            if step * 2 >= _EPOCHS * steps:
                kept[number] += values[number] / (_EPOCHS * steps - _EPOCHS * steps // 2)
    first = kept[0] / width[:, None]
    return Network(first, kept[1] - middle @ first, kept[2], kept[3])


def _slopes(values: list[Floats], rows: Floats, tags: Ints) -> list[Floats]:
    """Return the gradient of the mean cross-entropy by each of the values."""
    units = rows @ values[0] + values[1]
    active = np.maximum(units, 0)
    scores = active @ values[2] + values[3]
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[np.arange(len(tags)), tags] -= 1
    shares /= len(tags)
    back = (shares @ values[2].T) * (units > 0)
    return [rows.T @ back, back.sum(axis=0), active.T @ shares, shares.sum(axis=0)]


async def _read() -> list[Example]:
    """Read each sentence alone and as it stands in a message, between two others."""
    embedder = E5Embedder(find_model_folder(PROJECT / "data"), niceness=0)
    found = []
    for language, sentences in read_own().items():
        for before, sentence, after in zip(
            sentences[-1:] + sentences, sentences, sentences[1:] + sentences, strict=False
        ):
            words = find_words(sentence.text)
            tags = _tag(sentence, words)
            message = f"{before.text} {sentence.text} {after.text}"
            start = len(before.text) + 1
            alone = await embedder.read_states(sentence.text)
            among = (await embedder.read_states(message)).cut(start, start + len(sentence.text))
            for states in filter(None, (alone, among)):
                rows = make_rows(sentence.text, words, states.pieces, states.spans)
                found.append(Example(language, sentence, words, rows, tags))
    embedder.close()
    return found


def _tag(sentence: Marked, words: Sequence[tuple[int, int]]) -> Ints:
    tags = np.zeros(len(words), dtype=np.int64)
    for name in sentence.names:
        inside = [place for place, (low, high) in enumerate(words) if low < name.end and high > name.start]
        tags[inside] = TAGS.index(f"I{name.kind}")
        tags[inside[0]] = TAGS.index(f"B{name.kind}")
    return tags


def _fold(examples: list[Example], seed: int) -> dict[str, Counts]:
    sentences = list(dict.fromkeys(each.sentence for each in examples))
    folds = dict(zip(sentences, np.random.default_rng(seed).permutation(len(sentences)) % _FOLDS, strict=True))
    found: dict[str, Counts] = {}
    for fold in range(_FOLDS):
        network = fit([each for each in examples if folds[each.sentence] != fold], seed)
        for example in (each for each in examples if folds[each.sentence] == fold):
            found_here = find_names(example.sentence.text, example.words, network.score(example.rows))
            judged = judge(found_here, example.sentence.names)
            found[example.language] = found.get(example.language, Counter()) + judged
    return found


def _write(network: Network, path: Path) -> None:
    """Write the weights, those of the first layer as int8 with a scale per input."""
    scale = np.maximum(np.abs(network.first).max(axis=1, keepdims=True), 1e-12) / 127
    np.savez_compressed(
        path,
        first=np.rint(network.first / scale).astype(np.int8),
        first_scale=scale.astype(np.float32),
        first_bias=network.first_bias.astype(np.float32),
        second=network.second.astype(np.float16),
        second_bias=network.second_bias.astype(np.float32),
    )


if __name__ == "__main__":
    run(train, __doc__)
