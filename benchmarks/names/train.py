"""``python -m benchmarks.names.train``: train the network that tells names, and say how right it is.

A line more in ``sentences`` is a sentence more.  Figures are of three folds: each third of the sentences is judged by a
network that was trained on the others.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from adapters.embedding.e5 import E5Embedder
from bot.config.folders import PROJECT, find_model_folder
from bot.memory.names import TAGS, WEIGHTS, Floats, Ints, Network, Tagged, find_names, find_words, make_rows
from harness.options import Report, run

SENTENCES: Final = Path(__file__).parent / "sentences"
_MARK: Final = re.compile(r"\[(PER|LOC|ORG|MISC) ([^\]]*)\]")
_KINDS: Final = {"PER": "person", "LOC": "location", "ORG": "organization", "MISC": "artifact"}
_CLOSES: Final = frozenset(".,;:!?)]»”%") | {"'s", "’s"}
_OPENS: Final = frozenset("([«“„")
_QUOTES: Final = '"«»„“”'


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence and its names, in order."""

    text: str
    names: tuple[Tagged, ...]


def read_own() -> dict[str, list[Marked]]:
    """Return the sentences to train on by language: one per line, ``[PER Vera Lind]`` for a name."""
    return {
        path.stem: [_read_line(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for path in sorted(SENTENCES.glob("*.txt"))
    }


def read_data(path: Path) -> dict[str, list[Marked]]:
    """Return sentences of a JSON file: ``{"en": [{"tokens": [...], "names": [{"kind": ..., "tokens": [...]}]}]}``."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return {language: [_join(each) for each in sentences] for language, sentences in data.items()}


def read_forms() -> dict[str, list[tuple[str, ...]]]:
    """Return the forms of names by language: ``en: Anna, Anna's``."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (SENTENCES.parent / "forms.txt").read_text(encoding="utf-8").splitlines():
        language, _, forms = line.partition(": ")
        found.setdefault(language, []).append(tuple(forms.split(", ")))
    return found


def _read_line(line: str) -> Marked:
    text, names, end = "", [], 0
    for match in _MARK.finditer(line):
        text += line[end : match.start()]
        names.append(Tagged(len(text), len(text) + len(match[2]), _KINDS[match[1]]))
        text += match[2]
        end = match.end()
    return Marked(text + line[end:], tuple(names))


def _join(sentence: dict[str, Any]) -> Marked:
    tokens: list[str] = sentence["tokens"]
    text, spans = "", list[tuple[int, int]]()
    quoted = glued = False
    for word in tokens:
        closes = word in _CLOSES or (word == '"' and quoted)
        text += "" if not text or glued or closes else " "
        glued = word in _OPENS or (word == '"' and not quoted)
        quoted ^= word == '"'
        spans.append((len(text), len(text) + len(word)))
        text += word
    return Marked(text, tuple(_strip(text, name) for name in _place(sentence["names"], tokens, spans)))


def _strip(text: str, name: Tagged) -> Tagged:
    """Return a name without the quotation marks around it: some are marked with them, most are not."""
    marked = text[name.start : name.end]
    left = len(marked) - len(marked.lstrip(_QUOTES))
    return Tagged(name.start + left, name.start + len(marked.rstrip(_QUOTES)), name.kind)


def _place(names: list[dict[str, Any]], tokens: list[str], spans: list[tuple[int, int]]) -> Iterator[Tagged]:
    at = 0
    for name in names:
        length = len(name["tokens"])
        at = next(place for place in range(at, len(tokens)) if tokens[place : place + length] == name["tokens"])
        yield Tagged(spans[at][0], spans[at + length - 1][1], _KINDS[name["kind"]])
        at += length


_OTHER: Final = "artifact"
"""Titles, events, languages: nobody asks for them here; found as something else they are errors."""

Counts = Counter[tuple[str, str]]
"""By what is counted, and the kind of name: "found", "marked", "right" (span and kind), "span" (that alone), "nothing".

The last are found where no name of any kind is marked: nouns, most often.
"""


def judge(found: Sequence[Tagged], marked: Sequence[Tagged]) -> Counts:
    """Judge the names found in a sentence: each is one of those marked in it, from its first letter to its last."""
    found = [name for name in found if name.kind != _OTHER]
    asked = [name for name in marked if name.kind != _OTHER]
    spans = {(name.start, name.end) for name in asked}
    counts: Counts = Counter(("marked", name.kind) for name in asked)
    for name in found:
        counts["found", name.kind] += 1
        counts["right", name.kind] += name in asked
        counts["span", name.kind] += (name.start, name.end) in spans
        counts["nothing", name.kind] += not any(name.start < each.end and each.start < name.end for each in marked)
    return counts


def compute_shares(counts: Counts) -> dict[str, float | dict[str, float]]:
    """Return the shares: together, where the kind does not matter, and by kind."""
    totals: Counter[str] = Counter()
    for (what, _), count in counts.items():
        totals[what] += count
    return {
        "precision": _share(totals["span"], totals["found"]),
        "recall": _share(totals["span"], totals["marked"]),
        "precision_with_kind": _share(totals["right"], totals["found"]),
        "recall_with_kind": _share(totals["right"], totals["marked"]),
        "no_name": _share(totals["nothing"], totals["found"]),
        **{
            kind: {
                "precision": _share(counts["right", kind], counts["found", kind]),
                "recall": _share(counts["right", kind], counts["marked", kind]),
            }
            for kind in sorted({kind for what, kind in counts if what == "marked"})
        },
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0


_TOGETHER: Final = 3
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
    _write(fit_together(examples, seed), WEIGHTS)
    return {"sentences": len(examples), **report, "bytes": WEIGHTS.stat().st_size}


def fit_together(examples: Sequence[Example], seed: int) -> Network:
    """Return several networks, each from a start of its own, as one: their layers side by side, what they say averaged.

    With the same sentences another start moves a language's precision or recall by up to 3 points.
    """
    apart = [fit(examples, seed + place) for place in range(_TOGETHER)]
    return Network(
        np.concatenate([each.first for each in apart], axis=1),
        np.concatenate([each.first_bias for each in apart]),
        np.concatenate([each.second / np.float32(_TOGETHER) for each in apart]),
        np.mean([each.second_bias for each in apart], axis=0, dtype=np.float32),
    )


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
        network = fit_together([each for each in examples if folds[each.sentence] != fold], seed)
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
